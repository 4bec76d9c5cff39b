"""The policies of the product, by name; those of the papers are plug-ins."""

POLICIES = {
    "bfs": "lodehound.policies.bfs:Bfs",
    "dfs": "lodehound.policies.dfs:Dfs",
    "files-first": "lodehound.policies.files_first:FilesFirst",
    "lodehound": "lodehound.policies.lodehound:LodehoundPolicy",
    "random": "lodehound.policies.random:Random",
    "recrawl": "lodehound.policies.recrawl:Recrawl",
    "revisit-all": "lodehound.policies.revisit_all:RevisitAll",
    "revisit-rate": "lodehound.policies.revisit_rate:RevisitRate",
    "revisit-uniform": "lodehound.policies.revisit_uniform:RevisitUniform",
}

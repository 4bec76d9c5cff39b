"""The policies we ship, by the name the command line knows them under."""

POLICIES = {
    "anthelion": "lodehound.policies.anthelion:Anthelion",
    "best-first": "lodehound.policies.best_first:BestFirst",
    "bfs": "lodehound.policies.bfs:Bfs",
    "dfs": "lodehound.policies.dfs:Dfs",
    "focused": "lodehound.policies.focused:Focused",
    "ldcoc": "lodehound.policies.ldcoc:Ldcoc",
    "lodehound": "lodehound.policies.lodehound:LodehoundPolicy",
    "omniscient": "lodehound.policies.omniscient:Omniscient",
    "online": "lodehound.policies.online:Online",
    "random": "lodehound.policies.random:Random",
    "random-host": "lodehound.policies.random_host:RandomHost",
    "rdf-batch": "lodehound.policies.rdf_batch:RdfBatch",
    "rdf-filter": "lodehound.policies.rdf_filter:RdfFilter",
    "sarsa": "lodehound.policies.sarsa:Sarsa",
    "sb-classifier": "lodehound.policies.sb_classifier:SbClassifier",
    "sb-oracle": "lodehound.policies.sb_oracle:SbOracle",
    "tp-off": "lodehound.policies.tp_off:TpOff",
    "tres": "lodehound.policies.tres:Tres",
}

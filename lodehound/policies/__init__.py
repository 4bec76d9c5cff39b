"""The policies we ship, by the name the command line knows them under."""

POLICIES = {
    "best-first": "lodehound.policies.best_first:BestFirst",
    "bfs": "lodehound.policies.bfs:Bfs",
    "dfs": "lodehound.policies.dfs:Dfs",
    "focused": "lodehound.policies.focused:Focused",
    "omniscient": "lodehound.policies.omniscient:Omniscient",
    "random": "lodehound.policies.random:Random",
    "sarsa": "lodehound.policies.sarsa:Sarsa",
    "sb-classifier": "lodehound.policies.sb_classifier:SbClassifier",
    "sb-oracle": "lodehound.policies.sb_oracle:SbOracle",
    "tp-off": "lodehound.policies.tp_off:TpOff",
    "tres": "lodehound.policies.tres:Tres",
}

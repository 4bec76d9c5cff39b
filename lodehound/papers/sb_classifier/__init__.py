"""SB-CLASSIFIER (EDBT 2026) and the crawlers that its evaluation compares.

==========================  =====================================================
Sec. 3.2, Algorithm 1       ``tag_path_groups``, ``bandits``: the arms, and AUER
Sec. 3.3, Algorithm 2       ``url_classifier``, ``linear``
Sec. 3.4, Algorithms 3, 4   ``sb_classifier``
Sec. 4.3                    ``focused``, ``omniscient``, ``tp_off``;
                            ``tres``, ``tree_frontier``, ``dqn`` (arXiv 2112.07620)
Sec. 4.5                    ``sb_oracle``
Sec. 4.8                    early stopping: ``lodehound.core.stop.EarlyStop``
==========================  =====================================================

BFS, DFS and RANDOM are in ``lodehound.policies``: users choose them, too.
"""

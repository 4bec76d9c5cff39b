"""One package per published system: its policy, learners, classifiers, baselines and rivals.

The product does without them: they are plug-ins (entry points in pyproject.toml).
"""

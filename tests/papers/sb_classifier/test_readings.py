"""The paper's algorithms, the released code, and what works better."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from lodehound.papers.sb_classifier.bandits import RunningMean
from lodehound.papers.sb_classifier.readings import READINGS


def test_all_readings() -> None:
    """Where paper and code disagree: all as the paper has it, or all as the code has it."""
    text = {"tf": False, "empty": False, "count_failures": True, "only_predicted": False}
    text |= {"learn_late": False, "through_redirects": True}
    code = {key: not value for key, value in text.items()}
    printed = ("running_mean", "credit_chosen", "label_end", "withdraw")

    assert asdict(READINGS[""]) == text | dict.fromkeys(printed, False)
    assert asdict(READINGS["kit"]) == code | dict.fromkeys(printed, False)
    assert asdict(READINGS["paper"]) == text | dict.fromkeys(printed, True)


def test_the_mean_of_algorithm_4() -> None:
    """R += (reward - R) / N, and N also counts pulls that bring no page."""
    bandit = RunningMean()
    bandit.add()
    bandit.pull(0)
    bandit.reward(0, 5.0)
    bandit.pull(0)  # an error: nothing but N changes

    assert bandit.pulls(0) == 2
    assert bandit.mean(0) == pytest.approx(5.0)
    bandit.pull(0)
    bandit.reward(0, 2.0)
    assert bandit.mean(0) == pytest.approx(5 + (2 - 5) / 3)

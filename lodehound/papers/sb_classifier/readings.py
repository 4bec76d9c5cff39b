"""Where the paper, the released code and what works better disagree.

The numbers are those of the table in docs/research/sb-classifier.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Compat = Literal["", "kit", "paper"]


@dataclass(frozen=True, slots=True)
class PageReading:
    """What is done in each of these points."""

    tf: bool = False  # 2: term frequencies in place of counts
    empty: bool = False  # 3: an empty symbol after the beginning of a path
    count_failures: bool = True  # 5: a pull that brings no page counts, with reward 0
    only_predicted: bool = False  # 12: only URLs the model has predicted become labels
    learn_late: bool = False  # 13: batches are learned one link too late
    through_redirects: bool = True  # 9: a target behind a redirect is a reward
    # Algorithms 2 to 4 as printed:
    running_mean: bool = False  # 6: a pull that brings no page leaves the mean as it was
    credit_chosen: bool = False  # 10: a page taken for a target is credited to the chosen group
    label_end: bool = False  # 12: the URL at the end of redirects is the label's
    withdraw: bool = False  # 16: whatever a HEAD does not call page or target is left out


READINGS: dict[Compat, PageReading] = {
    "": PageReading(),
    "kit": PageReading(
        tf=True,
        empty=True,
        count_failures=False,
        only_predicted=True,
        learn_late=True,
        through_redirects=False,
    ),
    "paper": PageReading(running_mean=True, credit_chosen=True, label_end=True, withdraw=True),
}
# Parameters of the algorithms as printed, with their edges (Sec. 2.2).
AS_PRINTED = {"compat": "paper", "time": "gets", "reward": "predicted", "edges": "shown"}

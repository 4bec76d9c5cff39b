"""Prior weights of URL extensions, in log odds of being a file."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lodehound.core.endings import FILE_ENDINGS
from lodehound.learn.link_features import mark

UNKNOWN = -1.0
PAGE_LIKE, FILE_LIKE = -1.5, 3.5
PAGE_ENDINGS = (
    "/ html htm xhtml shtml php php3 php4 php5 phtml asp aspx jsp jspx jsf cfm do cgi pl action"
).split()


def suggest(weights: NDArray[np.float32]) -> None:
    """Set the weights of known extensions."""
    for ending in PAGE_ENDINGS:
        weights[mark("end", ending)] = PAGE_LIKE
    for ending in FILE_ENDINGS:
        weights[mark("end", ending)] = FILE_LIKE

"""The online URL classifier of SB-CLASSIFIER (SB paper, Sec. 3.3 and Algorithm 2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from lodehound.core.link import Link
from lodehound.papers.sb_classifier.linear import Columns, ModelName, Texts, make_linear

FeatureName = Literal["url", "context"]

# Links scored in one call. A page may show thousands, but the model changes every few
# answers and what was scored ahead is scored again then.
AHEAD = 64


class UrlClassifier:
    """Tells links to targets from links to pages, and learns from every answer.

    Args:
        model: lr, svm, nb or pa.
        features: The url alone, or also anchor, tag path and surrounding text.
        b: Labels to a batch.
        late: Learn a full batch one link too late, as the released code does: that
            link is still asked by HEAD after the first batch, and still judged by
            the old model after the others.
        fold_case: Take upper case for lower case, as the released code does.
        seed: Seed of the order within a batch.
    """

    def __init__(
        self,
        *,
        model: ModelName,
        features: FeatureName,
        b: int,
        late: bool,
        fold_case: bool,
        seed: int,
    ) -> None:
        self.b = b
        self.late = late
        self.fold_case = fold_case
        self.on_prediction: Callable[[str, bool], None] | None = None  # for the lab's tables
        self._texts = Texts(1 if features == "url" else 4)
        self._model = make_linear(model, self._texts, seed=seed)
        self._rows: list[Columns] = []
        self._labels: list[bool] = []
        self._trained = False
        self._heads_owed = 0
        self._fruitless = 0  # HEADs that told nothing; a server that answers none is not asked on
        self._ahead: list[bool] = []  # for links [_from, _from + len) of _page
        self._page: Sequence[Link] = ()
        self._from = 0

    def train_if_due(self) -> bool:
        """Learn a full batch; return whether the next link can be told without a HEAD."""
        if not self._trained and max(len(self._labels), self._fruitless) >= self.b:
            self._learn()
            self._trained = True
            self._heads_owed = int(self.late)
        elif self._trained and not self.late and len(self._labels) >= self.b:
            self._learn()
        return self._trained and not self._heads_owed

    def may_head(self, in_flight: int) -> bool:
        """Return whether one more HEAD is of use, with so many on their way."""
        if self._heads_owed:
            self._heads_owed = 0
            return True
        return not self._trained and in_flight < self.b - len(self._labels)

    def label(self, link: Link, *, target: bool) -> None:
        """Take in what a link turned out to be."""
        self._rows.append(self._texts.row(self._describe(link)))
        self._labels.append(target)

    def no_label(self) -> None:
        """Take note of a HEAD that told nothing."""
        self._fruitless += 1

    def is_target(self, links: Sequence[Link], at: int) -> bool:
        """Return whether ``links[at]`` leads to a target; scores the links after it meanwhile."""
        if links is not self._page or not 0 <= at - self._from < len(self._ahead):
            self._score(links, at)
        taken = self._ahead[at - self._from]
        if self.on_prediction is not None:
            self.on_prediction(links[at].url, taken)
        if self.late and len(self._labels) >= self.b:
            self._learn()
        return taken

    def _learn(self) -> None:
        self._model.learn(self._rows, self._labels)
        self._rows, self._labels, self._ahead = [], [], []

    def _score(self, links: Sequence[Link], at: int) -> None:
        rows = [self._describe(link) for link in links[at : at + AHEAD]]
        scores = self._model.score(self._texts.products(self._model.weights, rows))
        self._ahead = (scores > 0).tolist()
        self._page, self._from = links, at

    def _describe(self, link: Link) -> tuple[str, ...]:
        texts: tuple[str, ...] = (link.url,)
        if self._texts.texts > 1:
            texts = (link.url, link.anchor, link.tag_path, link.around)
        return tuple(map(str.lower, texts)) if self.fold_case else texts

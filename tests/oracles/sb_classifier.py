"""SB-CLASSIFIER, written from the paper's text alone (Algorithms 1 to 4), slow and plain.

It does not choose: it says which requests the algorithm may make next, and is told which was
made, because a link of an action is drawn at random. URLs, pages, groups and the classifier are
read by other libraries than ours.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Mapping
from html.parser import HTMLParser
from itertools import pairwise
from urllib.parse import urldefrag, urljoin, urlsplit

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import SGDClassifier

from lodehound.stores.records import Record
from lodehound.targets.files import DATA_MIMES

Asked = tuple[str, set[str]]  # a method, and the URLs that may be asked for with it
EDGES = {"a": "href", "area": "href", "iframe": "src", "frame": "src"}  # Sec. 2.2
VOID = {"img", "link", "meta", "br"}
BLOCKED = {"png", "jpg", "mp4"}
N, M, W, PI, THETA, ALPHA, B = 2, 12, 15, 766_245_317, 0.75, 2 * math.sqrt(2), 10  # Sec. 4.5
EPSILON = 1e-6


class Edges(HTMLParser):
    """All links of a page with their tag paths, in document order."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self.url, self.path, self.found = url, list[str](), list[tuple[str, str]]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        token = tag + "".join(f".{name}" for name in given.get("class", "").split())
        token += f"#{given['id']}" if given.get("id") else ""
        if tag in EDGES and EDGES[tag] in given:
            to = urldefrag(urljoin(self.url, given[EDGES[tag]])).url
            self.found.append((to, " ".join([*self.path, token])))
        if tag not in VOID:
            self.path.append(token)

    def handle_endtag(self, tag: str) -> None:
        self.path.pop()


class Action:
    """A group of links: its centroid, and what the bandit knows of it."""

    def __init__(self) -> None:
        self.sum, self.size = np.zeros(1 << M), 0
        self.mean, self.pulls, self.links = 0.0, 0, set[str]()


class SbClassifier:
    """The crawl as a dialogue: ``crawl`` yields what may be asked, and is sent what was."""

    def __init__(self, web: Mapping[str, Record], root: str, seed: int) -> None:
        self.web, self.root = web, root
        self.known = {root}  # T and F together
        self.withdrawn = set[str]()  # "Neither" (Sec. 3.3)
        self.actions, self.grams, self.time = list[Action](), dict[tuple[str, ...], int](), 0
        self.model = SGDClassifier(loss="log_loss", random_state=seed)
        self.batch, self.initial = list[tuple[str, bool]](), True

    def crawl(self) -> Generator[Asked, str, None]:
        """Algorithm 3."""
        yield from self.page(self.root, None)
        while awake := [action for action in self.actions if action.links]:
            best = max(map(self.score, awake))
            equal = [action for action in awake if self.score(action) > best - 1e-9]
            url = yield "GET", set.union(*(action.links for action in equal))
            [chosen] = [action for action in equal if url in action.links]
            chosen.links.remove(url)
            chosen.pulls += 1
            yield from self.page(url, chosen, asked=True)

    def score(self, action: Action) -> float:
        return action.mean + ALPHA * math.sqrt(math.log(self.time) / (action.pulls + EPSILON))

    def page(
        self, url: str, chosen: Action | None, *, asked: bool = False
    ) -> Generator[Asked, str, None]:
        """Algorithm 4."""
        if not asked:
            yield "GET", {url}
        self.known.add(url)
        self.time += 1
        record = self.web.get(url)
        if record is None or record.status >= 400:
            return
        reader = Edges(url)
        if record.status < 300:
            kind = self.kind(record)
            if kind != "neither":
                self.batch.append((url, kind == "target"))
            if kind != "html":
                return
            reader.feed(record.body.decode())
        elif record.location not in self.known:
            yield from self.page(record.location, chosen)
            return
        reward = yield from self.reward_of(reader.found, chosen)
        if chosen is not None:
            chosen.mean += (reward - chosen.mean) / chosen.pulls

    def reward_of(
        self, links: list[tuple[str, str]], chosen: Action | None
    ) -> Generator[Asked, str, int]:
        """The loop of Algorithm 4 over the links of a page."""
        reward = 0
        for to, path in links:
            if not self.is_new(to):
                continue
            kind = yield from self.class_of(to)
            if kind == "html":
                self.action_of(path).links.add(to)
                self.known.add(to)
            elif kind == "target":
                yield from self.page(to, chosen)
                reward += 1
            else:
                self.withdrawn.add(to)
        return reward

    def is_new(self, url: str) -> bool:
        host, home = (urlsplit(one).netloc.removeprefix("www.") for one in (url, self.root))
        inside = host == home or host.endswith(f".{home}")
        blocked = url.rpartition(".")[2] in BLOCKED
        return inside and not blocked and url not in self.known | self.withdrawn

    @staticmethod
    def kind(record: Record) -> str:
        mime = record.content_type.partition(";")[0]
        return "html" if "html" in mime else "target" if mime in DATA_MIMES else "neither"

    def class_of(self, url: str) -> Generator[Asked, str, str]:
        """Algorithm 2."""
        if len(self.batch) >= B:
            urls, labels = zip(*self.batch, strict=True)
            self.model.partial_fit(pairs(urls), labels, classes=[False, True])
            self.batch, self.initial = [], False
        if not self.initial:
            return "target" if self.model.decision_function(pairs([url]))[0] > 0 else "html"
        yield "HEAD", {url}
        record = self.web.get(url)
        if record is None or record.status >= 400 or self.kind(record) == "neither":
            return "neither"
        self.batch.append((url, self.kind(record) == "target"))
        return self.kind(record)

    def action_of(self, path: str) -> Action:
        """Algorithm 1, and the projection of Sec. 3.2."""
        tokens = ["BOS", *path.split(" "), "EOS"]
        grams = [tuple(tokens[at : at + N]) for at in range(len(tokens) - N + 1)]
        for gram in grams:
            self.grams.setdefault(gram, len(self.grams))
        bag, places = np.zeros(len(self.grams)), np.arange(len(self.grams))
        for gram in grams:
            bag[self.grams[gram]] += 1
        hashed = (PI * places % 2**W) // 2 ** (W - M)
        size = np.bincount(hashed, minlength=1 << M)
        vector = np.bincount(hashed, bag, minlength=1 << M) / np.maximum(size, 1)
        cosines = [
            float(one.sum @ vector / np.linalg.norm(one.sum) / np.linalg.norm(vector))
            for one in self.actions
        ]
        if not cosines or max(cosines) < THETA:
            self.actions.append(Action())
            cosines.append(math.inf)
        action = self.actions[int(np.argmax(cosines))]
        action.sum += vector
        return action


def pairs(urls: Iterable[str]) -> csr_matrix:
    """Return the character pairs of URLs: a bag over all pairs of ASCII characters."""
    texts = list(urls)
    cells = [
        (row, ord(one) * 128 + ord(next_one))
        for row, text in enumerate(texts)
        for one, next_one in pairwise(text)
    ]
    rows, columns = zip(*cells, strict=True)
    return csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(len(texts), 128 * 128))

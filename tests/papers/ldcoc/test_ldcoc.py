"""LDCOC and the crawlers it is compared with, on webs small enough to follow."""

from __future__ import annotations

import numpy as np
import pytest

from lodehound.core.errors import ConfigError
from lodehound.core.link import Context, Link
from lodehound.core.messages import Choice, Outcome, Verdict
from lodehound.core.policy import Policy
from lodehound.papers.ldcoc.ldcoc import Ldcoc
from lodehound.papers.ldcoc.rdf_batch import RdfBatch
from lodehound.papers.ldcoc.rdf_filter import RdfFilter
from lodehound.papers.ldcoc.uri_features import Head, UriFeatures, parts, read_sets
from lodehound.papers.ldcoc.uri_rules import rule_of, rule_of_type

HOST = "http://e.org"


def link(path: str, *, kind: str = "rdf", context: Context | None = None) -> Link:
    return Link(HOST + path, f"{HOST}/doc", kind=kind, context=context)


def give(policy: Policy, *paths: str) -> None:
    links = tuple(map(link, paths))
    policy.learn(Outcome(None, "", 0, "", Verdict(found=False), links))


def answer(
    policy: Policy, choice: Choice, *, found: bool = False, status: int = 200, mime: str = ""
) -> None:
    policy.learn(Outcome(choice, choice.link.url, status, mime, Verdict(found), ()))


def ask(policy: Policy) -> tuple[str, str]:
    choice = policy.choose(())
    assert choice is not None
    return choice.method, choice.link.url.removeprefix(HOST)


# --- features ------------------------------------------------------------------------------------


def names(sets: str, one: Link, head: Head = Head()) -> int:  # noqa: B008 - a constant
    return len(UriFeatures(read_sets(sets), size=1 << 20).columns(one, head)) - 1


def test_each_set_adds_its_features() -> None:
    context = Context("o#", ("http://v.org/p#q",), (f"{HOST}/b", f"{HOST}/c"), "text/turtle")
    one = link("/a", context=context)
    own, referrer = len(set(parts(one.url))), len(set(parts(one.source)))
    of_property = len(set(parts("http://v.org/p#q"))) + 1
    assert names("t", one) == own + 2  # with the declared type and the fragment
    assert names("t", one, Head(303, "")) == own + 4
    assert names("r", one) == referrer
    assert names("p", one) == of_property
    assert names("t+r+p", one) == own + 2 + referrer + of_property
    assert names("x", one) > names("x", link("/a"))


def test_siblings_are_known_once_they_were_fetched() -> None:
    features = UriFeatures(read_sets("x"), size=1 << 20)
    one = link("/a/1", context=Context("o", (), (f"{HOST}/a/2",)))
    before = features.columns(one)
    features.see(f"{HOST}/a/2", "text/turtle", relevant=True)
    assert not np.array_equal(before, features.columns(one))


def test_columns_are_within_size_and_each_once() -> None:
    columns = UriFeatures(read_sets("t+r+p"), size=16).columns(link("/a/b?c=d#e"))
    assert len(set(columns)) == len(columns)
    assert 0 <= columns.min() <= columns.max() < 16


def test_feature_sets_that_do_not_exist() -> None:
    with pytest.raises(ConfigError, match=r"t\+q"):
        Ldcoc(features="t+q")


@pytest.mark.parametrize(
    ("path", "told"),
    [("/a.ttl", True), ("/a.OWL", True), ("/a.html", None), ("/a", None), ("/a.zip", False)],
)
def test_easy_uris_by_extension(path: str, told: bool | None) -> None:
    assert rule_of(link(path)) is told


def test_easy_uris_by_type() -> None:
    assert rule_of(link("/a", context=Context(declared="text/turtle"))) is True
    types = ["application/ld+json", "text/plain", "", "image/png"]
    assert [rule_of_type(mime) for mime in types] == [True, None, None, False]


# --- the policy ----------------------------------------------------------------------------------


def test_easy_uris_are_decided_without_the_model_and_do_not_train_it() -> None:
    policy = Ldcoc(epsilon=1e-9)
    give(policy, "/picture.zip", "/hard", "/a.rdf")
    first = policy.choose(())
    assert first is not None
    assert first.link.url == f"{HOST}/a.rdf"
    answer(policy, first, found=True)
    assert policy._model.used == 0
    assert ask(policy) == ("GET", "/hard")  # skipped at odds of a half, which are not above tau
    assert ask(policy) == ("GET", "/picture.zip")


def test_a_sampled_negative_counts_one_by_epsilon() -> None:
    policy, other = Ldcoc(epsilon=0.5, seed=0), Ldcoc(epsilon=0.5)
    for number in range(50):
        give(policy, f"/n/{number}")
    choice = policy.choose(())
    assert choice is not None
    assert choice.probability == 0.5
    answer(policy, choice)
    columns = policy._features.columns(choice.link)
    other._model.learn(columns, False, 2.0)
    assert policy._model.predict(columns) == other._model.predict(columns)


def test_failures_train_nothing() -> None:
    policy = Ldcoc(epsilon=1.0)
    give(policy, "/a")
    choice = policy.choose(())
    assert choice is not None
    answer(policy, choice, status=503)
    assert policy._model.used == 0


def learned(**options: str) -> Ldcoc:
    """Make a policy that knows /id/ to be RDF and /doc/ not to be."""
    policy = Ldcoc(epsilon=1.0, order="best" if options else "bfs")
    for number in range(60):
        give(policy, f"/id/{number}", f"/doc/{number}")
        for _ in range(2):
            choice = policy.choose(())
            assert choice is not None
            answer(policy, choice, found="/id/" in choice.link.url)
    policy.epsilon = 1e-9
    return policy


def test_it_learns_which_uris_are_rdf() -> None:
    policy = learned()
    give(policy, "/doc/new", "/id/new", "/doc/newer", "/id/newer")
    asked = [ask(policy)[1] for _ in range(4)]
    assert asked[:2] == ["/id/new", "/id/newer"]
    assert set(asked[2:]) == {"/doc/new", "/doc/newer"}
    assert "right" in policy.insights()[0]


def test_the_likeliest_first() -> None:
    policy = learned(order="best")
    give(policy, "/doc/new", "/id/new", "/sure.ttl")
    assert [ask(policy)[1] for _ in range(3)] == ["/sure.ttl", "/id/new", "/doc/new"]


def test_skipped_uris_are_dropped_on_request() -> None:
    policy = Ldcoc(epsilon=1e-9, skip="drop")
    give(policy, "/hard", "/x.zip")
    assert policy.choose(()) is None


def test_a_head_comes_first_and_its_type_decides() -> None:
    policy = Ldcoc(head="on", epsilon=1e-9)
    give(policy, "/rdf", "/png", "/gone", "/html")
    types = {"/rdf": (200, "text/turtle"), "/png": (200, "image/png"), "/gone": (404, "text/html")}
    asked = []
    while (choice := policy.choose(())) is not None:
        path = choice.link.url.removeprefix(HOST)
        asked.append((choice.method, path))
        status, mime = types.get(path, (200, "text/html"))
        answer(policy, choice, status=status, mime=mime)
    assert asked[:3] == [("HEAD", "/rdf"), ("GET", "/rdf"), ("HEAD", "/png")]
    assert [path for method, path in asked if method == "GET"] == ["/rdf", "/html", "/png", "/gone"]


@pytest.mark.parametrize(
    "options", [{"size": 1}, {"epsilon": 0.0}, {"tau": 1.5}, {"alpha": 0.0}, {"l1": -1.0}]
)
def test_parameters_that_make_no_sense(options: dict[str, float]) -> None:
    with pytest.raises(ConfigError):
        Ldcoc(**options)  # type: ignore[arg-type]


# --- what it is compared with --------------------------------------------------------------------


def test_the_filter_takes_what_type_and_extension_call_rdf() -> None:
    policy = RdfFilter(skip="drop", head="on")
    give(policy, "/a.html", "/a.ttl", "/b", "/c", "/d")
    said = {"/b": (200, "application/rdf+xml"), "/c": (200, "text/html"), "/d": (303, "")}
    got = []
    while (choice := policy.choose(())) is not None:
        path = choice.link.url.removeprefix(HOST)
        if choice.method == "GET":
            got.append(path)
        status, mime = said.get(path, (200, "text/html"))
        answer(policy, choice, status=status, mime=mime)
    assert sorted(got) == ["/a.ttl", "/b", "/d"]


class Sample:
    """A recorded site whose /id/ is RDF."""

    def kind(self, url: str) -> str:
        return "target" if "/id/" in url else "html"

    def targets(self) -> list[str]:
        return []

    def first(self, count: int) -> list[Outcome]:
        paths = [f"/{('id', 'doc')[n % 2]}/{n}" for n in range(count)]
        return [
            Outcome(Choice(link(path)), HOST + path, 200, "", Verdict("/id/" in path), ())
            for path in paths
        ]


@pytest.mark.parametrize("model", ["nb", "svm", "knn"])
def test_batch_models_learn_beforehand(model: str) -> None:
    policy = RdfBatch(model=model, train=60, skip="drop", truth=Sample())  # type: ignore[arg-type]
    give(policy, "/doc/new", "/id/new")
    assert ask(policy) == ("GET", "/id/new")
    assert policy.choose(()) is None


def test_training_that_is_charged() -> None:
    """The first requests are breadth first; then it knows."""
    policy = RdfBatch(model="nb", train=20, charged=True, skip="drop")
    give(policy, *(f"/{('id', 'doc')[n % 2]}/{n}" for n in range(20)))
    for number in range(20):
        choice = policy.choose(())
        assert choice is not None
        assert choice.link.url.endswith(f"/{number}")
        answer(policy, choice, found="/id/" in choice.link.url)
    give(policy, "/doc/new", "/id/new")
    assert ask(policy) == ("GET", "/id/new")
    assert policy.choose(()) is None


def test_batch_models_need_a_recorded_site() -> None:
    with pytest.raises(ConfigError, match="lodehound race"):
        RdfBatch()


def test_batch_training_has_no_siblings() -> None:
    with pytest.raises(ConfigError, match=r"no siblings \(x\).*take ldcoc"):
        RdfBatch(features="t+r+x", charged=True)

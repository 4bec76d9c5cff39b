"""Which pages are worth rendering."""

from __future__ import annotations

from lodehound.learn.render_choice import HOST_TRIALS, RenderChoice, pattern_of, templates_of

SIGNS = ("a framework takes over the page",)
STRONG = ("no links",)


def choice() -> RenderChoice:
    return RenderChoice(strong=STRONG)


def actions(choice: RenderChoice, urls: list[str], **learned: object) -> list[str]:
    """Decide about pages in turn; what is rendered brings the same each time."""
    said: list[str] = []
    for url in urls:
        decision = choice.decide(url, SIGNS)
        said.append(decision.action)
        if decision.action == "render":
            figures = {"links": 0, "requests": 2, "seconds": 1.0} | learned
            choice.learn(decision.pattern, **figures)  # type: ignore[arg-type]
    return said


def pages(folder: str, count: int) -> list[str]:
    return [f"https://e.org/{folder}/{number}" for number in range(count)]


def test_a_page_without_signs_is_left_alone() -> None:
    assert choice().decide("https://e.org/", ()).action == "leave"


def test_every_page_is_rendered_if_the_user_says_so() -> None:
    assert RenderChoice(always=True).decide("https://e.org/", ()).action == "render"


def test_pages_whose_rendering_brings_links_go_on_being_rendered() -> None:
    assert actions(choice(), pages("sets", 8), links=5) == ["render"] * 8


def test_pages_whose_rendering_brings_nothing_are_left_alone() -> None:
    """They are tried again, ever more rarely."""
    said = actions(choice(), pages("news", 100))
    assert said[:10] == ["render", "render", *["leave"] * 8]
    assert said.count("render") == 4


def test_a_cost_out_of_proportion_to_the_links_is_not_worth_it() -> None:
    assert actions(choice(), pages("sets", 4), links=2, requests=80) == [
        "render", "leave", "leave", "leave",
    ]  # fmt: skip


def test_links_that_lead_to_nothing_are_worth_little() -> None:
    learner = choice()
    [name] = {learner.decide(url, SIGNS).pattern for url in pages("sets", 1)}
    learner.learn(name, links=10, requests=5, seconds=1.0)
    before = learner.decide(pages("sets", 2)[1], SIGNS).action
    learner.followed(name, count=30, useful=0)
    assert (before, learner.decide(pages("sets", 2)[1], SIGNS).action) == ("render", "leave")


def test_a_host_on_which_nothing_was_gained_gets_no_further_trials() -> None:
    learner = choice()
    tried = [actions(learner, pages(f"f{name}x", 1)) for name in "abcdef"]
    assert tried == [["render"]] * HOST_TRIALS + [["leave"]] * (6 - HOST_TRIALS)


def test_patterns_of_one_host_are_told_apart() -> None:
    learner = choice()
    assert actions(learner, pages("news", 4)) == ["render", "render", "leave", "leave"]
    assert actions(learner, pages("sets", 3), links=4) == ["render"] * 3


def test_when_two_pages_agree_on_an_api_the_third_asks_it() -> None:
    learner = choice()
    said = actions(learner, pages("sets", 3), links=3, templates=("https://e.org/api/{0}",))
    urls = learner.decide("https://e.org/sets/7", SIGNS).urls
    assert (said, urls) == (["render", "render", "api"], ("https://e.org/api/7",))


def test_an_api_that_changes_its_addresses_is_not_guessed() -> None:
    learner = choice()
    for number, template in enumerate(("https://e.org/a/{0}", "https://e.org/b/{0}")):
        name = learner.decide(f"https://e.org/sets/{number}", SIGNS).pattern
        learner.learn(name, links=3, requests=2, seconds=1.0, templates=(template,))
    assert learner.decide("https://e.org/sets/7", SIGNS).action == "render"


def test_clicks_that_bring_nothing_twice_are_not_made_again() -> None:
    learner, name = choice(), pattern_of("https://e.org/sets/1", SIGNS)
    for _ in range(2):
        learner.learn(name, links=3, requests=1, seconds=1.0, clicks=4)
    assert not learner.clicks(name)


def test_an_api_that_does_not_depend_on_the_page_has_no_template() -> None:
    apis = ["https://e.org/api/menu", "https://e.org/api/sets/3"]
    assert templates_of(apis, "https://e.org/sets/3") == ()
    assert templates_of(apis[1:], "https://e.org/sets/3") == ("https://e.org/api/{1}/{0}",)

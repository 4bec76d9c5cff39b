"""What RFC 9309 asks of a crawler, and what google/robotstxt's own tests ask, restated."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lodehound.read.robots import MAX_BYTES, MAX_SITEMAPS, Reading, Robots, parse_robots, reading_of

SITE = "https://data.example"


def allowed(text: str, path: str, agent: str = "hound") -> bool:
    """Ask about a path; the lines of the file may be parted by a bar."""
    return parse_robots(text.replace(" | ", "\n").encode()).allows(agent, SITE + path)


def one_group(*rules: str) -> str:
    return "\n".join(["User-agent: hound", *rules])


# Which paths a pattern matches, and which it does not.
PATTERNS: dict[str, tuple[list[str], list[str]]] = {
    "/": (["/", "/x", "/?x"], []),
    "/cod": (["/cod", "/cod.html", "/cod/fry.html", "/codfish", "/codfish/raw", "/cod.html?id=1"],
     ["/Cod.asp", "/catcod", "/?id=cod", "/co", "/"]),
    "/cod*": (["/cod", "/cod.html", "/codfish/raw", "/cod?x"], ["/Cod.a", "/catcod", "/?id=cod"]),
    "/cod/": (["/cod/", "/cod/fry", "/cod/?fry", "/cod/?id=1"], ["/cod", "/cod.html", "/Cod/Fry"]),
    "/*.php": (["/a.php", "/b/a.php", "/b/a.php?q", "//b/a.php.c.html", "/a.php/", "/i?f=a.php/"],
     ["/php/", "/i?php", "/a.PHP"]),
    "/*.php$": (["/a.php", "/b/a.php", "/a.php.php"],
     ["/a.php?q", "/a.php/", "/a.php5", "/php/", "/a?php", "/aphpa", "//a.PHP"]),
    "/cod*.php": (["/cod.php", "/codfish/catfish.php?q"], ["/Cod.PHP", "/co.php", "/cod"]),
    "/a/*/c": (["/a//c", "/a/b/c", "/a/b/b/c/d"], ["/a/c", "/a/b"]),
    "/a/b$": (["/a/b"], ["/a/b/", "/a/b/c", "/a/b?c", "/a/bb"]), "/$": (["/"], ["/x", "/?x"]),
    "/a*a$": (["/aa", "/aba", "/a/b/aca"], ["/a", "/ab", "/aab"]),
    "/**a***b": (["/ab", "/xaxb"], ["/ba", "/b"]),
    "*.gif$": (["/a.gif", "/b/a.gif"], ["/a.gif?x", "/a.gift"]),  # RFC 9309, 5.1
    "*": (["/", "/x"], []),
    "/a$b": (["/a$b", "/a%24b", "/a$bc"], ["/a", "/ab"]),  # $ is special at the end only
    "/a*$": (["/a", "/abc"], ["/b"]), "$": ([], ["/", "/x"]),
    "x": ([], ["/", "/x"]),  # a path starts with a slash
    "https://data.example/x": ([], ["/x"]),
    # 2.2.2: normalised on both sides
    "/a?q=http://b.c?d&e": (["/a?q=http://b.c?d&e", "/a?q=http%3A%2F%2Fb.c?d&e"], ["/a?q=ftp://b.c"]),
    "/a?q=http%3A%2F%2Fb": (["/a?q=http://b", "/a?q=http%3a%2f%2fb"], ["/a?q=http:b"]),
    "/ツ": (["/%E3%83%84", "/%e3%83%84", "/ツ", "/ツx"], ["/%E3%83", "/x"]),
    "/%e3%83%84": (["/%E3%83%84", "/ツ"], ["/%E3"]),
    "/%62%61%7A": (["/baz", "/%62az", "/ba%7a"], ["/bar"]), "/a b": ([], ["/a", "/b"]),
    "/a%20b": (["/a%20b", "/a b"], ["/a+b", "/ab"]), "/100%": (["/100%", "/100%25"], ["/100"]),
    "/%zz": (["/%zz", "/%25zz"], ["/zz"]), "/Special%3A": (["/Special:Search"], ["/Special"]),
    # 2.2.3: special characters meant literally
    "/with-a-%2A.html": (["/with-a-*.html", "/with-a-%2a.html"], ["/with-a-x.html"]),
    "/foo-%24": (["/foo-$", "/foo-$x"], ["/foo-"]),
}  # fmt: skip
PAIRS = [(p, path, i == 0) for p, both in PATTERNS.items() for i in (0, 1) for path in both[i]]


@pytest.mark.parametrize(("pattern", "path", "matches"), PAIRS)
def test_patterns(pattern: str, path: str, matches: bool) -> None:
    """A Disallow alone, and an Allow that beats a shorter Disallow."""
    assert allowed(one_group(f"Disallow: {pattern}"), path) is not matches
    assert allowed(one_group("Disallow: /", f"Allow: {pattern}"), path) is matches


@pytest.mark.parametrize(
    ("rules", "path", "expected"),
    [
        (["Disallow: /d/f.csv", "Allow: /d/"], "/d/f.csv", False),
        (["Allow: /d/f.csv", "Disallow: /d/"], "/d/f.csv", True),
        (["Allow: /d/f.csv", "Disallow: /d/"], "/d/", False),
        (["Disallow:", "Allow:"], "/d", True), (["Disallow: /", "Allow: /"], "/d", True),
        (["Disallow: /d", "Allow: /d/"], "/d", False),
        (["Disallow: /d", "Allow: /d/"], "/d/", True),
        (["Disallow: /d/f.csv", "Allow: /d/f.csv"], "/d/f.csv", True),
        (["Allow: /data", "Disallow: /*.csv2"], "/data.csv2", False),
        (["Allow: /data", "Disallow: /*.csv2"], "/data", True),
        (["Allow: /d/file.", "Disallow: /*.csv"], "/d/file.csv", True),
        (["Allow: /d/file.", "Disallow: /*.csv"], "/d/other.csv", False),
        (["Allow: /d", "Disallow: /"], "/data", True), (["Allow: /d", "Disallow: /d"], "/d/", True),
        (["Allow: /data", "Disallow: /*.csv"], "/data.csv", False),  # a star is an octet
        (["Allow: /data.", "Disallow: /*.csv"], "/data.csv", True),
        (["Allow: /$", "Disallow: /"], "/", True), (["Allow: /$", "Disallow: /"], "/f", False),
        (["Allow: /d/e/", "Disallow: /d/e/no.zip"], "/d/e/no.zip", False),  # as in 5.2
        (["# Disallow: /", "Disallow: /a/b#c", "Allow: /"], "/a/x", True),
        (["# Disallow: /", "Disallow: /a/b#c", "Allow: /"], "/a/b", False),
        (["Disallow: /é", "Allow: /%C3%A9"], "/é", True),  # one octet is written one way
        # where we part from google/robotstxt: the table in the module's docstring
        (["Allow: /a/index.html", "Disallow: /"], "/a/index.html", True),
        (["Allow: /a/index.html", "Disallow: /"], "/a/", False),
        (["Allow: /a/index.html", "Disallow: /"], "/a/index.htm", False),
        (["Disallow: /"], "/robots.txt", True), (["Disallow: /robots.txt"], "/robot%73.txt", True),
        (["Disallow: /"], "/robots.txt?x", False), (["Disallow: /"], "/a/robots.txt", False),
        (["Disallow: /", "Allowed: /x"], "/x", False), (["Disallow: /a%2Fb"], "/a/b", False),
    ],
)  # fmt: skip
def test_longest_match_wins(rules: list[str], path: str, expected: bool) -> None:
    """The rule with the most octets decides, whatever the order; Allow wins a tie (2.2.2)."""
    assert allowed(one_group(*rules), path) is expected
    assert allowed(one_group(*reversed(rules)), path) is expected


# A stray rule; red's first group; blue's, with a gap in it; one that red shares with green.
GROUPS = (
    "Allow: /stray | User-agent: red | Disallow: / | Allow: /one/ | User-agent: blue | Disallow: /"
    " | Allow: /two/ |  | # still blue | Allow: /three/ | User-agent: green |  | User-agent: red"
    " | Disallow: / | Allow: /four/"
)
# The kinds of groups RFC 9309 shows in 5.1: for all, with no spaces, of two agents, without rules.
KINDS = (
    "User-Agent: * | Disallow: *.zip$ | Disallow: /old/ | Allow: /news/ |  | User-Agent: red"
    " | Disallow:/ | Allow:/old/map.html | Allow:/old/map.zip |  | User-Agent: blue"
    " | User-Agent: green | Disallow: /old/map.html |  | User-Agent: grey | "
)
OTHERS = "User-agent: foo | {} | User-agent: * | Disallow: /"
STAR = "User-agent: * | Disallow: / | User-agent: {} | Allow: /x | Disallow: /"


@pytest.mark.parametrize(
    ("text", "agent", "paths", "others"),
    [
        ("", "foo", ["/x"], []),
        (GROUPS, "red", ["/one/a", "/four/a"], ["/two/a", "/three/a", "/stray"]),
        (GROUPS, "blue", ["/two/a", "/three/a"], ["/one/a", "/four/a", "/stray"]),
        (GROUPS, "green", ["/four/a"], ["/one/a", "/two/a", "/stray"]),
        (GROUPS, "grey", ["/one/a", "/two/a", "/stray"], []),
        (KINDS, "other", ["/news/a", "/x"], ["/a.zip", "/old/"]),
        (KINDS, "Red", ["/old/map.html", "/old/map.zip"], ["/", "/old/b"]),
        (KINDS, "blue", ["/old/", "/a.zip"], ["/old/map.html"]),
        (KINDS, "green", ["/old/", "/a.zip"], ["/old/map.html"]),
        (KINDS, "grey", ["/old/", "/a.zip"], []),
        ("User-agent: * | Allow: / | User-agent: foo | Disallow: /", "foo", [], ["/x"]),
        ("User-agent: * | Allow: / | User-agent: foo | Disallow: /", "bar", ["/x"], []),
        ("User-agent: * | Disallow: /x | User-agent: foo | Disallow: /y", "foo", ["/x"], ["/y"]),
        ("User-agent: * | Disallow: /x | User-agent: foo", "foo", ["/x"], []),
        ("User-agent: * | Disallow: /x | User-agent: foo | Disallow:", "foo", ["/x"], []),
        ("User-agent: * (all of you) | Disallow: /", "foo", [], ["/x"]),
        ("User-agent: *x | Disallow: /", "foo", ["/x"], []),
        ("User-agent: foo | Disallow: /", "", ["/x"], []),
        ("User-agent: foo | Disallow: /", "food", ["/x"], []),
        ("User-agent: 007 | Disallow: /", "", ["/x"], []),
        ("User-agent: foo | User-agent: foo | Disallow: /", "foo", [], ["/x"]),
        # 2.2.4: no other line ends a group
        (OTHERS.format("Sitemap: https://e.org/s"), "foo", [], ["/"]),
        (OTHERS.format("Sitemap: https://e.org/s"), "bar", [], ["/"]),
        (OTHERS.format("Unknown: x"), "foo", [], ["/"]),
        (OTHERS.format("Crawl-delay: 3"), "foo", [], ["/"]),
        (OTHERS.format("Disallow:"), "foo", ["/"], []),
        # a name ends where no name can go on
        (STAR.format("Foo Bar"), "foo", ["/x"], ["/y"]),
        (STAR.format("FOO BAR"), "Foo", ["/x"], ["/y"]),
        (STAR.format("foo/2.1"), "FOO", ["/x"], ["/y"]),
        (STAR.format("foo*"), "foo", ["/x"], ["/y"]),
        (STAR.format("foo_a-b"), "foo_A-b", ["/x"], ["/y"]),
        (STAR.format("foo bar"), "foo bar", [], ["/x"]), (STAR.format("ツ"), "ツ", [], ["/x"]),
        (STAR.format("foo"), "*", [], ["/x"]),
    ],
)  # fmt: skip
def test_groups(text: str, agent: str, paths: list[str], others: list[str]) -> None:
    """An agent obeys its own groups together, those of * if it has none, else nothing (2.2.1)."""
    assert [path for path in paths + others if allowed(text, path, agent)] == paths


@pytest.mark.parametrize(
    "lines",
    [
        "user-agent: hound\ndisallow: /x", "USER-AGENT: HOUND\nDISALLOW: /x",
        "uSeR-aGeNt: hOuNd\ndIsAlLoW: /x", "user-agent hound\ndisallow /x",
        "user-agent\thound # us\ndisallow \t /x\t# this", "useragent: hound\ndissallow: /x",
        "user agent: hound\ndissalow: /x", "User-agent : hound\ndisalow : /x",
        "\t User-agent:hound\n \x0bdiasllow:/x \t", "User-agent: hound\ndisallaw: /x",
        "User-agent: hound\r\n\r\nDisallow: /x\r\n", "User-agent: hound\rDisallow: /x\r",
        "User-agent: hound\n\r\n\rDisallow: /x",
        "User-agent: hound\nsome words here\n: /\n:\n\n#\nDisallow: /x",
        "\ufeffUser-agent: hound\nDisallow: /x", "User-agent: ho\0und\0\nDis\0allow: /x\0",
        "User-agent: hound#x\nDisallow: /x#y",
    ],
)  # fmt: skip
def test_how_lines_may_be_written(lines: str) -> None:
    """Case, white space, line ends, comments, marks, NULs and known misspellings do not matter."""
    assert not allowed(lines, "/x")
    assert allowed(lines, "/y")


@pytest.mark.parametrize(
    "lines",
    [
        "foo: hound\nbar: /x", "user agent hound\nDisallow: /x",
        "User-agent: hound\nDisallow /x y", "User-agent: hound\nDisallow",
        "User-agent: hound\nDisallowed: /x", "User-agent: hound\n\ufeffDisallow: /x",
        "User-agent: hound\nDisallow\uff1a /x", "\x11\ufeffUser-agent: hound\nDisallow: /x",
        "Disallow: /x\nUser-agent: hound",
        "<!DOCTYPE html>\n<html>\n<a href='https://e.org/'>User-agent: *</a>\nDisallow: /\n</html>",
    ],
)  # fmt: skip
def test_what_is_no_rule(lines: str) -> None:
    """A line nobody can read, or outside of any group, is ignored (2.2.2, 2.3.1.5)."""
    assert allowed(lines, "/x")


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xef\xbb", b"\xef"])
def test_whole_and_half_byte_order_marks(mark: bytes) -> None:
    """A mark, or what is left of one, is no part of the first line; a wrong one spoils it."""
    lines = b"User-agent: hound\nDisallow: /x"

    assert not parse_robots(mark + lines).allows("hound", SITE + "/x")
    assert parse_robots(mark + b"\x11" + lines).allows("hound", SITE + "/x")


@pytest.mark.parametrize("charset", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16(charset: str) -> None:
    """Files in UTF-16 are read by their mark, and an odd last octet does no harm."""
    body = "\ufeffUser-agent: *\nDisallow: /é\nX: ".encode(charset) + b"\x00"

    assert not parse_robots(body).allows("hound", SITE + "/%C3%A9")


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("", "/"), ("https://e.org", "/"), ("https://e.org/", "/"), ("https://e.org/a", "/a"),
        ("https://e.org/a/b?c=http://d.e/", "/a/b?c=http://d.e/"), ("e.org", "/"),
        ("https://e.org/a?b=c&d=e#f/g", "/a?b=c&d=e"), ("e.org/", "/"), ("e.org/a/", "/a/"),
        ("e.org/a;b#c", "/a;b"), ("a", "/"), ("/a", "/a"), ("a/b", "/b"), ("e.org?a", "/?a"),
        ("//e.org/b/c", "/b/c"), ("https://e.org//b", "//b"), ("https://e.org#/a", "/"),
        ("https://[::1]:8080/a", "/a"), ("https://e.org:81?a", "/?a"), ("/\ud800", "/%ED%A0%80"),
    ],
)  # fmt: skip
def test_path_and_query_are_compared(url: str, path: str) -> None:
    """Scheme, host and fragment are no part of what rules match."""
    assert not parse_robots(one_group(f"Disallow: {path}$").encode()).allows("hound", url)


def test_long_lines_count_whole() -> None:
    """No line is cut, so that no rule matches more than its author wrote."""
    long = "/x/" + "a" * 20_000

    assert allowed(one_group("Disallow: " + long + "/b"), long + "/c")
    assert not allowed(one_group("Disallow: " + long + "/b"), long + "/b")


def test_only_the_beginning_is_read() -> None:
    """500 KiB are parsed (2.5), and a line that does not end there is dropped."""
    start = one_group("Disallow: /first", "#")
    filled = start.ljust(MAX_BYTES - len("\nDisallow: /a"), "#") + "\nDisallow: /a"

    assert len(filled) == MAX_BYTES
    assert not allowed(filled, "/a")
    assert allowed(filled + "bc\nDisallow: /last", "/a")
    assert allowed(filled + "bc\nDisallow: /last", "/last")
    assert not allowed(filled + "bc\nDisallow: /last", "/first")
    assert allowed("User-agent: *" + " " * MAX_BYTES + "\nDisallow: /", "/")


@pytest.mark.parametrize(
    ("rule", "matches"),
    [
        ("/" + "*" * 1000, True), ("/" + "a*" * 1000, True), ("/" + "*a" * 4000 + "b", False),
        ("/" + "a*" * 8000 + "$", True), ("/" + "*" * 400_000 + "b$", False),
        ("/*" + "a" * 4000 + "b" + "a" * 3000, False), ("%" * 400_000, False),
        ("é" * 200_000, False),
    ],
)  # fmt: skip
def test_hostile_patterns_end(rule: str, matches: bool) -> None:
    """Thousands of stars are matched without trying again; this test would never end otherwise."""
    assert allowed(one_group("Disallow: " + rule), "/" + "a" * 8000) is not matches


def test_many_agents_share_many_rules() -> None:
    """A group is kept once, however many agents it names."""
    signs = [chr(97 + i) for i in range(26)]
    names = [f"User-agent: {a}{b}{c}" for a in signs[:15] for b in signs for c in signs]
    robots = parse_robots("\n".join(names + [f"Disallow: /{i}" for i in range(15_000)]).encode())

    assert not robots.allows("aab", SITE + "/14999")
    assert robots.groups["aaa"][0] is robots.groups["ozz"][0]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([], None), (["Crawl-delay: 10"], 10.0), (["crawl-delay:0.5"], 0.5),
        (["Crawldelay: 2."], 2.0), (["crawl delay: .25 # gently"], 0.25),
        (["Crawl-delay: 0"], 0.0), (["Crawl-delay: 3", "Disallow: /", "Crawl-delay: 7"], 7.0),
        (["User-agent: *", "Crawl-delay: 9", "User-agent: x", "Disallow:"], 9.0),
        (["Crawl-delay: 3", "Disallow:", "User-agent: *", "Crawl-delay: 99"], 3.0),
        (["Disallow:", "User-agent: *", "Crawl-delay: 99"], None),
        (["Disallow:", "User-agent: hound", "Crawl-delay: 4"], 4.0),
        # only plain numbers of seconds
        *((["Crawl-delay: " + bad], None) for bad in "-1 x 1s 1,5 1e3 nan inf 0x1 1_0 ٣ .".split()),
        (["Crawl-delay: " + "9" * 400], None), (["Crawl-delay:"], None),
    ],
)  # fmt: skip
def test_crawl_delay(lines: list[str], expected: float | None) -> None:
    """The delay is the group's, like the rules; of several, the most counts."""
    assert parse_robots(one_group(*lines).encode()).crawl_delay("Hound") == expected


def test_sitemaps_anywhere_in_the_file() -> None:
    """Absolute addresses, as written, each once, not too many; they belong to no group."""
    lines = [
        "Sitemap: https://e.org/A?b=c", "User-agent: x", "site-map: HTTP://E.org/ü.xml # comment",
        "sitemaps:https://e.org/A?b=c", "sitemap: /relative.xml", "sitemap: http:oddly",
        "sitemap: ftp://e.org/x", "sitemap:", "sitemap: https://",
    ]  # fmt: skip
    robots = parse_robots("\n".join(lines).encode())
    many = "\n".join(f"Sitemap: https://e.org/{i}" for i in range(MAX_SITEMAPS + 5))

    assert robots.sitemaps == ("https://e.org/A?b=c", "HTTP://E.org/ü.xml")
    assert len(parse_robots(many.encode()).sitemaps) == MAX_SITEMAPS


@pytest.mark.parametrize(
    ("status", "error", "expected"),
    [
        (200, "", "parse"), (204, "", "parse"), (200, "cut off", "disallow"),
        (301, "", "allow"), (304, "", "allow"), (308, "", "allow"),
        (400, "", "allow"), (401, "", "allow"), (403, "", "allow"), (404, "", "allow"),
        (410, "", "allow"), (499, "", "allow"), (404, "cut off", "allow"), (429, "", "disallow"),
        (500, "", "disallow"), (503, "", "disallow"), (599, "", "disallow"), (600, "", "disallow"),
        (0, "no such host", "disallow"), (0, "", "disallow"), (101, "", "disallow"),
    ],
)  # fmt: skip
def test_what_an_answer_means(status: int, error: str, expected: Reading) -> None:
    """Unavailable allows, unreachable disallows (2.3.1); 429 is a plea for less, not for more."""
    assert reading_of(status, error) == expected


def like(pattern: str, path: str) -> bool:
    """Match by the table of a textbook, character by character: slow and plain."""
    pattern, end = (pattern[:-1], True) if pattern.endswith("$") else (pattern, False)
    here = {0}
    for sign in pattern:
        if sign == "*":
            here = set(range(min(here), len(path) + 1))
        else:
            here = {i + 1 for i in here if path[i : i + 1] == sign}
        if not here:
            return False
    return len(path) in here if end else True


PATTERN = st.text("ab*$/", max_size=8).map("/".__add__)
RULES = st.lists(st.builds("{}: {}".format, st.sampled_from(["Allow", "Disallow"]), PATTERN))
PATHS = st.text("ab/", max_size=10).map("/".__add__)


@settings(max_examples=500)
@given(PATTERN, PATHS)
def test_matching_by_pieces_is_matching_by_signs(pattern: str, path: str) -> None:
    """The fast matcher agrees with the textbook's."""
    assert allowed(one_group(f"Disallow: {pattern}"), path) is not like(pattern, path)


@given(RULES, PATHS)
def test_the_longest_match_decides(rules: list[str], path: str) -> None:
    """Octets decide and Allow wins ties."""
    plain = [rule for rule in rules if "$" not in rule[:-1]]  # inside, it counts as %24
    pairs = [rule.split(": ") for rule in plain]
    ranks = [(len(p), kind == "Allow") for kind, p in pairs if like(p, path)]

    assert allowed(one_group(*plain), path) is max(ranks, default=(0, True))[1]


@given(RULES, PATTERN, PATHS)
def test_one_more_allow_never_disallows(rules: list[str], more: str, path: str) -> None:
    """An Allow takes nothing away, a Disallow adds nothing."""
    before = allowed(one_group(*rules), path)

    assert allowed(one_group(*rules, f"Allow: {more}"), path) >= before
    assert allowed(one_group(*rules, f"Disallow: {more}"), path) <= before


@given(RULES, RULES, PATHS)
def test_groups_of_one_agent_are_one_group(one: list[str], two: list[str], path: str) -> None:
    """Merging says what writing them together says."""
    apart = [one_group("Disallow:", *one), "User-agent: x | Disallow: /", one_group(*two)]

    assert allowed(" | ".join(apart), path) is allowed(one_group(*one, *two), path)


WORDS = st.sampled_from([
    b"user-agent", b"allow", b"disallow", b"sitemap", b"crawl-delay", b":", b" ", b"\n", b"\r",
    b"*", b"$", b"/", b"%", b"%2a", b"#", b"\0", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"1",
    b"hound", b"http://",
])  # fmt: skip


@settings(max_examples=300)
@given(st.binary() | st.lists(WORDS, max_size=40).map(b"".join), st.text(), st.text())
def test_nothing_raises(body: bytes, agent: str, url: str) -> None:
    """Whatever comes is read, asked and answered."""
    robots = parse_robots(body)

    assert isinstance(robots, Robots)
    assert robots.allows(agent, url) in {True, False}
    assert robots.allows(agent, SITE + "/robots.txt")
    delay = robots.crawl_delay(agent)
    assert delay is None or 0 <= delay < float("inf")

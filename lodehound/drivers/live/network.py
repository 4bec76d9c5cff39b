"""What a config says of the network: headers, credentials, proxy and limits of requests."""

from __future__ import annotations

import base64
import re
from urllib.parse import quote, unquote, urlsplit

from lodehound.assembly.build import starts_of
from lodehound.assembly.trust import target_spec
from lodehound.config import CrawlConfig
from lodehound.core.errors import ConfigError
from lodehound.core.urls import origin_of
from lodehound.drivers.live.addresses import AddressGuard
from lodehound.drivers.live.fetch import Fetcher, Limits
from lodehound.registry import load_target
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.version import VERSION

PRODUCT = "lodehound"
SHORTEST_SECRET = 4  # characters; hiding shorter ones would spoil every text and hide nothing
# RFC 9110, 5
HEADER = re.compile(r"\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:([^\x00-\x08\x0a-\x1f\x7f]*)")
# Headers that are no credentials, whatever they hold; any other may be one.
HARMLESS = {"Accept", "Accept-Language", "Cache-Control", "Dnt", "From", "User-Agent"}


def check_network(config: CrawlConfig) -> None:
    """Refuse headers, a proxy or addresses that are not understood."""
    request_headers(config)
    if config.proxy and not _is_proxy(config.proxy):
        raise ConfigError("--proxy is not understood: write http://HOST:PORT.")  # no secrets shown
    AddressGuard.made_of(starts_of(config), config.allow_private)


def _is_proxy(text: str) -> bool:
    try:
        place = urlsplit(text)
        return place.scheme in {"http", "https"} and bool(place.hostname) and place.port != 0
    except ValueError:  # brackets that are not closed, a port that is none
        return False


def user_agent(config: CrawlConfig) -> str:
    """Return the User-Agent header: the program, and whom to write to."""
    if config.user_agent:
        return config.user_agent
    contact = f" (+{config.contact})" if config.contact else ""
    return f"{PRODUCT}/{VERSION}{contact}"


def request_headers(config: CrawlConfig) -> tuple[dict[str, str], dict[str, str]]:
    """Return the headers that everybody gets, and those that only the start hosts get."""
    accept = load_target(target_spec(config)).accept
    everywhere = {"User-Agent": user_agent(config), "Accept": accept}
    secret: dict[str, str] = {}
    for text in config.header:
        written = HEADER.fullmatch(text)
        if written is None:  # the message does not repeat it: it may hold a password
            raise ConfigError("A --header is not understood: write Name: value.")
        name, value = written[1].title(), written[2].strip()
        (everywhere if name in HARMLESS else secret)[name] = value
    if auth := _auth(config):
        secret["Authorization"] = auth
    return everywhere, secret


def secret_origins(starts: list[str]) -> set[str]:
    """Return where credentials may go: to the start URLs' own hosts, or the same behind TLS."""
    origins = {origin_of(url) for url in starts}
    plain = {origin for origin in origins if origin.startswith("http:") and origin.count(":") == 1}
    return origins | {origin.replace("http:", "https:", 1) for origin in plain}


def secrets_of(config: CrawlConfig) -> frozenset[str]:
    """Return what must not be repeated of credentials, in all forms in which it is sent."""
    pairs = [config.auth, unquote(urlsplit(config.proxy).netloc.rpartition("@")[0])]
    texts = {form for pair in pairs for form in (pair, pair.partition(":")[2], _encoded(pair))}
    for value in request_headers(config)[1].values():
        texts |= {value, *re.split(r"[\s;,=]+", value)}
    long = {text for text in texts if len(text) >= SHORTEST_SECRET}
    return frozenset(form for text in long for form in (text, quote(text), quote(text, safe="")))


def guard_of(config: CrawlConfig, directory: CrawlDir) -> AddressGuard:
    """Return which addresses a crawl may connect to; its directory keeps what that depends on."""
    return AddressGuard.made_of(
        starts_of(config),
        config.allow_private,
        first=directory.first_addresses(),
        keep=directory.keep_first_address,
    )


def make_fetcher(config: CrawlConfig, guard: AddressGuard) -> Fetcher:
    """Make what fetches within the limits of a config.

    Args:
        config: Its limits, and how to reach the network.
        guard: Which addresses may be connected to.
    """
    return Fetcher(
        limits=Limits(
            connect=config.connect_timeout,
            first_byte=config.read_timeout,
            total=config.total_timeout,
            slowest=config.min_speed,
            patience=min(20.0, config.read_timeout),
            body=config.max_file,
        ),
        guard=guard,
        insecure=config.insecure,
        proxy=config.proxy or None,
        secrets=secrets_of(config),
    )


def _auth(config: CrawlConfig) -> str:
    if not config.auth:
        return ""
    if ":" not in config.auth:
        raise ConfigError("--auth is not understood: write user:password.")
    return f"Basic {_encoded(config.auth)}"


def _encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode("ascii")

"""Checks the addresses of links and images: only http, https and mailto, with a plain host."""

import re

SCHEME = re.compile(r"[ \t\r\n]*([A-Za-z]{1,10}):")
FOLDS = re.compile(r"[\t\r\n]+")
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
AUTHORITY = re.compile(r"//([^/?#]+)")
HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\s@:\[\]\\<>\"'`%]+)(?::\d{0,5})?")
LONGEST = 16_000


def safe_link(address: str) -> str | None:
    """The address as an `href` may hold it, or None."""
    found = SCHEME.match(address)
    if found is None or len(address) > LONGEST:
        return None
    scheme = found[1].lower()
    rest = address[found.end() :]
    if not rest.isprintable():
        rest = FOLDS.sub("", rest)
    rest = rest.strip(" ").replace(" ", "%20")
    if not rest or CONTROL.search(rest):
        return None
    if scheme == "mailto":
        return f"mailto:{rest}"
    if scheme not in {"http", "https"} or not host_of(f"{scheme}:{rest}"):
        return None
    return f"{scheme}:{rest}"


def safe_image(address: str) -> str | None:
    """The address as `data-remote-src` may hold it, or None: a safe link without mailto."""
    link = safe_link(address)
    return link if link and not link.startswith("mailto:") else None


def host_of(link: str) -> str:
    """The lower-case host of a web address. Empty if there is none or it is disguised."""
    found = AUTHORITY.match(link.partition(":")[2])
    host = HOST.fullmatch(found[1]) if found else None
    return host[1].lower() if host else ""


def target_of(href: str) -> str:
    """The host or mail address of a link; empty if it cannot be followed."""
    link = safe_link(href)
    if not link:
        return ""
    return link[7:].partition("?")[0] if link.startswith("mailto:") else host_of(link)

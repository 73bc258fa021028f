"""Which addresses in a mail may be followed or shown: http, https and mailto, spelled plainly.

Refuses schemes with anything but letters, addresses without a host, user names before the host, and relative addresses.
"""

import re

SCHEME = re.compile(r"[ \t\r\n]*([A-Za-z]{1,10}):")
FOLDS = re.compile(r"[\t\r\n]+")
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
AUTHORITY = re.compile(r"//([^/?#]+)")
HOST = re.compile(r"(?:\[[0-9A-Fa-f:.]+\]|[^\s@:\[\]\\<>\"'`%]+)(?::\d{0,5})?")
LONGEST = 16_000


def safe_link(address: str) -> str | None:
    """The address as it may stand in an `href`, or None."""
    found = SCHEME.match(address)
    if found is None or len(address) > LONGEST:
        return None
    scheme = found[1].lower()
    rest = FOLDS.sub("", address[found.end() :]).strip(" ").replace(" ", "%20")
    if CONTROL.search(rest) or not rest:
        return None
    if scheme == "mailto":
        return f"mailto:{rest}"
    if scheme not in {"http", "https"} or not host_of(f"{scheme}:{rest}"):
        return None
    return f"{scheme}:{rest}"


def safe_image(address: str) -> str | None:
    """The address as it may stand in `data-remote-src`, or None: a safe link that is not mailto."""
    link = safe_link(address)
    return link if link and not link.startswith("mailto:") else None


def host_of(link: str) -> str:
    """The host of a web address as written, lower-case, or an empty string if there is none or it is dressed up."""
    found = AUTHORITY.match(link.partition(":")[2])
    if found is None or not HOST.fullmatch(found[1]):
        return ""
    return re.sub(r":\d*$", "", found[1]).lower()

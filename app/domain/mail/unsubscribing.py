"""Reads a message's options for leaving a mailing list (RFC 2369 and RFC 8058). Pure functions."""

import re
from urllib.parse import urlsplit

from app.domain.mail.message import first_header
from app.domain.record import Record

LONGEST = 2000
_ADDRESS = re.compile(r"<\s*([^<>\s]{1,2000})\s*>")
_VERIFIED = re.compile(r"\bdkim=pass\b", re.IGNORECASE)


class UnsubscribeOption(Record):
    """`url` is https or empty; `one_click`: one request to it is enough. `mailto` begins with mailto: or is empty."""

    url: str
    one_click: bool
    mailto: str

    @property
    def host(self) -> str:
        """The host of the request, without its port."""
        return urlsplit(self.url).hostname or ""


def way_out(headers: tuple[tuple[str, str], ...]) -> UnsubscribeOption | None:
    """The options a message offers, None if none is usable.

    One click counts only if Google verified the message (`dkim=pass`).
    """
    found = _ADDRESS.findall(first_header(headers, "List-Unsubscribe")[: LONGEST * 4])
    url = next((address for address in found if _is_https(address)), "")
    mailto = next((address for address in found if address.lower().startswith("mailto:") and "@" in address), "")
    asked = first_header(headers, "List-Unsubscribe-Post").strip().lower() == "list-unsubscribe=one-click"
    verified = _VERIFIED.search(first_header(headers, "Authentication-Results")) is not None
    return UnsubscribeOption(url, bool(url) and asked and verified, mailto) if url or mailto else None


def _is_https(address: str) -> bool:
    try:
        parts = urlsplit(address)
        return parts.scheme.lower() == "https" and bool(parts.hostname) and "@" not in parts.netloc and parts.port in (None, 443)
    except ValueError:
        return False

"""Remote pictures of a cleaned mail: which are pictures and which only tell the sender that it was read. Pure.

A tracking pixel is never loaded, whatever the reader allows. Refuses to fetch anything.
"""

import html as markup
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

TINY_PX = 3
"""A picture smaller than this in width or height shows nothing."""

MOST = 60
"""Pictures of one mail that may be loaded."""

REMOTE = "data-remote-src"
"""Where the cleaner keeps a remote picture's address, in small letters; most mail has none and is not looked through."""

_IMG = re.compile(r"<img((?:\s+[\w-]+(?:=\"[^\"]*\")?)*)\s*/?>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"([\w-]+)(?:=\"([^\"]*)\")?")
_STYLED = re.compile(r"(?:^|;)\s*(?:max-)?(width|height)\s*:\s*([\d.]+)px", re.IGNORECASE)
_UNSEEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\.0\d*)?(?![\d.])", re.IGNORECASE)
_REPORTS = re.compile(
    r"/wf/open|/track/open|/open\.(?:aspx|php|gif)|/e2t/o/|/e3t/|/trk\?|/pixel(?:\.|/|\?|$)|/beacon|/tracking?/|/o\.gif|/collect\?"
    r"|/imp\?|/read-receipt|/email_open|/emailopen|/mail_open|/open/|/ss/o/|/q/open|/clear\.gif|/spacer\.gif|/blank\.gif",
    re.IGNORECASE,
)
_REPORTERS = re.compile(
    r"(?:^|[.-])(?:emltrk|mailtrack|trk|track|tracking|tracker|open|opens|pixel|beacon|metrics|google-analytics|doubleclick)\.",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Picture:
    """One remote picture, `tracks` if it only reports."""

    address: str
    tracks: bool

    @property
    def host(self) -> str:
        """Where it would be asked for."""
        return urlsplit(self.address).hostname or ""


def pictures(html: str) -> tuple[Picture, ...]:
    """The remote pictures of a mail in order."""
    if REMOTE not in html:
        return ()
    found = (_picture(_attributes(tag[1])) for tag in _IMG.finditer(html))
    return tuple(one for one in found if one is not None)


def trackers(remote: Iterable[Picture]) -> tuple[str, ...]:
    """The hosts that wanted to know that the mail was opened, each once."""
    return tuple(dict.fromkeys(one.host for one in remote if one.tracks))


def placed(html: str, place: Callable[[str], str]) -> str:
    """The mail with its pictures at the addresses that `place` gives for the remote ones; tracking pixels are taken out."""
    room = MOST
    if REMOTE not in html:
        return html

    def put(tag: re.Match[str]) -> str:
        nonlocal room
        picture = _picture(_attributes(tag[1]))
        if picture is None:
            return tag[0]
        if picture.tracks:
            return ""
        room -= 1
        if room < 0:
            return tag[0]
        return re.sub(r'\sdata-remote-src="[^"]*"', f' src="{markup.escape(place(picture.address))}"', tag[0], count=1)

    return _IMG.sub(put, html)


def described(html: str) -> str:
    """The mail with the words of each picture that is not loaded in its place and size; those without words stay."""
    if REMOTE not in html:
        return html

    def put(tag: re.Match[str]) -> str:
        given = _attributes(tag[1])
        words = given.get("alt", "").strip()
        if not words or not given.get(REMOTE):
            return tag[0]
        sizes = [f"{name}:{size}" for name in ("width", "height") if (size := _length(given.get(name, "")))]
        style = ";".join(filter(None, ["display:inline-block", given.get("style", ""), *sizes]))
        return f'<span data-remote-src="" style="{markup.escape(style)}">{markup.escape(words)}</span>'

    return _IMG.sub(put, html)


def _attributes(text: str) -> dict[str, str]:
    return {name.lower(): markup.unescape(value or "") for name, value in _ATTRIBUTE.findall(text)}


def _picture(given: dict[str, str]) -> Picture | None:
    address = given.get(REMOTE, "")
    return Picture(address, _tracks(address, given)) if address else None


def _tracks(address: str, given: dict[str, str]) -> bool:
    """Whether the picture shows nothing to anybody, or its address is one that counts openings."""
    sizes = [*((name, given.get(name, "")) for name in ("width", "height")), *_STYLED.findall(given.get("style", ""))]
    tiny = any(_number(size) < TINY_PX for _, size in sizes)
    hidden = "hidden" in given or _UNSEEN.search(given.get("style", "")) is not None
    parts = urlsplit(address)
    path = f"{parts.path}?{parts.query}" if parts.query else parts.path
    return tiny or hidden or _REPORTS.search(path) is not None or _REPORTERS.search(parts.hostname or "") is not None


def _length(text: str) -> str:
    """A width or height attribute as CSS has it."""
    found = re.fullmatch(r"\s*(\d{1,4})(px|%)?\s*", text)
    return f"{found[1]}{found[2] or 'px'}" if found else ""


def _number(text: str) -> float:
    """A length in pixels; what is no plain number is large."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(?:px)?\s*", text)
    return float(found[1]) if found else float("inf")

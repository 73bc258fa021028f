"""Remote pictures of a mail. Finds them, tells tracking pixels apart, and asks whether to load them.

Tracking pixels are never loaded. Permissions by sender are kept in window.ini.
"""

import html as markup
import re
from collections.abc import Callable, Iterable, Sequence
from urllib.parse import urlsplit

from PySide6.QtCore import QSettings, QUrl
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout

from app.domain.record import Record
from app.ui.session.ini_file import kept_list
from app.ui.session.typed_text import PICTURES
from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.factory import RoleFrame, button, label, row
from app.ui.widgets.labels import IconLabel


def secured(address: str) -> QUrl | None:
    """The address as https. None for another scheme, a user name, no host, or http on another port than 80."""
    url = QUrl(address, QUrl.ParsingMode.StrictMode)
    if url.scheme() not in ("http", "https") or not url.host() or url.userInfo():
        return None
    if url.scheme() == "http":
        if url.port() not in (-1, 80):
            return None
        url.setScheme("https")
        url.setPort(-1)
    return url


TINY_PX = 3
"""A picture smaller than this in width or height counts as a tracking pixel."""

MOST = 60
"""Most pictures of one mail that are loaded."""

REMOTE = "data-remote-src"
"""Attribute, in lower case, in which the HTML cleaner keeps a remote picture's address. HTML without it is not parsed."""

_IMG = re.compile(r"<img((?:\s+[\w-]+(?:=\"[^\"]*\")?)*)\s*/?>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"([\w-]+)(?:=\"([^\"]*)\")?")
_LENGTH = re.compile(r"\s*(\d{1,4})(px|%)?\s*")
_PIXELS = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(?:px)?\s*")
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


class RemoteImage(Record):
    """A remote picture; `tracks` marks a tracking pixel."""

    address: str
    tracks: bool

    @property
    def host(self) -> str:
        return urlsplit(self.address).hostname or ""


def pictures(html: str) -> tuple[RemoteImage, ...]:
    if REMOTE not in html:
        return ()
    found = (_picture(_attributes(tag[1])) for tag in _IMG.finditer(html))
    return tuple(one for one in found if one is not None)


def trackers(remote: Iterable[RemoteImage]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.host for one in remote if one.tracks))


def placed(html: str, place: Callable[[int], str], addresses: list[str]) -> str:
    """The HTML with its remote pictures at new addresses from `place`. Their addresses are added to `addresses`, and `place` gets
    their number there. Tracking pixels are removed.
    """
    full = len(addresses) + MOST

    def put(tag: re.Match[str]) -> str:
        picture = _picture(_attributes(tag[1]))
        if picture is None or (len(addresses) >= full and not picture.tracks):
            return tag[0]
        if picture.tracks:
            return ""
        addresses.append(picture.address)
        return re.sub(r'\sdata-remote-src="[^"]*"', f' src="{place(len(addresses) - 1)}"', tag[0], count=1)

    return _IMG.sub(put, html) if REMOTE in html else html


def described(html: str) -> str:
    """The HTML with alternative texts instead of unloaded pictures. The texts have the pictures' sizes. Pictures without one
    stay.
    """

    def put(tag: re.Match[str]) -> str:
        given = _attributes(tag[1])
        words = given.get("alt", "").strip()
        if not words or not given.get(REMOTE):
            return tag[0]
        lengths = {name: _LENGTH.fullmatch(given.get(name, "")) for name in ("width", "height")}
        sizes = [f"{name}:{found[1]}{found[2] or 'px'}" for name, found in lengths.items() if found]
        style = ";".join(filter(None, ["display:inline-block", given.get("style", ""), *sizes]))
        return f'<span data-remote-src="" style="{markup.escape(style)}">{markup.escape(words)}</span>'

    return _IMG.sub(put, html) if REMOTE in html else html


def _attributes(text: str) -> dict[str, str]:
    return {name.lower(): markup.unescape(value or "") for name, value in _ATTRIBUTE.findall(text)}


def _picture(given: dict[str, str]) -> RemoteImage | None:
    """The picture of a tag. It tracks if it is tiny or invisible, or has a tracking address."""
    address, style = given.get(REMOTE, ""), given.get("style", "")
    if not address:
        return None
    sizes = (given.get("width", ""), given.get("height", ""), *(size for _name, size in _STYLED.findall(style)))
    tiny = any(float(found[1]) < TINY_PX for size in sizes if (found := _PIXELS.fullmatch(size)))
    parts = urlsplit(address)
    path = f"{parts.path}?{parts.query}" if parts.query else parts.path
    known = _UNSEEN.search(style) or _REPORTS.search(path) or _REPORTERS.search(parts.hostname or "")
    return RemoteImage(address, tiny or "hidden" in given or known is not None)


ICON = 14


class RemoteImageChoice:
    """Senders whose pictures are always loaded; addresses in lower case."""

    def __init__(self, state: QSettings) -> None:
        self._state = state

    def allowed(self, sender: str) -> bool:
        return sender.lower() in self.senders

    def allow(self, sender: str, allowed: bool) -> None:
        others = set(self.senders) - {sender.lower()}
        self._state.setValue(PICTURES, sorted(others | {sender.lower()} if allowed else others))

    @property
    def senders(self) -> list[str]:
        return sorted(set(kept_list(self._state, PICTURES)))


class RemoteImagesBar(RoleFrame):
    """Bar above a mail about its remote pictures. `once` loads them for this mail, `always` sets or removes the sender's
    permission.
    """

    def __init__(self, icons: Icons, once: Callable[[], object], always: Callable[[bool], object]) -> None:
        super().__init__("notice")
        self.words = label("", Type.CAPTION, "soft", wrap=True)
        self.load = button(self.tr("Load images"), "link", once)
        self.always = button(self.tr("Always show from this sender"), "link", lambda: always(True))
        self.stop = button(self.tr("Stop showing from this sender"), "link", lambda: always(False))
        links = row(None, 0, Space.MEDIUM, self.load, self.always, self.stop)
        links.addStretch()
        self._line = row(None, 0, Space.MEDIUM, (self.words, 1), links)
        icon = IconLabel(icons, "images_off", size=ICON)
        row(self, (Space.MEDIUM, Space.TIGHT), Space.MEDIUM, icon, (self._line, 1))
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def offer(self, images: int, trackers: Sequence[str], one_sender: bool = True) -> None:
        """Pictures are off. `trackers` are hosts of tracking pixels, which stay off. Only pictures of one sender can be allowed
        for good.
        """
        words = self.tr("Images are off: %n remote image(s) not loaded", "", images) if images else ""
        self.say(words, trackers, load=images > 0, always=images > 0 and one_sender)

    def loaded(self, trackers: Sequence[str], by_sender: bool, one_sender: bool = True) -> None:
        words = self.tr("Images from this sender are loaded") if by_sender else self.tr("Images are loaded this once")
        self.say(words, trackers, always=not by_sender and one_sender, stop=by_sender and one_sender)

    def say(
        self, words: str, trackers: Sequence[str] = (), *, load: bool = False, always: bool = False, stop: bool = False
    ) -> None:
        """Shows a text, the blocked trackers, and the buttons that are named."""
        blocked = self.tr("Trackers blocked: {hosts}").format(hosts=", ".join(trackers[:4])) if trackers else ""
        self.words.setText(". ".join(filter(None, (words, blocked))))
        for one, shown in ((self.load, load), (self.always, always), (self.stop, stop)):
            one.setVisible(shown)
        self._fit()
        self.show()

    def _fit(self) -> None:
        links = [one for one in (self.load, self.always, self.stop) if not one.isHidden()]
        beside = sum(one.sizeHint().width() + Space.MEDIUM for one in links)
        words = self.words.fontMetrics().horizontalAdvance(self.words.text())
        below = bool(links) and words + beside > self.width() - ICON - 4 * Space.MEDIUM
        if below is (self._line.direction() is QBoxLayout.Direction.TopToBottom):
            return
        self._line.setDirection(QBoxLayout.Direction.TopToBottom if below else QBoxLayout.Direction.LeftToRight)
        self._line.setSpacing(0 if below else Space.MEDIUM)

"""Remote pictures of a mail. Finds them, tells tracking pixels apart, and asks whether to load them.

Tracking pixels are never loaded. Permissions by sender are kept in window.ini.
"""

import html as markup
import re
from collections.abc import Callable, Iterable
from urllib.parse import urlsplit

from PySide6.QtCore import QSettings, QUrl
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout

from app.domain.record import Record
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


def placed(html: str, place: Callable[[str], str]) -> str:
    """The HTML with its remote pictures at new addresses from `place`. Tracking pixels are removed."""
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
    """The HTML with alternative texts instead of unloaded pictures. The texts have the pictures' sizes. Pictures without one
    stay.
    """
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


def _picture(given: dict[str, str]) -> RemoteImage | None:
    address = given.get(REMOTE, "")
    return RemoteImage(address, _tracks(address, given)) if address else None


def _tracks(address: str, given: dict[str, str]) -> bool:
    """Whether the picture is invisible or has a tracking address."""
    sizes = [*((name, given.get(name, "")) for name in ("width", "height")), *_STYLED.findall(given.get("style", ""))]
    tiny = any(_number(size) < TINY_PX for _, size in sizes)
    hidden = "hidden" in given or _UNSEEN.search(given.get("style", "")) is not None
    parts = urlsplit(address)
    path = f"{parts.path}?{parts.query}" if parts.query else parts.path
    return tiny or hidden or _REPORTS.search(path) is not None or _REPORTERS.search(parts.hostname or "") is not None


def _length(text: str) -> str:
    """A width or height attribute as CSS, empty if invalid."""
    found = re.fullmatch(r"\s*(\d{1,4})(px|%)?\s*", text)
    return f"{found[1]}{found[2] or 'px'}" if found else ""


def _number(text: str) -> float:
    """A length in pixels; infinite if it is no plain number."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(?:px)?\s*", text)
    return float(found[1]) if found else float("inf")


ICON = 14


class RemoteImageChoice:
    """Senders whose pictures are always loaded; addresses in lower case."""

    def __init__(self, state: QSettings) -> None:
        self._state = state

    def allowed(self, sender: str) -> bool:
        return sender.lower() in self.senders

    def allow(self, sender: str, allowed: bool) -> None:
        kept = set(self.senders) - {sender.lower()}
        self._state.setValue(PICTURES, sorted(kept | {sender.lower()} if allowed else kept))

    @property
    def senders(self) -> list[str]:
        """Allowed senders. QSettings returns a list of one as a plain string."""
        value = self._state.value(PICTURES)
        kept = value if isinstance(value, list) else [value] if value else []
        return sorted({str(one) for one in kept})


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

    def say(self, words: str) -> None:
        self._show(words, can_load=False, can_stop=False)

    def offer(self, images: int, trackers: tuple[str, ...], one_sender: bool = True) -> None:
        """Pictures are off. `trackers` are hosts of tracking pixels, which stay off. Only pictures of one sender can be allowed
        for good.
        """
        words = [self.tr("Images are off: %n remote image(s) not loaded", "", images)] if images else []
        self._show(". ".join([*words, *self._named(trackers)]), can_load=images > 0, can_stop=False)
        self.always.setVisible(images > 0 and one_sender)
        self._fit()

    def loaded(self, trackers: tuple[str, ...], by_sender: bool, one_sender: bool = True) -> None:
        words = self.tr("Images from this sender are loaded") if by_sender else self.tr("Images are loaded this once")
        self._show(". ".join([words, *self._named(trackers)]), can_load=False, can_stop=by_sender and one_sender)
        self.always.setVisible(not by_sender and one_sender)
        self._fit()

    def _named(self, trackers: tuple[str, ...]) -> list[str]:
        if not trackers:
            return []
        return [self.tr("Trackers blocked: {hosts}").format(hosts=", ".join(trackers[:4]))]

    def _show(self, words: str, can_load: bool, can_stop: bool) -> None:
        self.words.setText(words)
        self.load.setVisible(can_load)
        self.always.setVisible(can_load)
        self.stop.setVisible(can_stop)
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

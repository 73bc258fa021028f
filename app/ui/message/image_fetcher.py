"""Pictures that the reader asked for, fetched outside Chromium: over https, without cookies, names or places.

A host is looked up once, and what was looked at is what is asked: a name that means another place a moment later leads nowhere.
"""

from collections.abc import Callable

from PySide6.QtCore import QByteArray, QObject, QUrl
from PySide6.QtNetwork import QHostInfo, QNetworkAccessManager, QNetworkCookie, QNetworkCookieJar, QNetworkReply, QNetworkRequest
from shiboken6 import isValid

from app.domain.agents.egress import public_address

LARGEST_BYTES = 8_000_000
TIMEOUT_MS = 15_000
MOST_HOPS = 3
KINDS = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "image/avif", "image/x-icon"})
"""Drawings with a language of their own (SVG) are not among them."""

AGENT = b"Mozilla/5.0"
Found = Callable[[list[str]], None]
LookUp = Callable[[str, Found], None]
"""Finds a host's IP addresses and calls back with them, none where there are none."""

Done = Callable[[str, bytes], None]
"""Called with a content type and the bytes; both empty where there is no picture."""


class NoCookies(QNetworkCookieJar):
    """Takes none and gives none."""

    def cookiesForUrl(self, url: QUrl | str) -> list[QNetworkCookie]:
        """None."""
        return []

    def setCookiesFromUrl(self, cookieList: object, url: QUrl | str) -> bool:
        """Nothing is kept."""
        return False


class ImageFetcher(QObject):
    """Fetches one picture at a call. `reachable` says whether an IP address may be asked; `plain` and `look_up` are the program's
    own but in tests, whose servers are on this machine."""

    def __init__(
        self,
        parent: QObject,
        reachable: Callable[[str], bool] = public_address,
        plain: Callable[[str], QUrl | None] | None = None,
        look_up: LookUp | None = None,
    ) -> None:
        super().__init__(parent)
        self._reachable = reachable
        self._plain = plain or secured
        self._look_up = look_up or looked_up
        self._network = QNetworkAccessManager(self)
        self._network.setCookieJar(NoCookies(self._network))

    def fetch(self, address: str, done: Done, hops: int = MOST_HOPS) -> None:
        """Look the host up, then ask it, unless any of its addresses is private. Redirects are looked at in the same way."""
        url = self._plain(address)
        if url is None or hops < 0:
            done("", b"")
            return
        self._look_up(url.host(), lambda places: self._found(places, url, done, hops))

    def _found(self, places: list[str], url: QUrl, done: Done, hops: int) -> None:
        if not isValid(self):
            return  # the view went away meanwhile
        if not places or not all(map(self._reachable, places)):
            done("", b"")
            return
        request = asking(url, places[0])
        request.setRawHeader(QByteArray(b"User-Agent"), QByteArray(AGENT))
        request.setRawHeader(QByteArray(b"Accept"), QByteArray(b"image/*"))
        request.setTransferTimeout(TIMEOUT_MS)
        attribute = QNetworkRequest.Attribute
        request.setAttribute(attribute.RedirectPolicyAttribute, QNetworkRequest.RedirectPolicy.ManualRedirectPolicy)
        request.setAttribute(attribute.CookieLoadControlAttribute, QNetworkRequest.LoadControl.Manual)
        reply = self._network.get(request)
        reply.readyRead.connect(lambda: reply.abort() if reply.bytesAvailable() > LARGEST_BYTES else None)
        reply.finished.connect(lambda: self._finished(reply, url, done, hops))

    def _finished(self, reply: QNetworkReply, url: QUrl, done: Done, hops: int) -> None:
        onward = reply.attribute(QNetworkRequest.Attribute.RedirectionTargetAttribute)
        if isinstance(onward, QUrl) and not onward.isEmpty():
            reply.deleteLater()
            self.fetch(url.resolved(onward).toString(QUrl.ComponentFormattingOption.FullyEncoded), done, hops - 1)
            return
        kind = str(reply.header(QNetworkRequest.KnownHeaders.ContentTypeHeader) or "").partition(";")[0].strip().lower()
        fine = reply.error() is QNetworkReply.NetworkError.NoError and kind in KINDS
        data = bytes(reply.readAll().data()) if fine else b""
        data = data if len(data) <= LARGEST_BYTES else b""
        reply.deleteLater()
        done(kind if data else "", data)


def asking(url: QUrl, place: str) -> QNetworkRequest:
    """A request to an IP address in the name of the address's host: for TLS (name to ask for and to check) and for HTTP. Only
    HTTP/1.1 lets a request name its host."""
    host, port = url.host(QUrl.ComponentFormattingOption.FullyEncoded), url.port()
    target = QUrl(url)
    target.setHost(place)
    request = QNetworkRequest(target)
    request.setPeerVerifyName(host)
    named = f"[{host}]" if ":" in host else host
    request.setRawHeader(QByteArray(b"Host"), QByteArray((named if port == -1 else f"{named}:{port}").encode()))
    request.setAttribute(QNetworkRequest.Attribute.Http2AllowedAttribute, False)
    return request


def looked_up(host: str, found: Found) -> None:
    """By the system's resolver."""
    QHostInfo().lookupHost(host, lambda info: found([one.toString() for one in info.addresses()]))


def secured(address: str) -> QUrl | None:
    """The address over https; None for one with a user, a port of its own or no host."""
    url = QUrl(address, QUrl.ParsingMode.StrictMode)
    if url.scheme() not in ("http", "https") or not url.host() or url.userInfo():
        return None
    if url.scheme() == "http":
        if url.port() not in (-1, 80):
            return None
        url.setScheme("https")
        url.setPort(-1)
    return url

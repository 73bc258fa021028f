"""Fetches remote pictures of a mail, outside Chromium: https only, no cookies, no referrer, no private addresses.

A host is looked up once and the checked IP address is the one that is asked, so a changed DNS answer has no effect.
"""

from collections.abc import Callable

from PySide6.QtCore import QByteArray, QObject, QUrl
from PySide6.QtNetwork import QHostInfo, QNetworkAccessManager, QNetworkCookie, QNetworkCookieJar, QNetworkReply, QNetworkRequest
from shiboken6 import isValid

from app.ui.message.remote_images import secured

LARGEST_BYTES = 8_000_000
TIMEOUT_MS = 15_000
MOST_HOPS = 3
KINDS = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "image/avif", "image/x-icon"})
"""Accepted content types. SVG is not among them."""

AGENT = b"Mozilla/5.0"
Found = Callable[[list[str]], None]
LookUp = Callable[[str, Found], None]
"""Finds a host's IP addresses and calls back with them, or with an empty list."""

Done = Callable[[str, bytes], None]
"""Called with content type and bytes; both are empty if there is no picture."""


def public_address(place: str) -> bool:
    """Whether an IP address belongs to the open internet."""
    from app.domain.agents import egress  # loads the rules of drafts: only with the first picture

    return egress.public_address(place)


class NoCookies(QNetworkCookieJar):
    def cookiesForUrl(self, url: QUrl | str) -> list[QNetworkCookie]:
        return []

    def setCookiesFromUrl(self, cookieList: object, url: QUrl | str) -> bool:
        return False


class ImageFetcher(QObject):
    """Fetches pictures. `reachable` tells whether an IP address may be asked. Tests replace it, `plain` and `look_up`, since
    their servers are local.
    """

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
        """Fetches a picture, unless one of its host's addresses is private. Redirects are checked the same way, at most `hops` of
        them. Always calls `done`, unless this object is destroyed first.
        """
        url = self._plain(address)
        if url is None or hops < 0:
            done("", b"")
            return
        self._look_up(url.host(), lambda places: self._found(places, url, done, hops))

    def _found(self, places: list[str], url: QUrl, done: Done, hops: int) -> None:
        if not isValid(self):
            return  # the view was destroyed meanwhile
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
    """Request to an IP address under its host's name. The name is used for TLS and HTTP. HTTP/1.1 only, since HTTP/2 does not
    allow an explicit Host header.
    """
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
    QHostInfo().lookupHost(host, lambda info: found([one.toString() for one in info.addresses()]))

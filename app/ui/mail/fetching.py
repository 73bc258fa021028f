"""Pictures that the reader asked for, fetched outside Chromium: over https, without cookies, names or places.

Refuses addresses inside the reader's own network, answers that are no plain picture, and anything too large or too slow.
"""

from collections.abc import Callable

from PySide6.QtCore import QByteArray, QObject, QUrl
from PySide6.QtNetwork import QHostInfo, QNetworkAccessManager, QNetworkCookie, QNetworkCookieJar, QNetworkReply, QNetworkRequest
from shiboken6 import isValid

from app.domain.egress import public_address

LARGEST_BYTES = 8_000_000
TIMEOUT_MS = 15_000
MOST_HOPS = 3
KINDS = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "image/avif", "image/x-icon"})
"""Drawings with a language of their own (SVG) are not among them."""

AGENT = b"Mozilla/5.0"
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


class PictureFetcher(QObject):
    """Fetches one picture at a call. `reachable` says whether an IP address may be asked."""

    def __init__(
        self,
        parent: QObject,
        reachable: Callable[[str], bool] = public_address,
        plain: Callable[[str], QUrl | None] | None = None,
    ) -> None:
        super().__init__(parent)
        self._reachable = reachable
        self._plain = plain or secured
        self._network = QNetworkAccessManager(self)
        self._network.setCookieJar(NoCookies(self._network))

    def fetch(self, address: str, done: Done, hops: int = MOST_HOPS) -> None:
        """Look the host up, then ask it, unless it stands in a private network. Redirects are looked at in the same way."""
        url = self._plain(address)
        if url is None or hops < 0:
            done("", b"")
            return
        QHostInfo().lookupHost(url.host(), lambda found: self._found(found, url, done, hops))

    def _found(self, found: QHostInfo, url: QUrl, done: Done, hops: int) -> None:
        if not isValid(self):
            return  # the view went away meanwhile
        places = [one.toString() for one in found.addresses()]
        if not places or not all(map(self._reachable, places)):
            done("", b"")
            return
        request = QNetworkRequest(url)
        request.setRawHeader(QByteArray(b"User-Agent"), QByteArray(AGENT))
        request.setRawHeader(QByteArray(b"Accept"), QByteArray(b"image/*"))
        request.setTransferTimeout(TIMEOUT_MS)
        attribute = QNetworkRequest.Attribute
        request.setAttribute(attribute.RedirectPolicyAttribute, QNetworkRequest.RedirectPolicy.ManualRedirectPolicy)
        request.setAttribute(attribute.CookieLoadControlAttribute, QNetworkRequest.LoadControl.Manual)
        reply = self._network.get(request)
        reply.readyRead.connect(lambda: reply.abort() if reply.bytesAvailable() > LARGEST_BYTES else None)
        reply.finished.connect(lambda: self._finished(reply, done, hops))

    def _finished(self, reply: QNetworkReply, done: Done, hops: int) -> None:
        onward = reply.attribute(QNetworkRequest.Attribute.RedirectionTargetAttribute)
        if isinstance(onward, QUrl) and not onward.isEmpty():
            reply.deleteLater()
            self.fetch(reply.url().resolved(onward).toString(QUrl.ComponentFormattingOption.FullyEncoded), done, hops - 1)
            return
        kind = str(reply.header(QNetworkRequest.KnownHeaders.ContentTypeHeader) or "").partition(";")[0].strip().lower()
        fine = reply.error() is QNetworkReply.NetworkError.NoError and kind in KINDS
        data = bytes(reply.readAll().data()) if fine else b""
        data = data if len(data) <= LARGEST_BYTES else b""
        reply.deleteLater()
        done(kind if data else "", data)


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

"""HTML mail in Chromium with everything switched off. It has its own URL scheme, no scripts, no storage, and no requests except
for the mail itself.

Imported with the first HTML mail only (half a second, 245 MB). Chromium has no network at all, because it opens connections
(`preconnect`) that neither policy nor interceptor sees.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import cast
from urllib.parse import unquote

from PySide6.QtCore import QBuffer, QByteArray, QCoreApplication, QIODevice, QObject, QUrl, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QGuiApplication, QShowEvent
from PySide6.QtWebEngineCore import (
    QWebEnginePage,
    QWebEngineProfile,
    QWebEngineSettings,
    QWebEngineUrlRequestInfo,
    QWebEngineUrlRequestInterceptor,
    QWebEngineUrlRequestJob,
    QWebEngineUrlScheme,
    QWebEngineUrlSchemeHandler,
)
from PySide6.QtWebEngineWidgets import QWebEngineView
from shiboken6 import isValid

from app.ui.message.image_fetcher import ImageFetcher
from app.ui.message.rendering import CONTENT_ID, CONTENT_SECURITY_POLICY, UNFOLDED
from app.ui.widgets.containers import make_native
from app.ui.widgets.menus import PageMenu

SCHEME = b"mailmsg"
_ATTRIBUTE = QWebEngineSettings.WebAttribute
OFF = (
    _ATTRIBUTE.JavascriptEnabled,
    _ATTRIBUTE.JavascriptCanOpenWindows,
    _ATTRIBUTE.JavascriptCanAccessClipboard,
    _ATTRIBUTE.LocalStorageEnabled,
    _ATTRIBUTE.PluginsEnabled,
    _ATTRIBUTE.PdfViewerEnabled,
    _ATTRIBUTE.HyperlinkAuditingEnabled,
    _ATTRIBUTE.ErrorPageEnabled,
    _ATTRIBUTE.DnsPrefetchEnabled,
    _ATTRIBUTE.AutoLoadIconsForPage,
    _ATTRIBUTE.LocalContentCanAccessRemoteUrls,
    _ATTRIBUTE.LocalContentCanAccessFileUrls,
    _ATTRIBUTE.WebGLEnabled,
    _ATTRIBUTE.FullScreenSupportEnabled,
    _ATTRIBUTE.ScreenCaptureEnabled,
    _ATTRIBUTE.AllowRunningInsecureContent,
)
PICTURE = "picture/"
NO_NETWORK = '--host-resolver-rules="MAP * ~NOTFOUND"'
"""No host name or IP address resolves."""


def register_scheme() -> None:
    """Registers the URL scheme. Call it before the first profile is made; a second call does nothing."""
    if not QWebEngineUrlScheme.schemeByName(QByteArray(SCHEME)).name().isEmpty():
        return
    os.environ["QTWEBENGINE_CHROMIUM_FLAGS"] = f"{os.environ.get('QTWEBENGINE_CHROMIUM_FLAGS', '')} {NO_NETWORK}".strip()
    scheme = QWebEngineUrlScheme(QByteArray(SCHEME))
    # One host for all mails: Chromium makes a new view for each origin, and each new view repaints the whole window.
    scheme.setSyntax(QWebEngineUrlScheme.Syntax.Host)
    scheme.setFlags(QWebEngineUrlScheme.Flag.SecureScheme)
    QWebEngineUrlScheme.registerScheme(scheme)


PICTURE_KINDS = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"RIFF", "image/webp"),
)
"""Accepted formats of inline pictures, by their first bytes. SVG, which can hold scripts, is not among them."""


class MailSchemeHandler(QWebEngineUrlSchemeHandler):
    """Serves the current page and its pictures. Other addresses of the scheme fail. Emits `unfolded` when quoted text was
    unfolded.
    """

    unfolded = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.address = ""
        self.page = b""
        self.pictures: tuple[str, ...] = ()
        self.inline: dict[str, Path] = {}
        self.fetcher = ImageFetcher(self)

    def requestStarted(self, job: QWebEngineUrlRequestJob) -> None:
        asked = job.requestUrl().toString().partition("#")[0]
        number = asked.removeprefix(f"{self.address}{PICTURE}")
        if asked == self.address:
            # Qt expects a list per header and takes a string for a list of letters; its type stub is wrong.
            policy = {QByteArray(b"Content-Security-Policy"): [QByteArray(CONTENT_SECURITY_POLICY.encode())]}
            job.setAdditionalResponseHeaders(cast(dict[QByteArray, QByteArray], policy))
            _answer(job, "text/html; charset=utf-8", self.page)
        elif asked == f"{self.address}{UNFOLDED}":
            _answer(job, "", b"")
            self.unfolded.emit()
        elif number.isdecimal() and int(number) < len(self.pictures):
            self.fetcher.fetch(self.pictures[int(number)], lambda kind, data: _answer(job, kind, data))
        else:
            path, data = self.inline.get(unquote(asked.removeprefix(f"{self.address}{CONTENT_ID}"))), b""
            with suppress(OSError):
                data = path.read_bytes() if path is not None else b""
            _answer(job, next((kind for begins, kind in PICTURE_KINDS if data.startswith(begins)), ""), data)


def _answer(job: QWebEngineUrlRequestJob, kind: str, data: bytes) -> None:
    """Replies with data of a content type, unless Chromium has moved on to another mail. Without a type the request fails."""
    if not isValid(job):
        return
    if not (kind and data):
        job.fail(QWebEngineUrlRequestJob.Error.RequestFailed)
        return
    buffer = QBuffer(job)
    buffer.setData(QByteArray(data))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    job.reply(QByteArray(kind.encode()), buffer)


class RequestBlocker(QWebEngineUrlRequestInterceptor):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.refused = 0

    def interceptRequest(self, info: QWebEngineUrlRequestInfo) -> None:
        """Called for each request before it is sent. `data:` is allowed, since it stays local."""
        if info.requestUrl().scheme().encode() not in (SCHEME, b"data"):
            self.refused += 1
            info.block(True)


class HtmlPage(QWebEnginePage):
    """Blocks all navigation except to the mail itself. Emits `clicked` for a clicked link."""

    clicked = Signal(QUrl)

    def acceptNavigationRequest(self, url: QUrl | str, type: QWebEnginePage.NavigationType, isMainFrame: bool) -> bool:
        url = QUrl(url)
        if type is QWebEnginePage.NavigationType.NavigationTypeTyped and url.scheme().encode() == SCHEME:
            return True
        if type is QWebEnginePage.NavigationType.NavigationTypeLinkClicked and isMainFrame:
            self.clicked.emit(url)
        return False

    def javaScriptConsoleMessage(
        self, level: QWebEnginePage.JavaScriptConsoleMessageLevel, message: str, lineNumber: int, sourceID: str
    ) -> None:
        """Drops Chromium's messages, because they name addresses in the mail."""


class WebBody(QWebEngineView):
    """The web view with its own off-the-record profile. Emits `unfolded`."""

    unfolded = Signal()

    def __init__(self, link_clicked: Callable[[QUrl], None]) -> None:
        register_scheme()
        super().__init__()
        make_native(self)
        self._profile = QWebEngineProfile()
        self._server = MailSchemeHandler(self._profile)
        self._blocker = RequestBlocker(self._profile)
        self._profile.installUrlSchemeHandler(QByteArray(SCHEME), self._server)
        self._profile.setUrlRequestInterceptor(self._blocker)
        self._profile.setHttpCacheType(QWebEngineProfile.HttpCacheType.NoCache)
        self._profile.downloadRequested.connect(lambda download: download.cancel())
        page = HtmlPage(self._profile, self)
        self._profile.setParent(page)  # the profile must outlive its page
        for attribute in OFF:
            page.settings().setAttribute(attribute, False)
        page.clicked.connect(link_clicked)
        self._server.unfolded.connect(self.unfolded)
        self.setPage(page)
        self._link_clicked = link_clicked
        self._number = 0

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self.isWindow():
            self.lower()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        asked = self.lastContextMenuRequest()
        link, words = (asked.linkUrl(), asked.selectedText()) if asked is not None else (QUrl(), "")
        page, act, menu = self.page(), QWebEnginePage.WebAction, PageMenu(self)
        if not link.isEmpty():
            menu.addAction(QCoreApplication.translate("WebMenu", "Open link…"), lambda: self._link_clicked(link))
            address = link.toString(QUrl.ComponentFormattingOption.FullyEncoded)
            copy_link = QCoreApplication.translate("WebMenu", "Copy link address")
            menu.addAction(copy_link, lambda: QGuiApplication.clipboard().setText(address))
            menu.addSeparator()
        copy = menu.addAction(QCoreApplication.translate("WebMenu", "Copy"), lambda: page.triggerAction(act.Copy))
        copy.setEnabled(bool(words))
        menu.addAction(QCoreApplication.translate("WebMenu", "Select all"), lambda: page.triggerAction(act.SelectAll))
        menu.popup(event.globalPos())

    @property
    def refused(self) -> int:
        return self._blocker.refused

    def set_inline(self, files: dict[str, Path]) -> None:
        self._server.inline = files

    def _address(self, number: int) -> str:
        """Address of a page. Everything that belongs to it is below, so that no picture comes from another mail."""
        return f"{SCHEME.decode()}://mail/{number}/"

    def next_picture(self, number: int) -> str:
        return f"{self._address(self._number + 1)}{PICTURE}{number}"

    def find_next(self, text: str, backward: bool, told: Callable[[int, int], object]) -> None:
        """Marks a text and goes to its next or previous place. `told` gets the number of that place and of all."""
        flags = QWebEnginePage.FindFlag.FindBackward if backward else QWebEnginePage.FindFlag(0)
        self.page().findText(text, flags, lambda found: told(found.activeMatch(), found.numberOfMatches()))

    @property
    def scrolled_y(self) -> int:
        return round(self.page().scrollPosition().y())

    def show_page(self, page: str, ground: QColor, pictures: tuple[str, ...] = (), night: bool = False, place: str = "") -> None:
        """Loads an HTML document. `ground` is painted until it is there; `pictures` are the addresses of its remote pictures;
        with `night` Chromium darkens light backgrounds; `place` is the anchor it scrolls to.
        """
        self._number += 1
        self._server.address = self._address(self._number)
        self._server.page = page.encode("utf-8", "replace")
        self._server.pictures = pictures
        self.page().setBackgroundColor(ground)
        self.page().settings().setAttribute(QWebEngineSettings.WebAttribute.ForceDarkMode, night)
        self.go_to(place)

    def go_to(self, place: str) -> None:
        """Scrolls to an anchor, or loads the page."""
        self.load(QUrl(f"{self._server.address}#{place}" if place else self._server.address))

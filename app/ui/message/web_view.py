"""HTML mail in Chromium with everything switched off: own scheme, no script, no storage, no request but the mail itself.

Imported on the first HTML mail only (it costs half a second and 245 MB). Chromium has no network at all: it opens connections
(`preconnect`) that neither policy nor interceptor sees.

The menu of HTML mail: its words and its links.

Chromium steps back behind the window's own thread: drawing a mail's HTML must not hold up keys, lists and plain words.

Its renderer is a process, but what it draws is put together by threads of this one; beside a busy engine both took their half of
a core from the thread that answers the user. Chromium even raises some of them where it may. They stay ahead of the engine, for
the user waits for this mail. On an idle machine nothing changes.
"""

import os
import sys
from collections.abc import Callable
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
from PySide6.QtWidgets import QMenu
from shiboken6 import isValid

from app.ui.message.image_fetcher import ImageFetcher
from app.ui.message.rendering import CONTENT_ID, CONTENT_SECURITY_POLICY, PLACE, UNFOLDED
from app.ui.widgets.context_menu import PageMenu
from app.ui.widgets.native_window import give_own_window


def mail_menu(view: QWebEngineView, link: QUrl, words: str, follow: Callable[[QUrl], object]) -> QMenu:
    """For what was clicked: a `link` (empty for none) and the chosen `words`. A link is opened as a click would open it."""
    menu = PageMenu(view)
    page = view.page()
    if not link.isEmpty():
        menu.addAction(QCoreApplication.translate("WebMenu", "Open the link…"), lambda: follow(link))
        address = link.toString(QUrl.ComponentFormattingOption.FullyEncoded)
        copy_link = QCoreApplication.translate("WebMenu", "Copy the link's address")
        menu.addAction(copy_link, lambda: QGuiApplication.clipboard().setText(address))
        menu.addSeparator()
    copy = menu.addAction(
        QCoreApplication.translate("WebMenu", "Copy"), lambda: page.triggerAction(QWebEnginePage.WebAction.Copy)
    )
    copy.setEnabled(bool(words))
    menu.addAction(
        QCoreApplication.translate("WebMenu", "Select all"), lambda: page.triggerAction(QWebEnginePage.WebAction.SelectAll)
    )
    return menu


NICER = 5
"""A third of the weight of the window's thread, half as much again as the engine's."""
CHROMIUM = ("Chrome_", "Compositor", "NetworkService", "ThreadPool", "Viz", "llvmpipe")
"""How the threads are called that Chromium makes in this process; Linux keeps fifteen signs of it."""


def step_back(renderer: int) -> None:
    """Lower the priority of the process `renderer` and of Chromium's threads in this one, for good."""
    if sys.platform == "linux":
        drawing = [task for task in _tasks(os.getpid()) if _called(task).startswith(CHROMIUM)]
        for task in (*_tasks(renderer), *drawing):
            _lower(int(task.name))
    elif sys.platform != "win32":
        _lower(renderer)


def _tasks(pid: int) -> list[Path]:
    """The threads of a process; none when it is gone."""
    try:
        return list(Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return []


def _called(task: Path) -> str:
    try:
        return (task / "comm").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _lower(who: int) -> None:
    """A process, on Linux one thread; it may have ended meanwhile, or be out of reach."""
    if sys.platform != "win32":
        try:
            if os.getpriority(os.PRIO_PROCESS, who) < NICER:
                os.setpriority(os.PRIO_PROCESS, who, NICER)
        except OSError:
            return


SCHEME = b"mailmsg"
OFF = (
    QWebEngineSettings.WebAttribute.JavascriptEnabled,
    QWebEngineSettings.WebAttribute.JavascriptCanOpenWindows,
    QWebEngineSettings.WebAttribute.JavascriptCanAccessClipboard,
    QWebEngineSettings.WebAttribute.LocalStorageEnabled,
    QWebEngineSettings.WebAttribute.PluginsEnabled,
    QWebEngineSettings.WebAttribute.PdfViewerEnabled,
    QWebEngineSettings.WebAttribute.HyperlinkAuditingEnabled,
    QWebEngineSettings.WebAttribute.ErrorPageEnabled,
    QWebEngineSettings.WebAttribute.DnsPrefetchEnabled,
    QWebEngineSettings.WebAttribute.AutoLoadIconsForPage,
    QWebEngineSettings.WebAttribute.LocalContentCanAccessRemoteUrls,
    QWebEngineSettings.WebAttribute.LocalContentCanAccessFileUrls,
    QWebEngineSettings.WebAttribute.WebGLEnabled,
    QWebEngineSettings.WebAttribute.FullScreenSupportEnabled,
    QWebEngineSettings.WebAttribute.ScreenCaptureEnabled,
    QWebEngineSettings.WebAttribute.AllowRunningInsecureContent,
)


PICTURE = "picture/"
NO_NETWORK = '--host-resolver-rules="MAP * ~NOTFOUND"'
"""No name and no number leads anywhere."""


def register_scheme() -> None:
    """Before the first profile is made; again does nothing."""
    if not QWebEngineUrlScheme.schemeByName(QByteArray(SCHEME)).name().isEmpty():
        return
    os.environ["QTWEBENGINE_CHROMIUM_FLAGS"] = f"{os.environ.get('QTWEBENGINE_CHROMIUM_FLAGS', '')} {NO_NETWORK}".strip()
    scheme = QWebEngineUrlScheme(QByteArray(SCHEME))
    # One host for all mails: Chromium gives another origin another view, and each new view paints the whole window.
    scheme.setSyntax(QWebEngineUrlScheme.Syntax.Host)
    scheme.setFlags(QWebEngineUrlScheme.Flag.SecureScheme)
    QWebEngineUrlScheme.registerScheme(scheme)


PICTURE_KINDS = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"RIFF", "image/webp"),
)
"""What pictures of the mail itself may be, by their first bytes; drawings that can hold scripts are not among them."""


def _address(number: int) -> str:
    """Of a page; what belongs to it lies below, so that no picture is ever taken from another mail's."""
    return f"{SCHEME.decode()}://mail/{number}/"


class MailSchemeHandler(QWebEngineUrlSchemeHandler):
    """Serves the one page at hand and the pictures the reader asked for; anything else under the scheme is not found.
    `unfolded` when the page says that its quoted words are."""

    unfolded = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.address = ""
        self.page = b""
        self.pictures: tuple[str, ...] = ()
        self.inline: dict[str, Path] = {}
        self.fetcher = ImageFetcher(self)

    def requestStarted(self, job: QWebEngineUrlRequestJob) -> None:
        """Chromium asks for an address of ours."""
        asked = job.requestUrl().toString().partition("#")[0]
        if asked == f"{self.address}{UNFOLDED}":
            _answer(job, "", b"")
            self.unfolded.emit()
        elif asked != self.address:
            number = asked.removeprefix(f"{self.address}{PICTURE}")
            if number.isdecimal() and int(number) < len(self.pictures):
                self.fetcher.fetch(self.pictures[int(number)], lambda kind, data: _answer(job, kind, data))
            else:
                _answer(job, *_own_picture(self.inline.get(unquote(asked.removeprefix(f"{self.address}{CONTENT_ID}")))))
        else:
            self._give_page(job)

    def _give_page(self, job: QWebEngineUrlRequestJob) -> None:
        buffer = QBuffer(job)
        buffer.setData(QByteArray(self.page))
        buffer.open(QIODevice.OpenModeFlag.ReadOnly)
        # Qt takes a list a header and would read a bare string as one header a letter; its type stub says otherwise.
        policy = {QByteArray(b"Content-Security-Policy"): [QByteArray(CONTENT_SECURITY_POLICY.encode())]}
        job.setAdditionalResponseHeaders(cast(dict[QByteArray, QByteArray], policy))
        job.reply(QByteArray(b"text/html; charset=utf-8"), buffer)


def _own_picture(path: Path | None) -> tuple[str, bytes]:
    """A picture of the mail itself from disk, by what it really is; nothing for anything else."""
    try:
        data = path.read_bytes() if path is not None else b""
    except OSError:
        return "", b""
    kind = next((kind for begins, kind in PICTURE_KINDS if data.startswith(begins)), "")
    return (kind, data) if kind else ("", b"")


def _answer(job: QWebEngineUrlRequestJob, kind: str, data: bytes) -> None:
    """Give Chromium a picture, unless it has gone on to another mail."""
    if not isValid(job):
        return
    if not data:
        job.fail(QWebEngineUrlRequestJob.Error.RequestFailed)
        return
    buffer = QBuffer(job)
    buffer.setData(QByteArray(data))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    job.reply(QByteArray(kind.encode()), buffer)


class RequestBlocker(QWebEngineUrlRequestInterceptor):
    """Blocks and counts every request that is not for our scheme."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.refused = 0

    def interceptRequest(self, info: QWebEngineUrlRequestInfo) -> None:
        """Called for each request before it leaves; `data:` never leaves."""
        if info.requestUrl().scheme().encode() not in (SCHEME, b"data"):
            self.refused += 1
            info.block(True)


class HtmlPage(QWebEnginePage):
    """Blocks all navigation but to the mail itself."""

    clicked = Signal(QUrl)

    def acceptNavigationRequest(self, url: QUrl | str, type: QWebEnginePage.NavigationType, isMainFrame: bool) -> bool:
        """Our own load passes; a click is announced; the rest is dropped."""
        url = QUrl(url)
        if type is QWebEnginePage.NavigationType.NavigationTypeTyped and url.scheme().encode() == SCHEME:
            return True
        if type is QWebEnginePage.NavigationType.NavigationTypeLinkClicked and isMainFrame:
            self.clicked.emit(url)
        return False

    def javaScriptConsoleMessage(
        self, level: QWebEnginePage.JavaScriptConsoleMessageLevel, message: str, lineNumber: int, sourceID: str
    ) -> None:
        """What Chromium says about a mail names addresses in it; that goes nowhere, least of all into a log."""


class WebBody(QWebEngineView):
    """One view with its own off-the-record profile. `scrolled` also while a page is loaded; `unfolded` when quoted words are."""

    scrolled = Signal()
    unfolded = Signal()

    def __init__(self, link_clicked: Callable[[QUrl], None]) -> None:
        register_scheme()
        super().__init__()
        give_own_window(self)
        self._profile = QWebEngineProfile()
        self._server = MailSchemeHandler(self._profile)
        self._refuser = RequestBlocker(self._profile)
        self._profile.installUrlSchemeHandler(QByteArray(SCHEME), self._server)
        self._profile.setUrlRequestInterceptor(self._refuser)
        self._profile.setHttpCacheType(QWebEngineProfile.HttpCacheType.NoCache)
        self._profile.downloadRequested.connect(lambda download: download.cancel())
        page = HtmlPage(self._profile, self)
        self._profile.setParent(page)  # the profile must outlive its page by a little
        for attribute in OFF:
            page.settings().setAttribute(attribute, False)
        page.clicked.connect(link_clicked)
        page.scrollPositionChanged.connect(lambda _at: self.scrolled.emit())
        self._server.unfolded.connect(self.unfolded)
        self.setPage(page)
        self.loadFinished.connect(self._drawn)
        self._link_clicked = link_clicked
        self._number = self._stepped_back = 0

    def showEvent(self, event: QShowEvent) -> None:
        """A window of its own comes up above all others in the main one: below what lies over it with it."""
        super().showEvent(event)
        if not self.isWindow():
            self.lower()

    def _drawn(self) -> None:
        """Each renderer draws its first mail as quickly as it can."""
        if (renderer := self.page().renderProcessPid()) != self._stepped_back:
            self._stepped_back = renderer
            step_back(renderer)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Words and links, and nothing of a browser's."""
        asked = self.lastContextMenuRequest()
        link, words = (asked.linkUrl(), asked.selectedText()) if asked is not None else (QUrl(), "")
        mail_menu(self, link, words, self._link_clicked).popup(event.globalPos())

    @property
    def refused(self) -> int:
        """Requests refused since this view was made."""
        return self._refuser.refused

    def set_inline(self, files: dict[str, Path]) -> None:
        """Pictures of the next page that came with the mail, by content id."""
        self._server.inline = files

    def next_picture(self, number: int) -> str:
        """The address that picture `number` of the next page will have."""
        return f"{_address(self._number + 1)}{PICTURE}{number}"

    @property
    def scrolled_y(self) -> int:
        """Pixels that the page is scrolled down."""
        return round(self.page().scrollPosition().y())

    def show_page(
        self, page: str, ground: QColor, pictures: tuple[str, ...] = (), night: bool = False, placed: bool = False
    ) -> None:
        """Show a whole HTML document; `ground` is painted until it is there. `pictures` are the remote addresses of its
        pictures; at `night` Chromium turns light grounds dark. One that is `placed` is scrolled to its `PLACE`."""
        self._number += 1
        self._server.address = _address(self._number)
        self._server.page = page.encode("utf-8", "replace")
        self._server.pictures = pictures
        self.page().setBackgroundColor(ground)
        self.page().settings().setAttribute(QWebEngineSettings.WebAttribute.ForceDarkMode, night)
        self.load(QUrl(f"{self._server.address}#{PLACE}" if placed else self._server.address))

"""The body of a message. Plain text is shown at once, HTML in Chromium, which is loaded for the first HTML mail.

`BackgroundImport` imports slow modules in a thread: Python switches threads every few milliseconds, while an import on the
window's thread blocks it throughout.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QPushButton, QStackedWidget, QWidget

from app.domain.ids import MessageId
from app.domain.mail.message import Message
from app.domain.protocol.account_commands import PrepareHtml
from app.ui.context import Context
from app.ui.message.find_bar import FindBar, marked_html
from app.ui.message.plain_text import LongText, MailText, is_long
from app.ui.message.remote_images import RemoteImage, RemoteImageChoice, RemoteImagesBar, described, pictures, placed, trackers
from app.ui.message.rendering import fold_html, has_own_colours, newest_and_history, page, text_html
from app.ui.message.suspicion import LinkBar
from app.ui.theme.appearance import Appearance
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.factory import STRETCH, button, column, row

if TYPE_CHECKING:
    from app.ui.message.web_view import WebBody


class BackgroundImport:
    """Imports a module in a thread from the first `ready` on."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._thread: Thread | None = None

    def ready(self) -> bool:
        """Whether the module is imported. The first call starts the import and returns False."""
        if self._thread is None:
            self._thread = Thread(target=self._import, name="import")
            self._thread.start()
            return False
        return not self._thread.is_alive()

    def _import(self) -> None:
        with suppress(ImportError):
            import_module(self._module)


FIRST_WEB_MS = 30
"""Time to paint the text before Chromium is loaded, and interval for checking its import."""


BEGINNING = 10_000
"""Characters of an HTML mail's text shown until its HTML is ready."""


def web_refused() -> bool:
    """Whether Chromium would not start. It does not run as root, unless its sandbox is switched off by the environment."""
    root = sys.platform.startswith("linux") and os.geteuid() == 0
    return root and os.environ.get("QTWEBENGINE_DISABLE_SANDBOX") != "1"


class BodyView(QWidget):
    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._message: Message | None = None
        self._whole = False
        self._web: WebBody | None = None
        self._inline: dict[str, Path] = {}
        self._web_module = BackgroundImport("app.ui.message.web_view")
        self._first_web = QTimer(self, singleShot=True, interval=FIRST_WEB_MS)
        self._first_web.timeout.connect(self._make_web)
        self._load = QTimer(self, singleShot=True)
        self._load.timeout.connect(self._load_page)
        self._choice = RemoteImageChoice(context.state)
        self._pictures_once = False
        self._by_day = False
        self._unfolded = False
        self._loaded: MessageId | None = None
        self._bar = RemoteImagesBar(context.icons, self._load_pictures, self._always)
        self._text = MailText(context.appearance, self.tr("Mail text"))
        self._quoted: QPushButton = button(self.tr("Show quoted text"), "link", self._toggle_quoted)
        self._day: QPushButton = button(self.tr("Show original colours"), "link", self._toggle_day)
        self._below = QWidget()
        self._links = LinkBar(context.open_link)
        self._text.anchorClicked.connect(self._links.offer)
        self._long: LongText | None = None
        self._stack = QStackedWidget()
        self.finding = FindBar(context, lambda: self._stack.currentWidget() or self._text, self.take_focus)
        self._stack.addWidget(self._text)
        self._lay_out()
        context.appearance.changed.connect(self._show_again)

    def _lay_out(self) -> None:
        # a widget, because an empty layout keeps its margins
        row(self._below, (Space.LARGE, 0, Space.LARGE, Space.TIGHT), 0, self._quoted, STRETCH, self._day)
        above = row(None, (Space.LARGE, 0), 0, self._bar)
        column(self, 0, Space.TIGHT, above, self.finding, (self._stack, 1), self._below, self._links)

    @property
    def web(self) -> "WebBody | None":
        return self._web

    @property
    def text(self) -> str:
        if self._long is not None and self._stack.currentWidget() is self._long:
            return self._long.words
        return self._text.toPlainText()

    @property
    def notice(self) -> str:
        return self._bar.words.text() if not self._bar.isHidden() else ""

    def show_message(self, message: Message | None) -> None:
        if message is not None and self._message is not None and message.id == self._message.id and message == self._message:
            return
        if message is not None and message.html_waits and (self._message is None or message.id != self._message.id):
            self._context.link.send(PrepareHtml(message.id))  # the page shows it again once the engine has cleaned the HTML
        if message is None or self._message is None or message.id != self._message.id:
            self._pictures_once = self._by_day = self._whole = self._unfolded = False
            self._loaded = None
        self._message = message
        self._links.hide()
        self._show_again()

    def suspect(self, suspected: bool) -> None:
        """Sets whether the message is suspected, so that its links open only after a second click."""
        self._links.suspect(suspected)

    def find_words(self) -> None:
        """Opens the bar that finds in the message, whose quoted text is then shown too."""
        if self._message is not None and not self._whole and not self._message.body_html:
            self._whole = True
            self._show_again()
        self.finding.open()

    def mark(self, words: tuple[str, ...]) -> None:
        """Marks the words of a search in each message shown from now on."""
        if words != self.finding.words:
            self.finding.mark(words)
            self._show_again()

    def take_focus(self) -> None:
        (self._stack.currentWidget() or self._text).setFocus()

    def set_inline(self, files: Mapping[str, Path]) -> None:
        if self._inline != files:
            self._inline = dict(files)
            if self._web is not None and self._message is not None and self._message.body_html:
                self._show_again()

    def _show_again(self) -> None:
        message = self._message
        self._load.stop()
        if self._long is not None:
            self._long.show_words("")
        if message is None:
            self._show_tools()
            self._text.clear()
            self._stack.setCurrentWidget(self._text)
        elif message.body_html and not web_refused():
            self._show_html(message) if self._web is not None else self._show_html_soon(message)
        else:
            self._show_text(message)

    def _show_tools(self, bar: bool = False, quoted: bool = False, day: bool = False) -> None:
        """Shows or hides the parts around the text. Each is set only once, since that lays out the pane."""
        self._bar.setVisible(bar)
        self._quoted.setVisible(quoted)
        self._day.setVisible(day)
        self._below.setVisible(quoted or day)

    def _show_html_soon(self, message: Message) -> None:
        """Shows the text first: loading Chromium blocks for half a second."""
        self._show_tools()
        beginning = message.body_text[:BEGINNING]
        self._text.setHtml(text_html(newest_and_history(beginning)[0], self._context.appearance.theme))
        self._stack.setCurrentWidget(self._text)
        self._first_web.start()

    def _make_web(self) -> None:
        message = self._message
        if self._web is not None or message is None or not message.body_html:
            return
        if not self._web_module.ready():
            self._first_web.start()
            return
        from app.ui.message.web_view import WebBody

        self._web = WebBody(self._links.offer)
        self._web.setAccessibleName(self.tr("Mail text"))
        self._stack.addWidget(self._web)
        self._web.loadFinished.connect(self._web_loaded)
        self._web.unfolded.connect(self._web_unfolded)
        self._show_html(message)

    def _web_loaded(self, _fine: bool) -> None:
        if self._message is not None and self._message.body_html and self._web is not None:
            put_after(self._text, self._web)
            self._stack.setCurrentWidget(self._web)
            self.finding.again()

    def _web_unfolded(self) -> None:
        self._unfolded = True

    def _show_html(self, message: Message) -> None:
        """Updates the parts around the body. Chromium gets the page after they were painted."""
        remote = pictures(message.body_html)
        dark = self._context.appearance.theme.dark
        self._show_tools(bar=bool(remote), day=dark and has_own_colours(message.body_html))
        self._day.setText(self.tr("Show dark colours") if self._by_day else self.tr("Show original colours"))
        self._tell_of_pictures(message, remote)
        self._load.start()

    def _load_page(self) -> None:
        message = self._message
        if message is None or self._web is None:
            return
        looks: Appearance = self._context.appearance
        font = looks.fonts[Type.BODY]
        shown, addresses = self._with_pictures(message)
        shown = marked_html(shown, self.finding.words)
        folded = fold_html(shown, self.tr("Show quoted text"), self._unfolded)
        family = (font.families() or [font.family()])[0]
        own = has_own_colours(folded)
        night = looks.theme.dark and own and not self._by_day
        ground = QColor("#FFFFFF") if own and not looks.theme.dark else looks.colour("surface")
        first = self._web.url().isEmpty()
        self._web.set_inline(self._inline)
        y = self._web.scrolled_y if self._loaded == message.id else 0  # shown again with its pictures or in other colours
        self._loaded = message.id
        self._web.show_page(page(folded, looks.theme, family, font.pointSizeF(), y), ground, addresses, night, placed=y > 0)
        if not first:
            self._stack.setCurrentWidget(self._web)

    def _with_pictures(self, message: Message) -> tuple[str, tuple[str, ...]]:
        """The mail's HTML and the addresses of its remote pictures. No addresses unless the user allowed them."""
        addresses: list[str] = []
        if not self._wants_pictures(message) or self._web is None:
            return described(message.body_html), ()
        web = self._web

        def place(address: str) -> str:
            addresses.append(address)
            return web.next_picture(len(addresses) - 1)

        return described(placed(message.body_html, place)), tuple(addresses)

    def _wants_pictures(self, message: Message) -> bool:
        return self._pictures_once or self._choice.allowed(message.sender.email)

    def _tell_of_pictures(self, message: Message, remote: Sequence[RemoteImage]) -> None:
        if not remote:
            return
        watching = trackers(remote)
        if self._wants_pictures(message):
            self._bar.loaded(watching, self._choice.allowed(message.sender.email))
        else:
            self._bar.offer(sum(not one.tracks for one in remote), watching)

    def _load_pictures(self) -> None:
        self._pictures_once = True
        self._show_again()

    def _always(self, allowed: bool) -> None:
        if self._message is not None:
            self._choice.allow(self._message.sender.email, allowed)
            self._pictures_once = False
            self._show_again()

    def _toggle_day(self) -> None:
        self._by_day = not self._by_day
        self._show_again()

    def _show_text(self, message: Message) -> None:
        newest, quoted = newest_and_history(message.body_text)
        self._show_tools(bar=bool(message.body_html), quoted=bool(quoted))
        self._quoted.setText(self.tr("Hide quoted text") if self._whole else self.tr("Show quoted text"))
        shown = message.body_text if self._whole else newest
        again, at = self._loaded == message.id, self._plain_view.verticalScrollBar().value()
        self._loaded = message.id
        if is_long(shown):
            self._show_long(shown)
        else:
            self._text.setHtml(text_html(shown, self._context.appearance.theme))
            self._stack.setCurrentWidget(self._text)
        self._plain_view.verticalScrollBar().setValue(at if again else 0)
        if self.finding.words or not self.finding.isHidden():
            self.finding.again()
        if message.body_html:
            self._bar.say(self.tr("Shown as plain text: the HTML view does not run as the administrator"))

    @property
    def _plain_view(self) -> LongText | MailText:
        return self._long if self._long is not None and self._stack.currentWidget() is self._long else self._text

    def _show_long(self, words: str) -> None:
        """Shows text that would block the window as rich text."""
        if self._long is None:
            self._long = LongText(self._context.appearance, self._text.accessibleName())
            self._long.anchorClicked.connect(self._links.offer)
            self._stack.addWidget(self._long)
            put_after(self._text, self._long)
        self._long.show_words(words)
        self._stack.setCurrentWidget(self._long)

    def _toggle_quoted(self) -> None:
        self._whole = not self._whole
        self._show_again()


def put_after(before: QWidget, view: QWidget) -> None:
    """Puts a view made later behind `before` in the tab order. Its focus proxy follows it. They would come last otherwise. Qt
    reorders neither while one is the proxy of the other, so the proxy is removed meanwhile.
    """
    proxy, policy = view.focusProxy(), view.focusPolicy()
    if proxy is None:
        return
    view.setFocusProxy(cast(QWidget, None))  # Qt accepts None, its type stub does not
    view.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    QWidget.setTabOrder(before, view)
    QWidget.setTabOrder(view, proxy)
    view.setFocusPolicy(policy)
    view.setFocusProxy(proxy)

"""The body of a message. Plain text is shown at once, HTML in Chromium, which is loaded for the first HTML mail."""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QPushButton, QStackedWidget, QWidget

from app.domain.ids import MessageId, ThreadId
from app.domain.mail.message import Message
from app.domain.protocol.account_commands import PrepareHtml
from app.ui.context import Context
from app.ui.i18n.formatting import when_short
from app.ui.message.banners import LinkBar
from app.ui.message.find_bar import FindBar, marked_html
from app.ui.message.plain_text import LONG, ConversationText, LongText, MailText, beginning, file_names, is_long
from app.ui.message.remote_images import RemoteImageChoice, RemoteImagesBar, described, pictures, placed, trackers
from app.ui.message.rendering import (
    LARGEST_BODY,
    PLACE,
    Section,
    conversation_page,
    fold_html,
    has_own_colours,
    newest_and_history,
    page,
    text_html,
)
from app.ui.services.async_task import BackgroundImport, single_shot
from app.ui.theme.appearance import Appearance
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.factory import STRETCH, button, column, named, row

if TYPE_CHECKING:
    from app.ui.message.web_view import WebBody


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
        self._conversation: Sequence[Message] = ()
        self._warnings: Mapping[int, str] = {}
        self._whole = False
        self.web: WebBody | None = None
        self._inline: dict[str, Path] = {}
        self._web_module = BackgroundImport("app.ui.message.web_view")
        self._first_web = single_shot(self, self._make_web, FIRST_WEB_MS)
        self._load = single_shot(self, self._load_page)
        self._choice = RemoteImageChoice(context.state)
        self._pictures_once = False
        self._by_day = False
        self._unfolded = False
        self._loaded: MessageId | ThreadId | None = None
        self._bar = RemoteImagesBar(context.icons, self._load_pictures, self._always)
        self._text = MailText(context.appearance, self.tr("Message text"))
        self._quoted: QPushButton = button(self.tr("Show quoted text"), "link", self._toggle_quoted)
        self._day: QPushButton = button(self.tr("Show original colors"), "link", self._toggle_day)
        self._below = QWidget()
        self._links = LinkBar(context.open_link)
        self._long = LongText(context.appearance, self.tr("Message text"))
        self._long.setMinimumHeight(1)  # its own would be that of a text field, and count while it is hidden
        for view in (self._text, self._long):
            view.anchorClicked.connect(self._links.offer)
        self.conversation = ConversationText(context.appearance, context.clock)
        self.conversation.followed.connect(self._links.offer)
        self._stack = QStackedWidget()
        self.finding = FindBar(context, lambda: self._stack.currentWidget() or self._text, self.take_focus)
        for widget in (self._text, self._long, self.conversation):
            self._stack.addWidget(widget)
        context.appearance.changed.connect(self._show_again)
        # a widget, because an empty layout keeps its margins
        row(self._below, (Space.LARGE, 0, Space.LARGE, Space.TIGHT), 0, self._quoted, STRETCH, self._day)
        above = row(None, (Space.LARGE, 0), 0, self._bar)
        column(self, 0, Space.TIGHT, above, self.finding, (self._stack, 1), self._below, self._links)

    @property
    def in_web_view(self) -> bool:
        return self.web is not None and self._stack.currentWidget() is self.web

    @property
    def text(self) -> str:
        return self._long.words if self._stack.currentWidget() is self._long else self._text.toPlainText()

    @property
    def notice(self) -> str:
        return self._bar.words.text() if not self._bar.isHidden() else ""

    def show_message(self, message: Message | None) -> None:
        if message is not None and self._message is not None and content(message) == content(self._message):
            self._message = message
            return
        before, self._message = self._message, message
        self._prepare(message, () if before is None else (before,))
        other = message is None or before is None or message.id != before.id
        if self._conversation and message is not None:
            if other and self.web is not None and self.in_web_view:
                self.web.go_to(f"m{message.id}")
            elif other:
                self.conversation.go_to(message.id)
            return
        if other:
            self._pictures_once = self._by_day = self._whole = self._unfolded = False
            self._loaded = None
        self._links.hide()
        self._show_again()

    def show_conversation(self, messages: Sequence[Message], warnings: Mapping[int, str]) -> None:
        """Shows messages below each other at the present one. With none it is shown alone. `warnings` are of suspected messages,
        by id.
        """
        if list(map(content, messages)) == list(map(content, self._conversation)) and warnings == self._warnings:
            return
        for one in messages:
            self._prepare(one, self._conversation)
        self._conversation, self._warnings = messages, warnings
        self._pictures_once = self._by_day = False
        if not messages:
            self._loaded = None
            self.conversation.forget()
        self._links.hide()
        self._links.suspect(bool(warnings))
        self._show_again()

    def _prepare(self, message: Message | None, shown: Sequence[Message]) -> None:
        """Has the HTML of a message cleaned unless it is shown. The page shows it again once the engine has done so."""
        if message is not None and message.html_waits and message.id not in {one.id for one in shown}:
            self._context.link.send(PrepareHtml(message.id))

    @property
    def _shown(self) -> Sequence[Message]:
        return self._conversation or (() if self._message is None else (self._message,))

    @property
    def _remarks(self) -> Mapping[int, str]:
        """What is said at the head of messages, by id."""
        slow = {int(one.id): self._text_only for one in self._conversation if one.too_slow}
        return {**slow, **self._warnings}

    @property
    def _text_only(self) -> str:
        return self.tr("This message takes too long to show with its formatting, so you see only its text.")

    @property
    def _in_web(self) -> bool:
        return not web_refused() and any(one.body_html for one in self._shown)

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
            self.finding.words = words
            self._show_again()

    def take_focus(self) -> None:
        (self._stack.currentWidget() or self._text).setFocus()

    def set_inline(self, files: Mapping[str, Path]) -> None:
        if self._inline != files:
            self._inline = dict(files)
            if self.web is not None and self._in_web:
                self._show_again()

    def _show_again(self) -> None:
        message = self._message
        self._load.stop()
        self._long.show_words("")
        if message is None:
            self._show_tools()
            self._text.clear()
            self._stack.setCurrentWidget(self._text)
        elif self._in_web:
            if self.web is None or self.web.url().isEmpty():  # the text, until Chromium has its first page
                self._show_tools()
                if self._conversation:
                    self._show_conversation_text(message)
                else:
                    words = newest_and_history(message.body_text[:BEGINNING])[0]
                    self._text.setHtml(text_html(words, self._context.appearance.theme))
                    self._stack.setCurrentWidget(self._text)
            if self.web is None:
                self._first_web.start()
            else:
                self._show_html()
        elif self._conversation:
            self._show_tools()
            self._show_conversation_text(message)
        else:
            self._show_text(message)

    def _show_conversation_text(self, message: Message) -> None:
        self.conversation.show_messages(self._conversation, message.id, self._remarks)
        self._stack.setCurrentWidget(self.conversation)

    def _show_tools(self, bar: bool = False, quoted: bool = False, day: bool = False) -> None:
        """Shows or hides the parts around the text. Each is set only once, since that lays out the pane."""
        self._bar.setVisible(bar)
        self._quoted.setVisible(quoted)
        self._day.setVisible(day)
        self._below.setVisible(quoted or day)

    def _make_web(self) -> None:
        if self.web is not None or not self._in_web:
            return
        if not self._web_module.ready():
            self._first_web.start()
            return
        from app.ui.message.web_view import WebBody

        self.web = named(WebBody(self._links.offer), self.tr("Message text"))
        self._stack.addWidget(self.web)
        self.web.loadFinished.connect(self._web_loaded)
        self.web.unfolded.connect(self._web_unfolded)
        self._show_html()

    def _web_loaded(self, _fine: bool) -> None:
        if self._in_web and self.web is not None:
            put_after(self._text, self.web)
            self._stack.setCurrentWidget(self.web)
            self.finding.again()

    def _web_unfolded(self) -> None:
        self._unfolded = True

    def _show_html(self) -> None:
        """Updates the parts around the body. Chromium gets the page after they were painted."""
        remote = [(one, pictures(one.body_html)) for one in self._shown]
        dark = self._context.appearance.theme.dark
        own = dark and any(has_own_colours(one.body_html) for one in self._shown)
        self._show_tools(bar=any(images for _, images in remote), day=own)
        self._day.setText(self.tr("Show dark colors") if self._by_day else self.tr("Show original colors"))
        watching = trackers(image for _, images in remote for image in images)
        off = [image for one, images in remote if not self._wants_pictures(one) for image in images]
        senders = {one.sender.email.lower() for one, images in remote if images}
        if off:
            self._bar.offer(sum(not one.tracks for one in off), watching, one_sender=len(senders) == 1)
        elif senders:
            self._bar.loaded(watching, all(map(self._choice.allowed, senders)), one_sender=len(senders) == 1)
        self._load.start()

    def _load_page(self) -> None:
        message = self._message
        if message is None or self.web is None:
            return
        looks: Appearance = self._context.appearance
        font = looks.fonts[Type.BODY]
        family = (font.families() or [font.family()])[0]
        own = any(has_own_colours(one.body_html) for one in self._shown)
        night = looks.theme.dark and own and not self._by_day
        alone = not self._conversation
        ground = QColor("#FFFFFF") if own and alone and not looks.theme.dark else looks.colour("surface")
        first = self.web.url().isEmpty()
        self.web.set_inline(self._inline)
        addresses: list[str] = []
        key = message.id if alone else message.thread_id
        y = self.web.scrolled_y if self._loaded == key else 0  # shown again with its pictures or in other colours
        self._loaded = key
        place = PLACE if y else "" if alone else f"m{message.id}"
        size = font.pointSizeF()
        if alone:
            whole = page(self._html(message, addresses), looks.theme, family, size, y, f"{message.id}/")
        else:
            whole = conversation_page(self._sections(message, addresses), looks.theme, family, size, y)
        self.web.show_page(whole, ground, tuple(addresses), night, place)
        if not first:
            self._stack.setCurrentWidget(self.web)

    def _html(self, message: Message, addresses: list[str]) -> str:
        """The mail's HTML with its quoted text folded. The addresses of remote pictures that the user allowed are added to
        `addresses`.
        """
        body = message.body_html
        if self._wants_pictures(message) and self.web is not None:
            body = placed(body, self.web.next_picture, addresses)
        shown = marked_html(described(body), self.finding.words)
        return fold_html(shown, self.tr("Show quoted text"), self._unfolded and not self._conversation)

    def _sections(self, current: Message, addresses: list[str]) -> list[Section]:
        """The messages of the conversation for the page. The newest have room for their HTML, the others are closed and show
        their text.
        """
        sections: list[Section] = []
        room, now, theme = LARGEST_BODY, self._context.clock(), self._context.appearance.theme
        for one in reversed(self._conversation):
            own, history = newest_and_history(one.body_text)
            room -= len(one.body_html or one.body_text)
            if one.body_html and room >= 0:
                body = self._html(one, addresses)
            else:
                quoted = f"<blockquote>{text_html(history[:LONG], theme)}</blockquote>" if history else ""
                body = fold_html(text_html(own[:LONG], theme) + quoted, self.tr("Show quoted text"))
            who, when = one.sender.name or one.sender.email, when_short(one.date, now)
            head = (one.id, who, when, beginning(own), self._remarks.get(one.id, ""), file_names(one))
            sections.append(Section(*head, body, one.id == current.id, room < 0))
        return sections[::-1]

    def _wants_pictures(self, message: Message) -> bool:
        return self._pictures_once or self._choice.allowed(message.sender.email)

    def _load_pictures(self) -> None:
        self._pictures_once = True
        self._show_again()

    def _always(self, allowed: bool) -> None:
        for sender in {one.sender.email for one in self._shown if pictures(one.body_html)}:
            self._choice.allow(sender, allowed)
        self._pictures_once = False
        self._show_again()

    def _toggle_day(self) -> None:
        self._by_day = not self._by_day
        self._show_again()

    def _show_text(self, message: Message) -> None:
        newest, quoted = newest_and_history(message.body_text)
        self._show_tools(bar=bool(message.body_html or message.too_slow), quoted=bool(quoted))
        self._quoted.setText(self.tr("Hide quoted text") if self._whole else self.tr("Show quoted text"))
        shown = message.body_text if self._whole else newest
        long = is_long(shown)  # it would block the window as rich text
        view = self._long if long else self._text
        at = view.verticalScrollBar().value() if self._loaded == message.id else 0
        self._loaded = message.id
        if long:
            self._long.show_words(shown)
        else:
            self._text.setHtml(text_html(shown, self._context.appearance.theme))
        self._stack.setCurrentWidget(view)
        view.verticalScrollBar().setValue(at)
        if self.finding.words or not self.finding.isHidden():
            self.finding.again()
        if message.too_slow:
            self._bar.say(self._text_only)
        elif message.body_html:
            self._bar.say(self.tr("Shown as plain text because Replyroom is running as root"))

    def _toggle_quoted(self) -> None:
        self._whole = not self._whole
        self._show_again()


def content(message: Message) -> tuple[MessageId, str, str, bool, bool]:
    """What is shown of a message here; its labels are not."""
    return message.id, message.body_text, message.body_html, message.html_waits, message.too_slow


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

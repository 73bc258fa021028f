"""The panel beside an open message: questions about its conversation, with the request widgets of the Assistant page.

Requests asked here are those of the Assistant page, limited to the conversation. Another question follows up on the one on
screen. The keys of the page beneath stay those of mail, so the actions of a request have only buttons here.
"""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtWidgets import QWidget

from app.domain.agents.requests import MailScope, Request
from app.domain.ids import RequestId, ThreadId
from app.domain.mail.message import GMAIL
from app.domain.protocol.assistant_commands import AskAssistant, RequestChanged
from app.domain.protocol.events import CommandFailed, OutboxChanged, ReviewDecided, ReviewReady, SettingsChanged
from app.domain.wire import Event
from app.ui.actions import connect_actions
from app.ui.context import Context
from app.ui.message.thread_view import ReadingPane
from app.ui.pages.assistant.ask_bar import AskBar
from app.ui.pages.assistant.detail import RequestDetail
from app.ui.services.async_task import ThrottledCall
from app.ui.services.notices import ErrorNotice
from app.ui.theme.metrics import Space, at_text_size
from app.ui.theme.painting import visual_rect
from app.ui.widgets.factory import STRETCH, RoleFrame, button, column, put, row, tool_button

WIDTH = 360
WIDE = 1100
"""From this width of the pane on, in pixels at 100 %, the sender's card stands beside it too."""
LEAST = 720
"""In a narrower pane it stands over the whole message, which would have no room beside it."""
NEWEST = 100
"""Requests among which the ones about a conversation are looked for."""
REFRESH_MS = 150
CONCERNS = (RequestChanged, ReviewReady, ReviewDecided, OutboxChanged, SettingsChanged, CommandFailed)


class AboutMessage(RoleFrame):
    """Follows the message in `reading`. `covers(bool)` is called when it takes the place of the sender's card, or gives it back;
    `leave` moves the focus back to the page.
    """

    def __init__(
        self, context: Context, reading: ReadingPane, covers: Callable[[bool], object], leave: Callable[[], object]
    ) -> None:
        super().__init__("surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("About this message"))
        self._context, self._reading, self._covers, self._leave = context, reading, covers, leave
        self._session = context.requests
        self._thread: ThreadId | None = None
        self._typed: dict[ThreadId, str] = {}
        self._answered = RequestId("")
        self.bar = AskBar(context, self.tr("About this message"), self._ask, here=True)
        self.detail = RequestDetail(context)
        self.detail.changed.connect(self.refresh)
        self.detail.stand_in(self)
        self.ideas = QWidget()
        words = (
            self.tr("Summarize this conversation"),
            self.tr("What do I need to do, and by when?"),
            self.tr("What did I promise?"),
        )
        links = [button(one, "link", partial(self._take, one)) for one in words]
        put(column(self.ideas, Space.LARGE, Space.SMALL), *((one, Qt.AlignmentFlag.AlignLeading) for one in links), STRETCH)
        open_all = partial(context.navigator.show_page, "assistant")
        self.close_button = tool_button(context.icons.icon("close"), self.tr("Close"), self.go_back)
        put(self.bar.head, tool_button(context.icons.icon("assistant"), self.tr("All requests"), open_all), self.close_button)
        line = RoleFrame("rule")
        line.setFixedWidth(1)
        put(row(self, 0, 0), line, (put(column(None, 0, 0), self.bar, (self.detail, 1), (self.ideas, 1)), 1))
        connect_actions(self, context, self.detail.handlers, keys=False)
        self.bar.field.entered.connect(self._run)
        self._soon = ThrottledCall(self.refresh, REFRESH_MS, self)
        reading.showed.connect(self._follow)
        reading.installEventFilter(self)
        self.hide()

    def toggle(self) -> None:
        """Opens the panel, moves the focus into it, or closes it where the focus is in it."""
        held = self.window().focusWidget()
        if self.isVisible() and held is not None and self.isAncestorOf(held):
            self.go_back()
        elif self._reading.message is not None:
            self._place()
            self.show()
            self._follow()
            self.bar.field.setFocus()

    def go_back(self) -> bool:
        """Closes the panel. Returns whether it was open."""
        if self.isHidden():
            return False
        held = self.window().focusWidget()
        inside = held is not None and self.isAncestorOf(held)
        self.hide()
        self._covers(False)
        if inside:
            self._leave()
        return True

    def says(self, event: Event) -> bool:
        """Whether the panel shows this failed command beside its request."""
        return self.detail.says(event)

    def hear(self, event: Event) -> None:
        self.detail.hear(event)
        self.bar.hear(event)
        if isinstance(event, CONCERNS) and self.isVisible():
            self._soon.poke()

    def refresh(self) -> None:
        """Shows the newest request about the conversation."""
        message = self._reading.message
        if message is None or self.isHidden():
            return
        with ErrorNotice(self._context.notices):
            accounts = [one for one in self._context.reader.accounts() if one.id == message.account_id and one.kind == GMAIL]
            self.bar.show_accounts(accounts)
            if not accounts:
                self.bar.standing.say(self.tr("The assistant works with connected accounts, not with imported mail."), "info")
            request = self._newest(message.thread_id)
            self.detail.setVisible(request is not None)
            self.detail.open(request)
            self.bar.offer_follow_up(request)
            if request is not None and request.id != self._answered and any(step.answer for step in request.steps):
                self._answered = request.id
                self.bar.follow.setChecked(True)
            able = bool(accounts) and bool(self._context.settings().model.name)
            self.ideas.setVisible(request is None)
            self.ideas.setEnabled(able)
            for idea in self.ideas.findChildren(QWidget):
                idea.setVisible(able)

    def _newest(self, thread_id: ThreadId) -> Request | None:
        reader, asked = self._context.reader, self._session.asked
        asked.settle(reader.requests_of(asked.ids))
        ids = [*asked.ids, *(one for one in reader.request_ids(NEWEST) if not self._session.wishes.forgotten(one))]
        found = {**reader.requests_of(ids), **asked.requests(ids)}
        inside = {one.id for one in reader.thread_lines(thread_id)}
        return next((found[one] for one in ids if one in found and found[one].scope.conversation in inside), None)

    def _follow(self) -> None:
        """Turns to the conversation on screen. Words typed about another one wait with that one."""
        message = self._reading.message
        if self.isHidden():
            return
        if message is None:
            self.go_back()
            return
        if message.thread_id != self._thread:
            if self._thread is not None:
                self._typed[self._thread] = self.bar.field.toPlainText()
            self._thread = message.thread_id
            self._answered = RequestId("")
            self.bar.follow.setChecked(False)
            self.bar.field.setPlainText(self._typed.pop(message.thread_id, ""))
            self.bar.preset = MailScope(conversation=message.id)
            self.bar.limits.show_scope(self.bar.preset)
        self.refresh()

    def _ask(self, ask: AskAssistant) -> None:
        if not self.bar.offer.took(ask):
            self._session.send(ask, self._context.clock())
            self.refresh()

    def _take(self, words: str) -> None:
        self.bar.put(words)
        self.bar.submit()

    def _run(self) -> None:
        """Enter in the empty field runs the plan on screen."""
        if not self.bar.words and self._context.actions["assistant.run"].isEnabled():
            self.detail.run()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and not self.isHidden():
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        """Stands beside the message, or over it in a narrow pane."""
        pane, hidden, held = self._reading, self.isHidden(), self.window().focusWidget()
        beside = pane.width() >= at_text_size(LEAST)
        self._covers(pane.width() < at_text_size(WIDE))
        self.setFixedWidth(at_text_size(WIDTH) if beside else pane.width())
        if beside and self.parentWidget() in (None, pane):
            pane.beside.addWidget(self)
        elif not beside and self.parentWidget() is not pane:
            self.setParent(pane)
        if not beside:
            whole = pane.rect()
            part = QRect(whole.right() + 1 - self.width(), 0, self.width(), whole.height())
            self.setGeometry(visual_rect(whole, part))
            self.raise_()
        self.setVisible(not hidden)
        if not hidden and held is not None and self.isAncestorOf(held):
            held.setFocus()

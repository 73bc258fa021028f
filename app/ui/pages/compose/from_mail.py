"""Reply, reply to all, forward, and continuing a draft, from a message being read."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from app.domain.mail.letter import Letter
from app.domain.mail.message import Account, Message, SystemLabel
from app.domain.protocol.letter_commands import AdoptDraft
from app.ui.actions import connect_actions
from app.ui.context import Context
from app.ui.message.thread_view import ReadingPane
from app.ui.pages.compose.new_letter import answer, forward, new_id
from app.ui.services.notices import ErrorNotice, account_by_id
from app.ui.session.forget_account import ADOPTING
from app.ui.widgets.action_buttons import ActionButtonBar, KeyButton

ANSWERS = ("mail.reply", "mail.reply_all", "mail.forward")


class ReplyActions:
    """Actions for the message that `reading` returns."""

    def __init__(self, context: Context, reading: Callable[[], Message | None]) -> None:
        self._context = context
        self._reading = reading
        self._may_answer: Callable[[], bool] = lambda: True
        self._write_answer: Callable[[Letter], object] = context.navigator.show_letter
        self.ways: dict[str, Callable[[], object]] = {
            "mail.reply": lambda: self._answer(everybody=False),
            "mail.reply_all": lambda: self._answer(everybody=True),
            "mail.forward": lambda: self._write(forward),
            "mail.continue": self._continue,
        }
        """Handlers by action name."""

    def connect(self, page: QWidget, pane: ReadingPane, write: Callable[[Letter], object]) -> None:
        """Connects the actions of a page and puts their buttons below its pane. `write` opens an answer below the message."""
        connect_actions(page, self._context, self.ways)
        self._write_answer = write
        self._may_answer = pane.suspicion.may_answer
        pane.answers = self.bar()
        pane.put_below(pane.answers)
        pane.showed.connect(lambda: self.follow(pane.message))

    def bar(self) -> QWidget:
        buttons = [KeyButton(self._context.actions[name]) for name in ANSWERS]
        return ActionButtonBar([*buttons, KeyButton(self._context.actions["mail.continue"], "primary")], len(ANSWERS))

    def follow(self, message: Message | None) -> None:
        """Shows "continue" for a draft and the answers for other messages."""
        draft = message is not None and SystemLabel.DRAFT in message.labels
        self._context.actions["mail.continue"].setVisible(draft)
        for name in ANSWERS:
            self._context.actions[name].setVisible(not draft)
            self._context.actions[name].setEnabled(message is not None)

    def _answer(self, *, everybody: bool) -> None:
        if self._may_answer():
            self._write(lambda message, account: answer(message, account, everybody=everybody), self._write_answer)

    def _write(self, begin: Callable[[Message, Account], Letter], show: Callable[[Letter], object] | None = None) -> None:
        message = self._reading()
        if message is None or SystemLabel.DRAFT in message.labels:
            return
        account = account_by_id(self._context.reader, message.account_id)
        if account is not None:
            (show or self._context.navigator.show_letter)(begin(message, account))

    def _continue(self) -> None:
        message = self._reading()
        if message is not None and SystemLabel.DRAFT in message.labels:
            go_on(self._context, message)


def go_on(context: Context, draft: Message) -> None:
    """Opens the letter of a Gmail draft. A draft of another program is adopted as a letter first."""
    with ErrorNotice(context.notices):
        letter_id = context.reader.letter_of_draft(draft.id)
        stored = context.reader.letter(letter_id) if letter_id is not None else None
        if stored is not None:
            context.navigator.show_letter(stored.letter)
            return
        made = new_id()
        context.link.send(AdoptDraft(draft.id, made))
        context.state.setValue(ADOPTING, made)
        context.navigator.show_page("drafts")

"""The ways from a mail that is read to a letter: reply, reply to all, forward, go on with a draft; by keys and in a row below."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from app.domain.letter import Letter
from app.domain.mail import Account, Message, SystemLabel
from app.domain.writing import AdoptDraft
from app.ui.actions import connect_actions
from app.ui.button_bar import ButtonBar
from app.ui.compose.starting import answer, forward, new_id
from app.ui.context import Context
from app.ui.forgetting import ADOPTING
from app.ui.key_button import KeyButton
from app.ui.told import Told, account_by_id

ANSWERS = ("mail.reply", "mail.reply_all", "mail.forward")


class FromMail:
    """Answers the mail that `reading` gives."""

    def __init__(self, context: Context, reading: Callable[[], Message | None]) -> None:
        self._context = context
        self._reading = reading

    def connect(self, page: QWidget) -> None:
        """Give a page the keys."""
        handlers: dict[str, Callable[[], object]] = {
            "mail.reply": lambda: self._write(lambda message, account: answer(message, account, everybody=False)),
            "mail.reply_all": lambda: self._write(lambda message, account: answer(message, account, everybody=True)),
            "mail.forward": lambda: self._write(forward),
            "mail.continue": self._continue,
        }
        connect_actions(page, self._context, handlers)

    def bar(self) -> QWidget:
        """The row below a mail."""
        buttons = [KeyButton(self._context.actions[name]) for name in ANSWERS]
        return ButtonBar([*buttons, KeyButton(self._context.actions["mail.continue"], "primary")], len(ANSWERS))

    def follow(self, message: Message | None) -> None:
        """Another mail is read: a draft is gone on with, any other mail is answered."""
        draft = message is not None and SystemLabel.DRAFT in message.labels
        self._context.actions["mail.continue"].setVisible(draft)
        for name in ANSWERS:
            self._context.actions[name].setVisible(not draft)
            self._context.actions[name].setEnabled(message is not None)

    def _write(self, begin: Callable[[Message, Account], Letter]) -> None:
        message = self._reading()
        if message is None or SystemLabel.DRAFT in message.labels:
            return
        account = account_by_id(self._context.reader, message.account_id)
        if account is not None:
            self._context.navigator.show_letter(begin(message, account))

    def _continue(self) -> None:
        message = self._reading()
        if message is not None and SystemLabel.DRAFT in message.labels:
            go_on(self._context, message)


def go_on(context: Context, draft: Message) -> None:
    """Open the letter that a draft in Gmail stands for; another program's draft becomes one first."""
    with Told(context.notices):
        letter_id = context.reader.letter_of_draft(draft.id)
        stored = context.reader.letter(letter_id) if letter_id is not None else None
        if stored is not None:
            context.navigator.show_letter(stored.letter)
            return
        made = new_id()
        context.link.send(AdoptDraft(draft.id, made))
        context.state.setValue(ADOPTING, made)
        context.navigator.show_page("drafts")

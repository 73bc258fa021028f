"""Tool buttons of the letter editor, the link bar, the model's help with the text, and the choice of sender.

A new letter offers the addresses of all accounts; an answer only those of its account, because only that one has the
conversation.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QLineEdit, QToolButton, QWidget

from app.domain.errors import ExpectedError
from app.domain.ids import AccountId
from app.domain.language.short_answers import short_answers
from app.domain.mail.letter import Letter, LetterKind, StyleKind, filled
from app.domain.mail.message import Account
from app.domain.ports.window import EngineLink
from app.domain.protocol.letter_commands import HelpWriting, WritingWish, WrittenText
from app.domain.record import replace
from app.ui.editor.recipient_field import written
from app.ui.i18n.error_messages import sentence
from app.ui.i18n.translation import QT_TRANSLATE_NOOP
from app.ui.pages.compose.editor import LetterTextEditor
from app.ui.pages.compose.new_letter import new_id
from app.ui.services.async_task import EngineQuestion
from app.ui.theme.metrics import Space
from app.ui.widgets.action_buttons import AnswerRow
from app.ui.widgets.containers import FlowRow
from app.ui.widgets.factory import (
    STRETCH,
    QuestionBar,
    action_tool,
    button,
    column,
    label,
    named,
    put,
    row,
    say_or_hide,
    tool_button,
)
from app.ui.widgets.menus import PageMenu

ANSWERS = ("compose.answer_1", "compose.answer_2", "compose.answer_3")
STYLES = {
    "compose.bold": StyleKind.BOLD,
    "compose.italic": StyleKind.ITALIC,
    "compose.bullets": StyleKind.BULLET,
    "compose.numbers": StyleKind.NUMBERED,
}


class ShortAnswers(QWidget):
    """Short answers in the message's language, one key each, while nothing is written."""

    def __init__(self, actions: Mapping[str, QAction], editor: LetterTextEditor) -> None:
        super().__init__()
        self._editor, self._room = editor, True
        self.row = AnswerRow([actions[name] for name in ANSWERS], "chip", self._put)
        column(self, (Space.MEDIUM, Space.TIGHT, Space.MEDIUM, Space.SMALL), 0).addWidget(self.row)
        editor.textChanged.connect(self._show)
        self.hide()

    def offer(self, text: str) -> None:
        """Offers answers to this message; empty for none."""
        self.row.offer(short_answers(text) if text else ())
        self._show()

    def take(self, at: int) -> None:
        if self.row.offered and self._editor.document().isEmpty():
            self.row.take(at)

    def make_room(self, low: bool) -> None:
        """Hides them where it is `low`; their keys work all the same."""
        self._room = not low
        self._show()

    def _show(self) -> None:
        self.setVisible(self._room and bool(self.row.offered) and self._editor.document().isEmpty())

    def _put(self, words: str) -> None:
        self._editor.insertPlainText(words)
        self._editor.setFocus()


class StyleRow(QWidget):
    """Style buttons that show the styles at the cursor."""

    def __init__(self, actions: Mapping[str, QAction], editor: LetterTextEditor, help_write: Callable[[], object]) -> None:
        super().__init__()
        self._editor = editor
        helping = actions["compose.help"]
        self.help = tool_button(helping.icon(), f"{helping.text()} ({helping.shortcut().toString()})", help_write)
        self._tools: dict[StyleKind, QToolButton] = {}
        layout = row(self, 0, Space.HAIR)
        for name, kind in {**STYLES, "compose.link": StyleKind.LINK}.items():
            tool = action_tool(actions[name])
            tool.setCheckable(True)
            self._tools[kind] = tool
            layout.addWidget(tool)
        put(layout, self.help, STRETCH)
        editor.looks_changed.connect(self._follow)

    def _follow(self) -> None:
        for kind, tool in self._tools.items():
            tool.setChecked(self._editor.has(kind))


class LinkEditor(QuestionBar):
    """Bar to type a link's address. Emits `given` with it, empty to remove the link."""

    given = Signal(str)

    def __init__(self, closed: Callable[[], object]) -> None:
        super().__init__("notice")
        self.field = named(QLineEdit(), self.tr("Link address"))
        self.field.setPlaceholderText("https://")
        self.field.returnPressed.connect(self.submit)
        self._remove = button(self.tr("Remove link"), "link", lambda: self._finish(""))
        add, cancel = button(self.tr("Add"), "primary", self.submit), button(self.tr("Cancel"), "link", self.hide)
        cancel.clicked.connect(lambda _checked=False: closed())
        layout = row(self, (Space.MEDIUM, Space.SMALL, Space.SMALL, Space.SMALL))
        put(layout, label(self.tr("URL")), (self.field, 1), add, self._remove, cancel)
        self.hide()

    def ask(self, address: str) -> None:
        self.field.setText(address)
        self.field.selectAll()
        self._remove.setVisible(bool(address))
        self.show()
        self.field.setFocus()

    def submit(self) -> None:
        address = self.field.text().strip()
        if address and "@" in address and "/" not in address and not address.lower().startswith("mailto:"):
            address = f"mailto:{address}"
        elif address and not address.lower().startswith(("http://", "https://", "mailto:")):
            address = f"https://{address}"
        self._finish(address)

    def _finish(self, address: str) -> None:
        self.hide()
        self.given.emit(address)


LANGUAGES = (
    QT_TRANSLATE_NOOP("WritingHelp", "English"),
    QT_TRANSLATE_NOOP("WritingHelp", "Czech"),
    QT_TRANSLATE_NOOP("WritingHelp", "German"),
    QT_TRANSLATE_NOOP("WritingHelp", "French"),
    QT_TRANSLATE_NOOP("WritingHelp", "Spanish"),
    QT_TRANSLATE_NOOP("WritingHelp", "Italian"),
    QT_TRANSLATE_NOOP("WritingHelp", "Polish"),
)
_MARK = re.compile(r"\[\[([^\[\]]+)\]\]")


class WritingHelp(QuestionBar):
    """Bar that asks the model for a text or for a change of the text. Emits `written` with the new text and its slots.

    `wanted` makes the question for a wish.
    """

    written = Signal(str, object)

    def __init__(
        self, link: EngineLink, wanted: Callable[[WritingWish, str], HelpWriting | None], closed: Callable[[], object]
    ) -> None:
        super().__init__("notice", "accent")
        self._wanted, self._closed = wanted, closed
        self._query = EngineQuestion(link, self)
        self.field = named(QLineEdit(), self.tr("What should it say?"))
        self.field.setPlaceholderText(self.tr("What should it say? For example: thank her, propose Thursday"))
        self.field.returnPressed.connect(self.submit)
        self.write = button(self.tr("Write"), "primary", self.submit)
        self.shorter = button(self.tr("Shorter"), "", lambda: self._ask(WritingWish.SHORTER))
        self.friendlier = button(self.tr("Friendlier"), "", lambda: self._ask(WritingWish.FRIENDLIER))
        self.translate = button(self.tr("Translate…"), "", self._choose_language)
        self.cancel = button(self.tr("Cancel"), "link", self.close_bar)
        self.note = label("", wrap=True)
        self.note.hide()
        parts = (self.shorter, self.friendlier, self.translate, self.cancel)
        first = put(row(), (self.field, 1), self.write)
        put(column(self, Space.SMALL, Space.SMALL), first, FlowRow(parts, Space.SMALL, Space.SMALL), self.note)
        self.hide()

    def ask(self, has_text: bool) -> None:
        """Shows the bar. Without a text there is nothing to change."""
        for one in (self.shorter, self.friendlier, self.translate):
            one.setVisible(has_text)
        say_or_hide(self.note, "")
        self.show()
        self.field.setFocus()
        self.field.selectAll()

    def close_bar(self) -> None:
        self._query.cancel()
        self.hide()
        self._closed()

    def submit(self) -> None:
        self._ask(WritingWish.WRITE)

    def _choose_language(self) -> None:
        menu = PageMenu(self)
        for language in LANGUAGES:
            words = QCoreApplication.translate("WritingHelp", language)
            menu.addAction(words, partial(self._ask, WritingWish.TRANSLATE, language))
        menu.popup(self.translate.mapToGlobal(self.translate.rect().bottomLeft()))

    def _ask(self, wish: WritingWish, instruction: str = "") -> None:
        def answered(answer: WrittenText) -> None:
            body, slots = filled(_MARK.sub(r"{{\1}}", answer.body), {})
            self.hide()
            self.written.emit(body, slots)

        def failed(error: ExpectedError) -> None:
            say_or_hide(self.note, sentence(error.code, error.text), "danger")

        query = self._wanted(wish, instruction or self.field.text().strip())
        if query is not None:
            self._query.ask(query, answered, failed)
            say_or_hide(self.note, self.tr("Writing…"), "soft")


ACCOUNT = int(Qt.ItemDataRole.UserRole) + 1


def fill_senders(box: QComboBox, letter: Letter, account: Account, accounts: Sequence[Account]) -> None:
    """Lists the senders, those of the letter's account first, and selects the letter's."""
    others = [each for each in accounts if each.id != account.id] if letter.kind is LetterKind.NEW else []
    box.clear()
    for each in (account, *others):
        for email in dict.fromkeys((each.email, *each.send_as)):
            box.addItem(written((each.sender(email),)), email)
            box.setItemData(box.count() - 1, each.id, ACCOUNT)
    box.setCurrentIndex(max(0, box.findData(letter.sender or account.email)))


def account_of(box: QComboBox) -> AccountId:
    """Returns the account of the selected address, 0 if none is selected."""
    found = box.currentData(ACCOUNT)
    return AccountId(found if isinstance(found, int) else 0)


def from_other(letter: Letter, account: Account, sender: str, kept: bool) -> Letter:
    """Returns the letter with a new id for another account, because Gmail drafts belong to an account.

    A saved letter (`kept`) is listed in `instead_of` with those that it was to replace itself: the engine may not know of them
    yet. The new letter takes over their files.
    """
    before = (*letter.instead_of, letter.id) if kept else letter.instead_of
    usual = sender == account.email
    return replace(letter, id=new_id(), account_id=account.id, sender="" if usual else sender, instead_of=before)

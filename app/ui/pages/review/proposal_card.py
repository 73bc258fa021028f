"""The card of a review without a draft: explanation, an answer field for questions, and the arguments of a tool call."""

import json
from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from app.domain.drafting.review import Action, Review, ReviewKind, request_of
from app.ui.context import Context
from app.ui.i18n.formatting import kind_words, reason_words, tool_name
from app.ui.pages.review.review_texts import kind_explained, respond_words
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.containers import Flowing, Scrolled
from app.ui.widgets.factory import STRETCH, RoleFrame, button, clear, column, label, named, named_row, row, tab_through
from app.ui.widgets.labels import IconLabel

NAME_WIDTH = 120
ANSWER_LINES = 4


def plain(value: object) -> str:
    """Returns a JSON value as editable text: strings without quotes, lists separated by commas."""
    if isinstance(value, list):
        return ", ".join(plain(item) for item in value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def typed(text: str, like: object) -> object:
    """Converts text back to the type of `like`: string, list of strings, or JSON. Raises `ValueError`."""
    if isinstance(like, str):
        return text
    if isinstance(like, list) and all(isinstance(item, str) for item in like):
        return [item for piece in text.split(",") if (item := piece.strip())]
    return json.loads(text)


class ProposalCard(RoleFrame):
    """Shows a proposal. Emits `answered` with the answer and `edited` while the answer or arguments change."""

    answered = Signal(str)
    edited = Signal()
    by_rule = Signal()
    """A draft without the model is wanted."""

    def __init__(self, context: Context) -> None:
        super().__init__("card")
        self._icon = IconLabel(context.icons, size=20)
        self._title = label("", Type.STRONG)
        self._explained = label("", Type.BODY, "soft", wrap=True)
        self._detail = label("", Type.BODY, wrap=True)
        self._table = QWidget()
        self._rows = column(self._table, 0, Space.TIGHT)
        self._given: dict[str, object] = {}
        self.fields: dict[str, QLineEdit] = {}
        self.answer = QPlainTextEdit()
        self.answer.setTabChangesFocus(True)
        self.answer.setFixedHeight(self.answer.fontMetrics().lineSpacing() * ANSWER_LINES + 2 * Space.MEDIUM)
        self.send = button("", "", lambda: self.answered.emit(self.answer.toPlainText().strip()))
        self.answer.textChanged.connect(lambda: self.send.setEnabled(bool(self.answer.toPlainText().strip())))
        self.answer.textChanged.connect(self.edited)
        self.without_model = button(self.tr("Draft without the model"), "primary", self.by_rule.emit)
        self._reply, inside = QWidget(), Flowing()
        column(self._reply, 0, Space.SMALL, self.answer, row(None, 0, Space.SMALL, self.send, STRETCH))
        head = row(None, 0, Space.SMALL, self._icon, (self._title, 1))
        failed = row(None, 0, Space.SMALL, self.without_model, STRETCH)
        parts = (head, self._explained, self._detail, failed, self._reply, self._table, STRETCH)
        column(inside, Space.LARGE, Space.SMALL, *parts)
        column(self, 1, 0).addWidget(Scrolled(inside))

    def show_review(self, review: Review) -> None:
        proposal = review.proposal
        action, self._given = request_of(proposal.request_json)
        asks = proposal.kind is ReviewKind.QUESTION
        self._icon.show_icon(str(proposal.kind) if proposal.kind != "plan" else "activity")
        words = tool_name(action) if action and not asks else kind_words(proposal.kind)
        self._title.setText(f"{words[:1].upper()}{words[1:]}")
        self._explained.setText(kind_explained(proposal.kind))
        self._detail.setText(reason_words(proposal.detail))
        self._detail.setVisible(bool(proposal.detail))
        hint = respond_words(proposal.kind)[1]
        self.answer.clear()
        self.answer.setPlaceholderText(hint)
        self.answer.setAccessibleName(hint)
        self.send.setText(self.tr("Submit answer"))
        self.send.setEnabled(False)
        failed = proposal.kind is ReviewKind.NEEDS_REVIEW and bool(proposal.message_id) and bool(review.allowed)
        self.without_model.setVisible(failed)
        self._reply.setVisible(asks and Action.RESPOND in review.allowed)
        self._show_arguments({} if asks else self._given, editable=Action.EDIT in review.allowed)

    @property
    def typed(self) -> dict[str, str]:
        return {name: field.text() for name, field in self.fields.items() if field.text() != plain(self._given[name])}

    def put_back(self, answer: str, fields: Mapping[str, str]) -> None:
        if answer:
            self.answer.setPlainText(answer)
            self.answer.moveCursor(QTextCursor.MoveOperation.End)
        for name, text in fields.items():
            if name in self.fields:
                self.fields[name].setText(text)

    @property
    def arguments(self) -> str:
        """The edited arguments as JSON, empty if unchanged. Raises `ValueError` with the argument's name."""
        now = dict(self._given)
        for name, field in self.fields.items():
            if field.text() == plain(self._given[name]):
                continue
            try:
                now[name] = typed(field.text(), self._given[name])
            except ValueError as error:
                raise ValueError(name) from error
        return "" if now == self._given else json.dumps(now, ensure_ascii=False)

    def _show_arguments(self, arguments: dict[str, object], editable: bool) -> None:
        clear(self._rows)
        self.fields = {}
        for name, value in arguments.items():
            words = name.replace("_", " ").capitalize()
            if editable and "\n" not in plain(value):
                field = named(QLineEdit(plain(value)), words)
                field.setCursorPosition(0)
                field.textEdited.connect(lambda _text: self.edited.emit())
                self.fields[name] = field
            line = QWidget()
            column(line, 0, 0, named_row(words, NAME_WIDTH, self.fields.get(name) or label(plain(value), wrap=True)))
            self._rows.addWidget(line)
        tab_through(self.send, self.fields.values())
        self._table.setVisible(bool(arguments))

"""The draft card: recipients, subject, text and files of a draft, and a description of its marks for screen readers.

Removed files stay listed until the draft is decided, so that they can be restored even after a restart. Also the comparison with
the proposed draft.
"""

import difflib
import html
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain

from PySide6.QtCore import QCoreApplication, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QTextCharFormat
from PySide6.QtWidgets import QAbstractButton, QFrame, QLineEdit, QTextBrowser, QWidget

from app.domain.drafting.draft import Draft, Span, SpanKind
from app.domain.drafting.review import Review
from app.domain.error_texts import ErrorText
from app.domain.language.short_answers import TO_NEWS, ready_answers
from app.domain.language.words import language
from app.domain.mail.files import ArtifactHandle
from app.domain.mail.triage import Category
from app.domain.record import replace
from app.ui.context import Context
from app.ui.editor.recipient_field import NAME_WIDTH, CopyLines, RecipientContext, RecipientField
from app.ui.i18n.error_messages import translated
from app.ui.i18n.formatting import maker_words, size_words
from app.ui.i18n.translation import QT_TRANSLATE_NOOP
from app.ui.pages.assistant.answer import DocumentBar
from app.ui.pages.review.reply_editor import DraftEditor
from app.ui.theme.appearance import Appearance, Theme
from app.ui.theme.metrics import Space, Type, at_text_size
from app.ui.widgets.action_buttons import AnswerRow
from app.ui.widgets.factory import (
    STRETCH,
    RoleFrame,
    action_tool,
    button,
    clear,
    column,
    label,
    named,
    named_row,
    row,
    rule,
    tab_through,
    tool_button,
)
from app.ui.widgets.labels import ElidedLabel, ElidedLink, IconLabel
from app.ui.widgets.split_view import Stack

WIDEST_NAME = 340
"""In pixels."""


class DraftAttachments(QWidget):
    """List of attachments. Emits `changed` when one is removed or restored; `bar` offers to open or save the clicked one."""

    changed = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.bar = DocumentBar(context)
        self._inside = QWidget()
        self._lines = column(self._inside, 0, Space.TIGHT)
        column(self, 0, Space.TIGHT, self._inside, self.bar)
        self._shown: tuple[ArtifactHandle, ...] = ()
        self._removed: frozenset[str] = frozenset()
        self._read_only = False
        self.buttons: dict[str, QAbstractButton] = {}
        """The last button of each line, by file id."""
        self.hide()

    @property
    def attached(self) -> tuple[ArtifactHandle, ...]:
        return tuple(file for file in self._shown if file.id not in self._removed)

    @property
    def taken_off(self) -> tuple[str, ...]:
        return tuple(file.name for file in self._shown if file.id in self._removed)

    def show_files(self, attached: Iterable[ArtifactHandle], proposed: Iterable[ArtifactHandle]) -> None:
        """Shows the files; proposed ones that are not attached count as removed. Hidden without files."""
        files = tuple(attached)
        self._shown = tuple({file.id: file for file in (*proposed, *files)}.values())
        self._removed = frozenset(file.id for file in self._shown) - {file.id for file in files}
        self.bar.hide()
        self._fill()

    def set_read_only(self, read_only: bool) -> None:
        if read_only is not self._read_only:
            self._read_only = read_only
            self._fill()

    def toggle(self, file: ArtifactHandle) -> None:
        """Removes or restores a file."""
        had_focus = any(widget.hasFocus() for widget in self._inside.findChildren(QWidget))
        self._removed ^= {file.id}
        self.bar.hide()
        self._fill()
        self.changed.emit()
        if had_focus:
            last = self.buttons[file.id]
            QTimer.singleShot(0, last, last.setFocus)  # the button is visible only after the next layout

    def _fill(self) -> None:
        clear(self._lines)
        self.buttons = {}
        shown = self._shown if not self._read_only else self.attached
        for file in shown:
            self._lines.addWidget(self._line(file))
        tab_through(self, (*self._inside.findChildren(QAbstractButton), *self.bar.findChildren(QAbstractButton)))
        self.setVisible(bool(shown))

    def _line(self, file: ArtifactHandle) -> QFrame:
        off = file.id in self._removed
        made = QFrame()
        made.setProperty("role", "notice")
        inside = row(made, (Space.SMALL, Space.HAIR), Space.SMALL, IconLabel(self._context.icons, "attachment", "text_soft", 14))
        if off:
            inside.addWidget(ElidedLabel(file.name, tone="soft"))
            inside.addWidget(ElidedLabel(self.tr("not attached"), Type.CAPTION, "soft"), 1)
        else:
            look = ElidedLink(file.name, Qt.TextElideMode.ElideMiddle)  # so that the extension stays visible
            look.setMaximumWidth(at_text_size(WIDEST_NAME))
            look.clicked.connect(partial(self.bar.offer, file))
            inside.addWidget(self._named(look, self.tr("Open or save %1"), file))
            inside.addWidget(label(size_words(file.size), Type.CAPTION, "soft"), 1)
        if not self._read_only and off:
            restore = button(self.tr("Restore"), "link", partial(self.toggle, file))
            inside.addWidget(self._named(restore, self.tr("Restore %1"), file))
        elif not self._read_only:
            words = self.tr("Remove %1").replace("%1", file.name)
            remove = tool_button(self._context.icons.icon("close"), words, partial(self.toggle, file))
            inside.addWidget(self._named(remove, words, file))
        return made

    def _named(self, made: QAbstractButton, spoken: str, file: ArtifactHandle) -> QAbstractButton:
        made.setAccessibleName(spoken.replace("%1", file.name))
        self.buttons[file.id] = made
        return made


SPOKEN = {
    SpanKind.OPEN_SLOT: QT_TRANSLATE_NOOP("Review", "Fill in: %1."),
    SpanKind.UNSUPPORTED: QT_TRANSLATE_NOOP("Review", "Not found in your mail: “%1”."),
    SpanKind.FROM_SOURCE: QT_TRANSLATE_NOOP("Review", "From your mail: “%1”."),
}
"""What a screen reader says of a mark, the first first."""


def marks_spoken(body: str, spans: Sequence[Span]) -> str:
    """Returns one sentence per mark. Open slots come first, then unsupported text, then text from sources."""
    said = []
    for span in sorted(spans, key=lambda span: (list(SPOKEN).index(span.kind), span.start)):
        words = span.note if span.kind is SpanKind.OPEN_SLOT else " ".join(body[span.start : span.end].split())
        said.append(QCoreApplication.translate("Review", SPOKEN[span.kind]).replace("%1", words))
    return " ".join(said)


ANSWERS = ("review.answer_1", "review.answer_2")
FORM = "template"
"""Maker of a draft in which only the owner can say what matters."""


def _ready(asked: Sequence[str], draft: Draft, category: str) -> tuple[str, ...]:
    """Answers to one question, or thanks for news that ask nothing. No complaint is thanked for."""
    spoken = language(draft.body)
    if asked:
        return ready_answers(asked[0], spoken) if len(asked) == 1 else ()
    return TO_NEWS.get(spoken, ())[: len(ANSWERS)] if category != Category.COMPLAINT else ()


def only_questions(body: str) -> bool:
    """Whether nothing stands between greeting and closing but quoted questions."""
    middle = body.strip().split("\n\n")[1:-1]
    return all(part.lstrip().startswith(">") for part in middle if part.strip())


class AskedList(QWidget):
    """What a mail asks, in place of a form that nobody has filled in. Its buttons start the reply, or answer yes or no."""

    def __init__(self, actions: Mapping[str, QAction], write: Callable[[], None], answer: Callable[[str], None]) -> None:
        super().__init__()
        self.title = label("", Type.STRONG, wrap=True)
        self._lines = QWidget()
        self._questions = column(self._lines, 0, Space.SMALL)
        self.write = button("", "primary", write)
        self.write.setToolTip(self.tr("Starts a reply with a greeting, these questions and a closing"))
        self.answers = AnswerRow([actions[name] for name in ANSWERS], "", answer)
        buttons = row(None, 0, 0, self.write, STRETCH)
        column(self, Space.LARGE, Space.MEDIUM, self.title, self._lines, self.answers, buttons, STRETCH)

    def show_questions(self, questions: Sequence[str], answers: Sequence[str]) -> None:
        """Shows what is asked. `answers` are ready sentences, each with the key of its number."""
        clear(self._questions)
        self.answers.offer(answers)
        self.answers.setVisible(bool(answers))
        for one in questions:
            self._questions.addWidget(label(f"•  {one}", wrap=True))
        asks = self.tr("%n question(s) that only you can answer:", "", len(questions))
        self.title.setText(asks if questions else self.tr("It needs a reply, but no question was found."))
        several = self.tr("Answer these") if len(questions) > 1 else self.tr("Answer this")
        self.write.setText(several if questions else self.tr("Write"))


class DraftCard(RoleFrame):
    """Edits a draft. Emits `edited` on changes and `left` when Escape is pressed in the text."""

    edited = Signal()
    left = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__("card")
        self._draft: Draft | None = None
        self._icon = IconLabel(context.icons, "model", size=14)
        self.maker = ElidedLabel("", Type.CAPTION, "soft")
        self._facts = label("", Type.CAPTION, "soft")
        self.to = RecipientField(self.tr("To"))
        self.cc = RecipientField(self.tr("Cc"))
        self.bcc = RecipientField(self.tr("Bcc"))
        self.later = action_tool(context.actions["review.later"])
        self.subject = named(QLineEdit(), self.tr("Subject"))
        self.subject.setProperty("role", "quiet")
        self._subject_line = QWidget()
        self._subject_line.setFocusProxy(self.subject)
        self.copies = CopyLines(self.to, self.cc, self.bcc, self._subject_line)
        self.editor = named(DraftEditor(context.appearance), self.tr("Draft text"))
        self.asked = AskedList(context.actions, self.edit, self._answer)
        self._text = Stack(self.editor, self.asked)
        self.files = DraftAttachments(context)
        tools = (self.copies.more, action_tool(context.actions["review.write"]), self.later)
        head = (self._icon, (self.maker, 1), self._facts, Space.TIGHT, *tools)
        column(self._subject_line, 0, 0, named_row(self.tr("Subject"), NAME_WIDTH, self.subject))
        fields = column(None, (Space.LARGE, Space.TIGHT), 0, self.to, self.cc, self.bcc, self._subject_line)
        files = column(None, (Space.LARGE, 0, Space.LARGE, Space.MEDIUM), 0, self.files)
        above = row(None, (Space.LARGE, Space.SMALL), Space.TIGHT, *head)
        column(self, 1, 0, above, rule(), fields, rule(), (self._text, 1), files)
        self.subject.textEdited.connect(lambda _text: self.edited.emit())
        for field in (self.to, self.cc, self.bcc):
            field.edited.connect(self.edited)
        self.editor.textChanged.connect(self._typed)
        self.editor.left.connect(self.left)
        self.files.changed.connect(self.edited)

    def show_draft(self, review: Review, draft: Draft, around: RecipientContext, known_subject: bool = False) -> None:
        """Shows a draft, which may contain edits that the review does not have yet. `known_subject`: it stands above the card."""
        self._draft = None
        self._icon.show_icon("no_model" if draft.by_rule else "model")
        made, why = maker_words(draft.maker), review.proposal.detail  # why it was not the model, as a stored error
        self.maker.show_words(f"{made} · {translated(ErrorText.of_stored(why))}" if why and draft.by_rule else made)
        self.to.show_addresses(draft.to, around)
        self.cc.show_addresses(draft.cc, around)
        self.bcc.show_addresses(draft.bcc, around)
        self.copies.fold(subject=known_subject)
        self.subject.setText(draft.subject)
        self.subject.setCursorPosition(0)
        self.editor.set_draft(draft.body, draft.spans)
        untouched = draft == review.proposal.draft and bool(review.allowed)
        form = untouched and draft.maker == FORM and bool(draft.open_slots) and only_questions(draft.body)
        if form:
            asked = [line[2:].strip() for line in draft.body.splitlines() if line.startswith("> ")]
            self.asked.show_questions(asked, _ready(asked, draft, review.proposal.category))
        self._text.setCurrentIndex(int(form))
        attached_before = (version.attachments for version in (review.proposed, review.proposal.draft) if version is not None)
        self.files.show_files(draft.attachments, chain(*attached_before))
        self._draft = draft
        self._count()

    def open_text(self) -> None:
        """Shows the text in place of the list of questions."""
        self._text.setCurrentIndex(0)

    def edit(self) -> None:
        """Moves the focus into the text, at its first open place."""
        self.open_text()
        if not self.editor.select_slot(from_start=True):
            self.editor.setFocus()

    def take_answer(self, at: int) -> None:
        """Writes a ready answer, while the questions are listed."""
        if self.asked.isVisible():
            self.asked.answers.take(at)

    def _answer(self, words: str) -> None:
        """Fills the open slot with a ready answer."""
        self.edit()
        self.editor.textCursor().insertText(words, QTextCharFormat())

    def draft(self) -> Draft:
        assert self._draft is not None, "no draft is shown"
        body, spans = self.editor.draft()
        return replace(
            self._draft,
            to=self.to.addresses,
            cc=self.cc.addresses,
            bcc=self.bcc.addresses,
            subject=self.subject.text(),
            body=body,
            spans=spans,
            attachments=self.files.attached,
        )

    def approval_error(self, draft: Draft) -> str:
        """Says why the draft cannot be approved and focuses the place; empty if it can."""
        self.open_text()
        if draft.open_slots:
            self.editor.select_slot(from_start=True)
            words = self.tr("%n blank(s) left: fill in or delete “%1” first.", "", len(draft.open_slots))
            return words.replace("%1", draft.open_slots[0])
        wrong = next((field for field in (self.to, self.cc, self.bcc) if field.wrong), None)
        if wrong is not None:
            wrong.line.setFocus()
            return self.tr("“%1” isn't a valid email address.").replace("%1", wrong.wrong)
        if not draft.recipients:
            self.to.line.setFocus()
            return self.tr("Add at least one recipient.")
        if not draft.body.strip():
            self.editor.setFocus()
            return self.tr("The draft has no text.")
        return ""

    def set_read_only(self, read_only: bool) -> None:
        self.editor.setReadOnly(read_only)
        self.files.set_read_only(read_only)
        for line in (self.subject, self.to.line, self.cc.line, self.bcc.line):
            line.setReadOnly(read_only)

    def _typed(self) -> None:
        if self._draft is not None:
            self._count()
            self.edited.emit()

    def _count(self) -> None:
        body, spans = self.editor.draft()
        self.editor.setAccessibleDescription(marks_spoken(body, spans))
        self._facts.setText(self.tr("%n word(s)", "", len(body.split())))


_WORDS = re.compile(r"\n|[^\S\n]+|\S+")


def told_with_files(draft: Draft | None) -> str:
    """Returns a draft's text with its file names below, so that removed files are compared too."""
    if draft is None or not draft.attachments:
        return draft.body if draft is not None else ""
    words = QCoreApplication.translate("Review", "Files: %1").replace("%1", ", ".join(file.name for file in draft.attachments))
    return f"{draft.body.rstrip()}\n\n{words}"


def compared(old: str, new: str, theme: Theme) -> str:
    """HTML of the new text with what was left out and put in."""
    pieces: list[str] = []
    old_words, new_words = _WORDS.findall(old), _WORDS.findall(new)
    for tag, a, b, c, d in difflib.SequenceMatcher(None, old_words, new_words).get_opcodes():
        gone, come = html.escape("".join(old_words[a:b])), html.escape("".join(new_words[c:d]))
        if tag == "equal":
            pieces.append(gone)
            continue
        if gone:
            pieces.append(f'<s style="color:{theme.danger};background:{theme.danger_soft}">{gone}</s>')
        if come:
            pieces.append(f'<u style="color:{theme.positive};background:{theme.positive_soft}">{come}</u>')
    return f'<div style="white-space:pre-wrap">{"".join(pieces)}</div>'


class CompareView(QTextBrowser):
    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.setProperty("role", "body")
        self.setAccessibleName(self.tr("Changes from the original draft"))
        self.document().setDocumentMargin(Space.LARGE)
        self._texts = ("", "")
        self._appearance = appearance
        appearance.changed.connect(self._render_again)  # a bound method is disconnected when the view is deleted

    def compare(self, old: str, new: str) -> None:
        self._texts = (old, new)
        self.setHtml(compared(old, new, self._appearance.theme))

    def _render_again(self) -> None:
        self.compare(*self._texts)

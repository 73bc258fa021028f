"""The Drafts page: letters being written, and drafts that another program created in Gmail."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial

from PySide6.QtCore import QCoreApplication, Qt

from app.domain.ids import LetterId, MessageId
from app.domain.mail.letter import LetterState, RemoteDraftChange, StoredLetter, StyleKind
from app.domain.mail.message import Message
from app.domain.protocol.events import MailChanged
from app.domain.protocol.letter_commands import DiscardLetter, LetterChanged, RestoreLetter
from app.domain.wire import Event
from app.ui.actions import connect_actions
from app.ui.context import Context
from app.ui.i18n.formatting import number_words, when_short
from app.ui.lists.model import RowNumbers
from app.ui.lists.row_painter import RowPresentation
from app.ui.pages.base import RowsPage
from app.ui.pages.compose.new_letter import begin_letter, go_on
from app.ui.services.notices import tell_discarded
from app.ui.session.typed_text import ADOPTING
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.factory import action_button, column, label, put, row, rule
from app.ui.widgets.split_view import Stack

Draft = StoredLetter | Message
LONGEST = 120
"""Characters of the text shown in the list."""


class DraftsPage(RowsPage[Draft]):
    """List of drafts. Return opens one, Delete discards a letter; a draft of another program has to be opened first."""

    def __init__(self, context: Context) -> None:
        self._numbers = RowNumbers()
        super().__init__(context, "drafts", self.tr("Drafts"), names=self._numbers)
        self._ids: dict[str, LetterId | MessageId] = {}
        self._count = label("", Type.CAPTION, "soft")
        self.setProperty("role", "surface")  # the heading has the list's background, as on other pages
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._stack = Stack(self.list, self.state)
        heading = label(self.title, Type.TITLE)
        heading.setContentsMargins(0, Space.MEDIUM, 0, Space.MEDIUM)  # the same height with and without buttons
        head = put(row(None, (Space.LARGE, 0, Space.LARGE, 0)), heading, (self._count, 1))
        for name in ("drafts.open", "drafts.discard"):
            head.addWidget(action_button(context.actions[name]))
        put(column(self, 0, 0), head, rule(), (self._stack, 1))
        connect_actions(self, context, {"drafts.open": self._open, "drafts.discard": self._discard})

    def refresh(self) -> None:
        self._ids = found = {str(draft_id): draft_id for draft_id in self.context.reader.draft_names()}
        here = self.list.current_row()
        self.model.set_ids(self._numbers.take(found))
        self._count.setText(number_words(len(found)) if found else "")
        self._stack.setCurrentIndex(0 if found else 1)
        for name in ("drafts.open", "drafts.discard"):
            self.context.actions[name].setVisible(bool(found))
            self.context.actions[name].setEnabled(bool(found))
        if found:
            now = self.list.current_row()
            self.list.select_row(now if now >= 0 else min(max(here, 0), len(found) - 1), quiet=True)
            return
        words = self.tr("Drafts are saved here and in Gmail as you type.")
        self.state.show_state("drafts", self.tr("No drafts"), words, self.tr("Compose"), partial(begin_letter, self.context))

    def concerned_by(self, event: Event) -> bool:
        return isinstance(event, LetterChanged | MailChanged)

    def hear(self, event: Event) -> None:
        """Also opens the letter made from another program's draft once the engine has it."""
        super().hear(event)
        wanted = str(self.context.state.value(ADOPTING) or "")
        if isinstance(event, LetterChanged) and event.reload and event.letter_id == wanted:
            self.context.state.remove(ADOPTING)
            stored = self.context.reader.letter(LetterId(wanted))
            if stored is not None:
                self.context.navigator.show_letter(stored.letter)

    def go_back(self) -> bool:
        return False  # nothing is beside the list

    def _current(self) -> Draft | None:
        row = self.list.current_row()
        return self.model.record(row) if row >= 0 else None

    def _open(self, _key: int = 0) -> None:
        draft = self._current()
        if isinstance(draft, Message):
            go_on(self.context, draft)
        elif draft is not None:
            self.context.navigator.show_letter(draft.letter)

    def _discard(self) -> None:
        draft = self._current()
        if isinstance(draft, StoredLetter):
            letter_id = draft.letter.id
            self.context.link.send(DiscardLetter(letter_id))
            undo = RestoreLetter(letter_id)
            tell_discarded(self.context.notices, self.tr("Undo"), lambda: self.context.link.send(undo))
        elif draft is not None:
            words = self.tr("Created in another app. Open it here to edit, or delete it in Gmail.")
            self.context.notices.tell(words)

    def _row(self, draft: Draft) -> RowPresentation:
        return draft_look(draft, self.context.clock())

    def _read(self, numbers: Sequence[int]) -> Mapping[int, Draft]:
        """Reads only the rows on screen: the texts of many letters take megabytes."""
        reader = self.context.reader
        names = {number: self._ids[name] for name, number in self._numbers.names(numbers).items() if name in self._ids}
        letters = reader.letters_of(draft_id for draft_id in names.values() if isinstance(draft_id, str))
        messages = reader.messages_of(draft_id for draft_id in names.values() if isinstance(draft_id, int))
        found: dict[str, Draft] = {str(key): one for key, one in letters.items()}
        found |= {str(key): message for key, message in messages.items()}
        return {number: found[str(draft_id)] for number, draft_id in names.items() if str(draft_id) in found}


def draft_look(one: Draft, now: datetime) -> RowPresentation:
    """The row of a draft. Its text has the prompts of slots in brackets, as in the list of templates."""
    when = when_short(one.date if isinstance(one, Message) else one.updated_at, now)
    recipients = (*one.to, *one.cc) if isinstance(one, Message) else one.letter.recipients
    people = ", ".join(each.name or each.email for each in recipients)
    who = people or QCoreApplication.translate("Letters", "(nobody yet)")
    if isinstance(one, Message):
        where = QCoreApplication.translate("Letters", "in Gmail")
        snippet = _beginning(one.body_text)
        return RowPresentation(who, one.subject, f"{where} · {snippet}", when, f"{who}, {one.subject}, {where}, {when}")
    body, title = one.letter.body, one.letter.subject.strip() or QCoreApplication.translate("Letters", "(no subject)")
    slots = sorted((style for style in one.letter.styles if style.kind is StyleKind.SLOT), key=lambda style: style.start)
    for slot in slots[::-1]:
        body = f"{body[: slot.start]}[{slot.value}]{body[slot.start :]}"
    notes = [_beginning(body)]
    if one.elsewhere is not RemoteDraftChange.NOTHING and one.state is LetterState.OPEN:
        notes.insert(0, QCoreApplication.translate("Letters", "changed in Gmail"))
    words = " · ".join(filter(None, notes))
    files = QCoreApplication.translate("Letters", "files: %1").replace("%1", number_words(len(one.files))) if one.files else ""
    marks = (("attachment", "text_soft"),) if files else ()
    return RowPresentation(who, title, words, when, ", ".join(filter(None, (who, title, files, when))), marks=marks)


def _beginning(body: str) -> str:
    """Returns the beginning of a text on one line, with an ellipsis if it was cut."""
    words = " ".join(body.split())
    return words if len(words) <= LONGEST else f"{words[:LONGEST].rstrip()}…"

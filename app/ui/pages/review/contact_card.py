"""Contact card: statistics of the correspondence, address book entry, promises found by a rule, and the user's note."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFrame, QLineEdit, QWidget

from app.domain.ids import AccountId
from app.domain.ports.agents import Contact
from app.domain.protocol.commands import NoteContact
from app.ui.context import Context
from app.ui.i18n.formatting import when_long, when_short
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.factory import clear, column, label, row
from app.ui.widgets.labels import IconLabel

SAVE_MS = 500


class ContactCard(QFrame):
    """Contact card of the sender. The note is saved while it is typed."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._account_id, self._email, self._saved_note = AccountId(0), "", ""
        self._name = label("", Type.STRONG, wrap=True)
        self._facts = label("", Type.CAPTION, "soft", wrap=True)
        self._promises = QWidget()
        self._lines = column(self._promises, 0, Space.HAIR)
        self.note = QLineEdit()
        self.note.setProperty("role", "quiet")
        self.note.setPlaceholderText(self.tr("Your note on this person"))
        self.note.setAccessibleName(self.tr("Your note on this person"))
        self.note.editingFinished.connect(self._save_note)
        self._save_soon = QTimer(self, singleShot=True, interval=SAVE_MS)
        self._save_soon.timeout.connect(self._save_note)
        self.note.textEdited.connect(lambda _text: self._save_soon.start())
        head = row(None, 0, Space.SMALL, IconLabel(context.icons, "contact", size=14), (self._name, 1))
        words = column(None, 0, Space.HAIR)
        words.setContentsMargins(Space.SMALL, 0, Space.SMALL, 0)  # aligned with the text of the note
        words.addLayout(head)
        words.addWidget(self._facts)
        words.addWidget(self._promises)
        column(self, 0, Space.HAIR, words, self.note)

    def show_contact(self, account_id: AccountId, email: str) -> None:
        self._save_note()
        now = self._context.clock()
        card = self._context.reader.contact_card(account_id, email, now) if email else None
        self.setVisible(card is not None)
        same = (account_id, email) == (self._account_id, self._email)
        self._account_id, self._email = account_id, email
        if card is None:
            self._email = self._saved_note = ""
            return
        self._name.setText(card.address.name or card.address.email)
        self._facts.setText(" · ".join(self._facts_of(card)))
        clear(self._lines)
        for promise in card.promises:
            when = when_short(promise.sent, now)
            words = self.tr("You wrote (%1), found by rule: “%2”").replace("%1", when).replace("%2", promise.text)
            self._lines.addWidget(label(words, Type.CAPTION, "warning", wrap=True))
        self._promises.setVisible(bool(card.promises))
        if not (same and self.note.hasFocus()):
            self._saved_note = card.own_note
            self.note.setText(card.own_note)
            self.note.setCursorPosition(0)

    def _facts_of(self, card: Contact) -> list[str]:
        counts = self.tr("%n email(s) received", "", card.received) + ", " + self.tr("%n sent", "", card.sent)
        facts = [card.organization, counts]
        if card.last_contact is not None:
            facts.append(self.tr("last contact %1").replace("%1", when_long(card.last_contact)))
        facts.append(" ".join(card.notes.split())[:200])
        return [fact for fact in facts if fact]

    def _save_note(self) -> None:
        text = self.note.text().strip()
        if self._email and text != self._saved_note:
            self._saved_note = text
            self._context.link.send(NoteContact(self._account_id, self._email, text))

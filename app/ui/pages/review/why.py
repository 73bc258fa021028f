"""The Why panel: triage, contact, sources, tools and time of a proposal; one line when folded. With the card of a contact."""

from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QLineEdit, QPushButton, QScrollArea, QToolButton, QWidget

from app.domain.drafting.draft import Source, SourceKind
from app.domain.drafting.review import Proposal, Review, ToolStep
from app.domain.ids import AccountId
from app.domain.mail.message import Message
from app.domain.protocol.commands import NoteContact
from app.ui.context import Context
from app.ui.i18n.formatting import percent_words, reason_words, seconds_words, when_long, when_short
from app.ui.lists.row_looks import triage_chips
from app.ui.pages.review.review_texts import status_words
from app.ui.services.async_task import single_shot
from app.ui.theme.metrics import Space, Type, at_text_size, is_large_text
from app.ui.widgets.containers import Flowing
from app.ui.widgets.factory import STRETCH, button, chip, clear, column, label, named, plain_tip, row, tab_through, tool_button
from app.ui.widgets.labels import ElidedLabel, IconLabel

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
        self.note = named(QLineEdit(), self.tr("Your note about this person"))
        self.note.setProperty("role", "quiet")
        self.note.setPlaceholderText(self.tr("Your note, for example how to write to this person"))
        self.note.editingFinished.connect(self._save_note)
        self._save_soon = single_shot(self, self._save_note, SAVE_MS)
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
        facts = [card.organization, self.tr("%n email(s) received", "", card.received) + ", " + self.tr("%n sent", "", card.sent)]
        if card.last_contact is not None:
            facts.append(self.tr("last contact %1").replace("%1", when_long(card.last_contact)))
        facts.append(" ".join(card.notes.split())[:200])
        self._facts.setText(" · ".join(filter(None, facts)))
        clear(self._lines)
        for promise in card.promises:
            when = when_short(promise.sent, now)
            words = self.tr("You seem to have promised (%1): “%2”").replace("%1", when).replace("%2", promise.text)
            self._lines.addWidget(label(words, Type.CAPTION, "warning", wrap=True))
        self._promises.setVisible(bool(card.promises))
        if not (same and self.note.hasFocus()):
            self._saved_note = card.own_note
            self.note.setText(card.own_note)
            self.note.setCursorPosition(0)

    def _save_note(self) -> None:
        text = self.note.text().strip()
        if self._email and text != self._saved_note:
            self._saved_note = text
            self._context.link.send(NoteContact(self._account_id, self._email, text))


HIGHEST = 176
"""Pixels of the details, which scroll."""
WIDEST_TITLE = 300
EXCERPT = 220
ICONS = {
    SourceKind.MESSAGE: "mail",
    SourceKind.OWN_REPLY: "own_reply",
    SourceKind.CALENDAR: "calendar",
    SourceKind.CONTACT: "contact",
    SourceKind.KNOWLEDGE: "knowledge",
    SourceKind.PAGE: "web",
}


def whose_card(proposal: Proposal, message: Message | None) -> str:
    """Returns the address of the contact to show: the sender, or the first recipient of new mail; empty for none."""
    if message is not None:
        return message.sender.email
    first = proposal.draft.to[:1] if proposal.draft is not None and proposal.starts else ()
    return first[0].email if first else ""


class WhyPanel(QFrame):
    """Emits `source_opened` with a message id when a source is clicked."""

    source_opened = Signal(object)

    def __init__(self, context: Context, toggle: QAction) -> None:
        super().__init__()
        self._icons = context.icons
        self._show_run = context.navigator.show_run
        self._unfilled: tuple[Review, str] | None = None
        self._links: list[QPushButton] = []
        self._technical = QWidget()
        self._summary = ElidedLabel("", Type.CAPTION, "soft")
        self._fold: QToolButton = tool_button(context.icons.icon("collapse"), toggle.text(), toggle.trigger)
        should = context.actions["review.should"]
        head = row(None, 0, Space.TIGHT, self._fold, (self._summary, 1), button(should.text(), "link", should.trigger))
        self._inside = Flowing()
        self._inside.setProperty("role", "plain")
        self.contact = ContactCard(context)
        self._lines = column(None, (Space.SMALL, 0), Space.HAIR)  # aligned with the text of the contact card
        margins = (Space.XLARGE + Space.TIGHT - Space.SMALL, 0, 0, Space.SMALL)
        # wrapped labels request more height than they use; the rest goes below them
        column(self._inside, margins, Space.SMALL, self.contact, self._lines, STRETCH)
        self.area = named(QScrollArea(), toggle.text())
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(self._inside)
        self.area.hide()
        column(self, 0, 0, head, self.area)

    @property
    def unfolded(self) -> bool:
        return not self.area.isHidden()

    @property
    def summary(self) -> str:
        return self._summary.words

    def toggle(self) -> None:
        if not self.unfolded:
            self._fill()
        self.area.setVisible(not self.unfolded)
        self._fold.setIcon(self._icons.icon("expand" if self.unfolded else "collapse"))
        around = self.parentWidget()
        while around is not None and not isinstance(around, QScrollArea):
            around = around.parentWidget()
        if self.unfolded and around is not None:  # in a low window they open below the edge
            QTimer.singleShot(0, self, partial(around.ensureWidgetVisible, self, 0, 0))

    def show_review(self, review: Review, sender: str = "", told: str = "") -> None:
        """Shows a review; `sender` is the address of the contact, `told` what stands above already.

        Folded details are filled when unfolded: they are half the work of showing a review, and most reviews are decided without
        them.
        """
        proposal = review.proposal
        # without a full stop, because more parts follow
        reason = reason_words(proposal.reason)
        parts = [reason.removesuffix(".") if reason not in ("", told) else self.tr("Why")]
        if proposal.sources:
            parts.append(self.tr("%n source(s)", "", len(proposal.sources)))
        self._summary.show_words(" · ".join(parts))
        self._unfilled = (review, sender)
        if self.unfolded:
            self._fill()

    def _fill(self) -> None:
        if self._unfilled is None:
            return
        (review, sender), self._unfilled = self._unfilled, None
        proposal = review.proposal
        self.contact.show_contact(proposal.account_id, sender)
        clear(self._lines)
        self._links = []
        words = self.tr("Drafted %1").replace("%1", when_long(review.created_at))
        if review.decided_at is not None:
            words += " · " + status_words(review.status) + " " + when_long(review.decided_at)
        self._technical = self._make_technical(review)
        for line in (
            label(reason_words(proposal.reason), Type.CAPTION, wrap=True),
            *map(self._source, proposal.sources),
            label(words, Type.CAPTION, "soft", wrap=True),
            button(self.tr("Technical details"), "link", self._toggle_technical),
            self._technical,
        ):
            self._lines.addWidget(line)
            line.show()  # a line that is not shown yet has no height in `heightForWidth`
        tab_through(self.contact.note, self._links)
        self._technical.hide()
        self._measure()

    def _toggle_technical(self) -> None:
        self._technical.setVisible(self._technical.isHidden())
        self._measure()

    def _make_technical(self, review: Review) -> QWidget:
        """What a developer or a careful owner may want: verdict, scores, tools with their data and times, the revision."""
        made, proposal = QWidget(), review.proposal
        triage = triage_chips(proposal.decision, proposal.category, proposal.confidence)
        facts = [self.tr("revision %1").replace("%1", str(review.revision))]
        if proposal.elapsed_ms:
            facts.append(seconds_words(proposal.elapsed_ms))
        shares = [percent_words(round(one.score * 100)) for one in proposal.sources if one.score > 0]
        if shares:
            facts.append(self.tr("sources match: %1").replace("%1", ", ".join(shares)))
        chips = row(None, 0, Space.TIGHT, *(chip(part.text, part.tone) for part in triage), STRETCH)
        lines = column(made, 0, Space.HAIR, chips, label(" · ".join(facts), Type.CAPTION, "soft", wrap=True))
        for tool in proposal.tools:
            lines.addWidget(self._tool(tool))
        if proposal.message_id:  # a request of the Assistant has no run
            lines.addWidget(button(self.tr("Show every step"), "link", lambda: self._show_run(proposal.run_id)))
        return made

    def _measure(self) -> None:
        self.area.setFixedHeight(min(HIGHEST, self._inside.heightForWidth(self.width()) + Space.SMALL))

    def _source(self, source: Source) -> QWidget:
        made = QWidget()
        inside = row(made, 0, Space.SMALL, IconLabel(self._icons, ICONS[source.kind], size=14))
        if source.message_id:
            link = button(self._shortened(source.title), "link", lambda: self.source_opened.emit(source.message_id))
            link.setAccessibleName(source.title)
            link.setToolTip(plain_tip(source.title))
            self._links.append(link)
            inside.addWidget(link)
        else:
            inside.addWidget(label(self._shortened(source.title)))
        excerpt = " ".join(source.excerpt.split())
        words = ElidedLabel("", Type.CAPTION, "soft")
        words.show_words(excerpt[:EXCERPT], source.excerpt)
        inside.addWidget(words, 1)
        return made

    def _shortened(self, title: str) -> str:
        room = at_text_size(WIDEST_TITLE // 2 if is_large_text() else WIDEST_TITLE)
        return self.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, room)

    def _tool(self, tool: ToolStep) -> QWidget:
        made = QWidget()
        icon, tone = ("error", "danger") if tool.error else ("tool", "text_soft")
        words = ElidedLabel("", Type.CAPTION, "danger" if tool.error else "soft")
        words.show_words(tool.error or tool.result, f"{tool.arguments}\n{tool.error or tool.result}")
        took = label(seconds_words(tool.latency_ms), Type.CAPTION, "soft")
        row(made, 0, Space.SMALL, IconLabel(self._icons, icon, tone, 14), label(tool.name), (words, 1), took)
        return made

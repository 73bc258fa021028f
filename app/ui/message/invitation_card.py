"""Card of a calendar invitation: title, time, place, people, conflicts, and the buttons Yes, Maybe and No."""

from datetime import date, datetime

from PySide6.QtCore import QDate
from PySide6.QtWidgets import QPushButton

from app.domain.drafting.invitation import AnswerInvitation, Invitation, InvitationReply, ReadInvitation, ReceivedInvitation
from app.domain.drafting.meeting import BusyTime
from app.domain.errors import ExpectedError
from app.domain.mail.message import Message
from app.ui.context import Context
from app.ui.i18n.formatting import clock_words, day_words, when_long
from app.ui.services.async_task import AsyncTask
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.factory import RoleFrame, button, chip, column, label, row, say_or_hide, set_role, set_tone
from app.ui.widgets.labels import IconLabel

CALENDAR = frozenset({"text/calendar", "application/ics"})
SHOWN_GUESTS = 6
SHOWN_CONFLICTS = 3


class InvitationCard(RoleFrame):
    """Hidden unless the message has a readable calendar part."""

    def __init__(self, context: Context) -> None:
        super().__init__("notice")
        self._context = context
        self._asking = AsyncTask(self)
        self._message: Message | None = None
        self.title = label("", Type.STRONG, wrap=True)
        self._kind = chip("")
        self._lines = label("", tone="soft", wrap=True)
        self._conflicts = label("", tone="warning", wrap=True)
        self._status = label("", Type.CAPTION, "soft", wrap=True)
        self.answers = {reply: self._answer_button(reply) for reply in InvitationReply}
        first = row(None, 0, Space.SMALL, (self.title, 1), self._kind)
        answers = row(None, 0, Space.SMALL, *self.answers.values(), (self._status, 1))
        words = column(None, 0, Space.HAIR, first, self._lines, self._conflicts, answers)
        row(self, Space.MEDIUM, Space.MEDIUM, IconLabel(context.icons, "calendar", size=20), (words, 1))
        self.hide()

    @property
    def words(self) -> str:
        return f"{self._lines.text()}\n{self._conflicts.text()}".strip()

    def show_message(self, message: Message) -> None:
        self._asking.end()
        self._message = message
        self.hide()
        if any(one.mime_type in CALENDAR for one in message.attachments):
            self._asking.begin(self._ask(message))

    def show_card(self, card: ReceivedInvitation) -> None:
        """Shows an invitation with its answer, conflicts and buttons."""
        found = card.invitation
        self.title.setText(found.summary or self.tr("Untitled event"))
        cancelled = found.method == "cancel" or found.status == "cancelled"
        kind = (
            self.tr("Canceled") if cancelled else self._guest_answer(found) if found.method == "reply" else self.tr("Invitation")
        )
        self._kind.setText(kind)
        set_tone(self._kind, "danger" if cancelled or found.answer == "declined" else "accent")
        self._lines.setText("\n".join(f"{name}: {value}" for name, value in self._facts(found) if value))
        self._show_conflicts(card.conflicts)
        self._show_answer(card)
        self.setAccessibleName(f"{kind}: {self.title.text()}")
        self.show()

    def _facts(self, found: Invitation) -> tuple[tuple[str, str], ...]:
        guests = ", ".join(found.attendees[:SHOWN_GUESTS])
        more = len(found.attendees) - SHOWN_GUESTS
        if more > 0:
            guests += " " + self.tr("and %n more", "", more)
        frequency = {
            "daily": self.tr("every day"),
            "weekly": self.tr("every week"),
            "monthly": self.tr("every month"),
            "yearly": self.tr("every year"),
        }
        return (
            (self.tr("Next") if found.repeats and not found.ended else self.tr("When"), _span(found.start, found.end)),
            (self.tr("Repeats"), frequency.get(found.repeats, "")),
            (self.tr("Where"), found.where),
            (self.tr("From"), found.organizer),
            (self.tr("Guests"), guests),
        )

    def _guest_answer(self, found: Invitation) -> str:
        known = {"accepted": self.tr("Accepted"), "declined": self.tr("Declined"), "tentative": self.tr("Maybe")}
        return known.get(found.answer, self.tr("Answer"))

    def _answer_button(self, reply: InvitationReply) -> QPushButton:
        words = {
            InvitationReply.YES: self.tr("Yes"),
            InvitationReply.MAYBE: self.tr("Maybe"),
            InvitationReply.NO: self.tr("No"),
        }
        made = button(words[reply], "", lambda: self._send(reply))
        made.setAccessibleName(self.tr("Answer the invitation: %1").replace("%1", words[reply]))
        return made

    def _show_conflicts(self, conflicts: tuple[BusyTime, ...]) -> None:
        titles = [one.title or self.tr("busy") for one in conflicts[:SHOWN_CONFLICTS]]
        self._conflicts.setText(self.tr("You're busy then: %1").replace("%1", ", ".join(titles)) if titles else "")
        self._conflicts.setVisible(bool(titles))

    def _show_answer(self, card: ReceivedInvitation) -> None:
        """Buttons where the calendar can be answered; otherwise what to do, or the answer given."""
        request = card.invitation.method == "request" and not card.invitation.ended
        for reply, one in self.answers.items():
            one.setVisible(card.can_answer)
            set_role(one, "primary" if reply is card.reply else "")
        given = {
            InvitationReply.YES: self.tr("You answered yes."),
            InvitationReply.MAYBE: self.tr("You answered maybe."),
            InvitationReply.NO: self.tr("You answered no."),
        }
        status = given[card.reply] if card.reply else ""
        if request and not card.can_answer and not status:
            connected = self._context.settings().calendar.connected
            status = (
                self.tr("This event isn't in your Google Calendar, so it can't be answered here.")
                if connected
                else self.tr("Connect Google Calendar in Settings to answer.")
            )
        say_or_hide(self._status, status)

    def _send(self, reply: InvitationReply) -> None:
        if self._message is None:
            return
        message = self._message
        self._context.link.send(AnswerInvitation(message.id, reply))
        told = {
            InvitationReply.YES: self.tr("You answered yes. The organizer will be notified."),
            InvitationReply.MAYBE: self.tr("You answered maybe. The organizer will be notified."),
            InvitationReply.NO: self.tr("You answered no. The organizer will be notified."),
        }
        self._context.notices.tell(told[reply])
        for one, made in self.answers.items():
            set_role(made, "primary" if one is reply else "")
        self._status.clear()

    async def _ask(self, message: Message) -> None:
        try:
            answer = await self._context.link.ask(ReadInvitation(message.id))
        except ExpectedError:
            return  # the attachment shows the error
        if isinstance(answer, ReceivedInvitation):
            self.show_card(answer)


def _span(start: str, end: str) -> str:
    try:
        if "T" not in start:
            days = [day_words(_day(one)) for one in dict.fromkeys((start, end)) if one]
            return " – ".join(days)
        first = datetime.fromisoformat(start).astimezone()
        last = datetime.fromisoformat(end).astimezone() if end else None
    except ValueError:
        return start
    if last is None:
        return when_long(first)
    until = clock_words(last) if last.date() == first.date() else when_long(last)
    return f"{when_long(first)} – {until}"


def _day(text: str) -> QDate:
    found = date.fromisoformat(text)
    return QDate(found.year, found.month, found.day)

"""Card of a calendar invitation: title, time, place and people."""

from datetime import date, datetime

from PySide6.QtCore import QDate
from PySide6.QtWidgets import QFrame

from app.domain.errors import ExpectedError
from app.domain.mail.files import Invitation, ReadInvitation
from app.domain.mail.message import Message
from app.ui.context import Context
from app.ui.i18n.formatting import clock_words, day_words, when_long
from app.ui.services.async_task import AsyncTask
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.factory import chip, column, label, row, set_tone
from app.ui.widgets.labels import IconLabel

CALENDAR = frozenset({"text/calendar", "application/ics"})
SHOWN_GUESTS = 6


class InvitationCard(QFrame):
    """Hidden unless the message has a readable calendar part."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._asking = AsyncTask(self)
        self.setProperty("role", "notice")
        self.title = label("", Type.STRONG, wrap=True)
        self._kind = chip("")
        self._lines = label("", tone="soft", wrap=True)
        first = row(None, 0, Space.SMALL, (self.title, 1), self._kind)
        words = column(None, 0, Space.HAIR, first, self._lines)
        row(self, Space.MEDIUM, Space.MEDIUM, IconLabel(context.icons, "calendar", size=20), (words, 1))
        self.hide()

    @property
    def words(self) -> str:
        return self._lines.text()

    def show_message(self, message: Message) -> None:
        self._asking.end()
        self.hide()
        if any(one.mime_type in CALENDAR for one in message.attachments):
            self._asking.begin(self._ask(message))

    def show_invitation(self, found: Invitation) -> None:
        self.title.setText(found.summary or self.tr("Event without a name"))
        cancelled = found.method == "cancel" or found.status == "cancelled"
        kind = self.tr("Cancelled") if cancelled else self._answer(found) if found.method == "reply" else self.tr("Invitation")
        self._kind.setText(kind)
        set_tone(self._kind, "danger" if cancelled or found.answer == "declined" else "accent")
        guests = ", ".join(found.attendees[:SHOWN_GUESTS])
        more = len(found.attendees) - SHOWN_GUESTS
        if more > 0:
            guests += " " + self.tr("and %n more", "", more)
        lines = (
            (self.tr("When"), _span(found.start, found.end)),
            (self.tr("Repeats"), self.tr("yes") if found.repeats else ""),
            (self.tr("Where"), found.where),
            (self.tr("From"), found.organizer),
            (self.tr("Guests"), guests),
        )
        self._lines.setText("\n".join(f"{name}: {value}" for name, value in lines if value))
        self.setAccessibleName(f"{kind}: {self.title.text()}")
        self.show()

    def _answer(self, found: Invitation) -> str:
        known = {"accepted": self.tr("Accepted"), "declined": self.tr("Declined"), "tentative": self.tr("Maybe")}
        return known.get(found.answer, self.tr("Answer"))

    async def _ask(self, message: Message) -> None:
        try:
            answer = await self._context.link.ask(ReadInvitation(message.id))
        except ExpectedError:
            return  # the attachment shows the error
        if isinstance(answer, Invitation):
            self.show_invitation(answer)


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

"""What stands above a message: deceptive mail, an invitation, unsubscribing.

Also the bar that shows a link's real host. Unsubscribing names the list's server first and sends with the second click: one
request by RFC 8058 where Google verified the mail; a letter to check where the list wants one; else the list's web page.
"""

from collections.abc import Callable, Collection
from datetime import date, datetime
from functools import partial

from PySide6.QtCore import QCoreApplication, QDate, Qt, QUrl, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QWidget

from app.domain.drafting.invitation import AnswerInvitation, Invitation, InvitationReply, ReadInvitation, ReceivedInvitation
from app.domain.errors import ExpectedError
from app.domain.ids import MessageId, ThreadId
from app.domain.mail.deception import DeceptionSign, SignKind, deception_signs, looks_like_phishing
from app.domain.mail.files import Unsubscribe, Unsubscribed
from app.domain.mail.message import Message, UnsubscribeOption, way_out
from app.domain.mail.triage import OwnerVerdict
from app.domain.protocol.events import CommandFailed
from app.domain.wire import Event
from app.ui.context import Context
from app.ui.i18n.error_messages import sentence
from app.ui.i18n.formatting import clock_words, day_words, reason_words, when_long
from app.ui.services.async_task import EngineQuestion
from app.ui.services.corrections import correct, correction
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.action_buttons import key_words
from app.ui.widgets.containers import FlowRow
from app.ui.widgets.factory import STRETCH, RoleFrame, button, chip, column, label, row, say, say_or_hide, set_role, set_tone
from app.ui.widgets.labels import ElidedLabel, IconLabel

CALENDAR = ("text/calendar", "application/ics")
CODE_SIGNS, CODE_READ = ("code", "kód", "heslo", "otp", "2fa", "passw", "kennwort", " pin"), 4_000
"""Words of every message with a one-time code, and the characters in which they are looked for. Without the space before "pin"
every "shipping" cost 1.2 ms.
"""
SHOWN_GUESTS = 6
SHOWN_CONFLICTS = 3


def invites(message: Message | None) -> bool:
    """Whether a message has a calendar part."""
    return message is not None and any(one.mime_type in CALENDAR for one in message.attachments)


class InvitationCard(RoleFrame):
    """Hidden unless the message has a readable calendar part."""

    def __init__(self, context: Context) -> None:
        super().__init__("notice")
        self._context = context
        self._asking = EngineQuestion(context.link, self)
        self._message: Message | None = None
        self.title = label("", Type.STRONG, wrap=True)
        self._kind = chip("")
        self._lines = label("", tone="soft", wrap=True)
        self._conflicts = label("", tone="warning", wrap=True)
        self._status = label("", Type.CAPTION, "soft", wrap=True)
        self._replies = {
            InvitationReply.YES: (self.tr("Yes"), self.tr("You answered yes.")),
            InvitationReply.MAYBE: (self.tr("Maybe"), self.tr("You answered maybe.")),
            InvitationReply.NO: (self.tr("No"), self.tr("You answered no.")),
        }
        self.answers = {reply: button(words, "", partial(self._send, reply)) for reply, (words, _given) in self._replies.items()}
        for one in self.answers.values():
            one.setAccessibleName(self.tr("Answer the invitation: %1").replace("%1", one.text()))
        first = row(None, 0, Space.SMALL, (self.title, 1), self._kind)
        answers = row(None, 0, Space.SMALL, *self.answers.values(), (self._status, 1))
        words = column(None, 0, Space.HAIR, first, self._lines, self._conflicts, answers)
        row(self, Space.MEDIUM, Space.MEDIUM, IconLabel(context.icons, "calendar", size=20), (words, 1))
        self.hide()

    @property
    def words(self) -> str:
        return f"{self._lines.text()}\n{self._conflicts.text()}".strip()

    def show_message(self, message: Message) -> None:
        self._asking.cancel()
        self._message = message
        self.hide()
        if invites(message):
            self._asking.ask(ReadInvitation(message.id), self.show_card, lambda _error: None)  # the attachment shows the error

    def show_card(self, card: ReceivedInvitation) -> None:
        """Shows an invitation with its answer, conflicts and buttons."""
        found = card.invitation
        self.title.setText(found.summary or self.tr("Untitled event"))
        kind, cancelled = self.tr("Invitation"), found.method == "cancel" or found.status == "cancelled"
        if cancelled:
            kind = self.tr("Canceled")
        elif found.method == "reply":
            known = {"accepted": self.tr("Accepted"), "declined": self.tr("Declined"), "tentative": self.tr("Maybe")}
            kind = known.get(found.answer, self.tr("Answer"))
        say(self._kind, kind, "danger" if cancelled or found.answer == "declined" else "accent")
        self._lines.setText(self._facts(found))
        busy = ", ".join(one.title or self.tr("busy") for one in card.conflicts[:SHOWN_CONFLICTS])
        say_or_hide(self._conflicts, self.tr("You're busy then: %1").replace("%1", busy) if busy else "")
        self._show_answer(card)
        self.setAccessibleName(f"{kind}: {self.title.text()}")
        self.show()

    def _facts(self, found: Invitation) -> str:
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
        facts = (
            (self.tr("Next") if found.repeats and not found.ended else self.tr("When"), _span(found.start, found.end)),
            (self.tr("Repeats"), frequency.get(found.repeats, "")),
            (self.tr("Where"), found.where),
            (self.tr("From"), found.organizer),
            (self.tr("Guests"), guests),
        )
        return "\n".join(f"{name}: {value}" for name, value in facts if value)

    def _show_answer(self, card: ReceivedInvitation) -> None:
        """Buttons where the calendar can be answered; otherwise what to do, or the answer given."""
        request = card.invitation.method == "request" and not card.invitation.ended
        for reply, one in self.answers.items():
            one.setVisible(card.can_answer)
            set_role(one, "primary" if reply is card.reply else "")
        status = self._replies[card.reply][1] if card.reply else ""
        if request and not card.can_answer and not status:
            status = self.tr("Connect Google Calendar in Settings to answer.")
            if self._context.settings().calendar.connected:
                status = self.tr("This event isn't in your Google Calendar, so it can't be answered here.")
        say_or_hide(self._status, status)

    def _send(self, reply: InvitationReply) -> None:
        assert self._message is not None
        self._context.link.send(AnswerInvitation(self._message.id, reply))
        told = {
            InvitationReply.YES: self.tr("You answered yes. The organizer will be notified."),
            InvitationReply.MAYBE: self.tr("You answered maybe. The organizer will be notified."),
            InvitationReply.NO: self.tr("You answered no. The organizer will be notified."),
        }
        self._context.notices.tell(told[reply])
        for one, made in self.answers.items():
            set_role(made, "primary" if one is reply else "")
        self._status.clear()


def _span(start: str, end: str) -> str:
    try:
        if "T" not in start:
            days = (date.fromisoformat(one) for one in dict.fromkeys((start, end)) if one)
            return " – ".join(day_words(QDate(one.year, one.month, one.day)) for one in days)
        first = datetime.fromisoformat(start).astimezone()
        last = datetime.fromisoformat(end).astimezone() if end else None
    except ValueError:
        return start
    if last is None:
        return when_long(first)
    until = clock_words(last) if last.date() == first.date() else when_long(last)
    return f"{when_long(first)} – {until}"


LONGEST = 2000
MOST_SIGNS = 4
PEOPLE = 5


def sign_words(sign: DeceptionSign) -> str:
    if sign.kind in (SignKind.VERDICT, SignKind.CAREFUL):
        return reason_words(sign.shown)
    words = {
        SignKind.POSES_AS: QCoreApplication.translate("Suspicion", "The name belongs to %1, but the address is %2."),
        SignKind.LOOK_ALIKE: QCoreApplication.translate(
            "Suspicion", "The sender pretends to be %1, but the email comes from %2."
        ),
        SignKind.FALSE_LINK: QCoreApplication.translate("Suspicion", "A link shows %1 but leads to %2."),
        SignKind.ANSWERS_ELSEWHERE: QCoreApplication.translate("Suspicion", "Replies go to %2, not to the sender."),
        SignKind.NEW_ACCOUNT: QCoreApplication.translate(
            "Suspicion", "It says that bank details changed. Call the sender on a number you know before you pay."
        ),
    }
    return words[sign.kind].replace("%1", sign.shown).replace("%2", sign.real)


class SuspicionBanner(RoleFrame):
    """Warns of a suspected message, in red where it looks like phishing. Emits `reported` and, once it is trusted, `trusted`."""

    reported = Signal()
    trusted = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__("notice", "danger")
        self._context = context
        self._message, self._thread = MessageId(0), ThreadId(0)
        self._sure = self._phishing = False
        self._trusted: set[MessageId] = set()
        """Messages trusted since the start. The engine keeps them for later."""
        self._title = label("", Type.STRONG, tone="danger")
        self.words = label("", wrap=True)
        report = button(self.tr("Report phishing"), "danger", self.reported.emit)
        trust = button(self.tr("Not suspicious"), "link", self._trust)
        buttons = FlowRow([report, trust], Space.SMALL, Space.SMALL)
        column(self, (Space.MEDIUM, Space.SMALL, Space.MEDIUM, Space.SMALL), Space.TIGHT, self._title, self.words, buttons)
        self.hide()

    def show_message(self, message: Message) -> None:
        if message.id != self._message:
            self._sure = False
        self._message, self._thread = message.id, message.thread_id
        signs = self._signs(message)
        self._phishing = looks_like_phishing(signs)
        for one in (self, self._title):
            set_tone(one, "danger" if self._phishing else "warning")
        self._title.setText(self._title_of(signs))
        self.words.setText("\n".join(map(sign_words, signs[:MOST_SIGNS])))
        self.setAccessibleName(f"{self._title.text()}. {self.words.text()}" if signs else "")
        self.setVisible(bool(signs))

    @property
    def warns(self) -> bool:
        return not self.isHidden()

    def warning(self, message: Message) -> str:
        """The banner's title for a suspected message, empty for another one."""
        return self._title_of(self._signs(message))

    def _title_of(self, signs: Collection[DeceptionSign]) -> str:
        if looks_like_phishing(signs):
            return self.tr("This message looks like phishing")
        return self.tr("Be careful with this message") if signs else ""

    def may_answer(self) -> bool:
        """Whether the message may be answered now. One that looks like phishing only when the user asks again."""
        if not (self.warns and self._phishing) or self._sure:
            return True
        self._sure = True
        self._context.notices.tell(self.tr("This message looks like phishing. Press again to reply anyway."))
        return False

    def _signs(self, message: Message) -> tuple[DeceptionSign, ...]:
        reader, name = self._context.reader, message.sender.name
        if message.id in self._trusted:
            return ()
        try:
            known = [one.address for one in reader.people(name, PEOPLE)] if name else []
            return deception_signs(message, reader.verdict_reason(message.id), known)
        except ExpectedError:  # the page reports it
            return ()

    def _trust(self) -> None:
        self._trusted.add(self._message)
        correct(self._context, correction(OwnerVerdict.NOT_SUSPICIOUS, [self._thread], self._message))
        self.hide()
        self.trusted.emit()


def real_host(url: QUrl) -> str:
    """The decoded host, with its ASCII form if that differs. This reveals look-alikes."""
    shown = url.host(QUrl.ComponentFormattingOption.FullyDecoded)
    plain = url.host(QUrl.ComponentFormattingOption.FullyEncoded)
    return shown if shown == plain else f"{shown} ({plain})"


class LinkBar(QWidget):
    def __init__(self, open_link: Callable[[str], object]) -> None:
        super().__init__()
        self._open_link = open_link
        self._url = QUrl()
        self._suspected, self._asked = False, True
        self.host = label("", Type.STRONG)
        self.open: QPushButton = button(self.tr("Open in browser"), "", self._open)
        self._address = ElidedLabel("", Type.CAPTION, "soft")
        notice = RoleFrame("notice")
        column(self, (Space.SMALL, 0, Space.SMALL, Space.SMALL), 0, notice)
        row(
            notice,
            Space.SMALL,
            Space.MEDIUM,
            self.host,
            (self._address, 1),
            self.open,
            button(self.tr("Copy"), "link", self._copy),
            button(self.tr("Dismiss"), "link", self.hide),
        )
        self.hide()

    def suspect(self, suspected: bool) -> None:
        """Sets whether the message is suspected. Its links open only after a second click."""
        self._suspected = suspected

    def offer(self, url: QUrl) -> None:
        """Shows where a link leads. Schemes other than http, https and mailto are ignored."""
        if url.scheme() not in ("http", "https", "mailto"):
            return
        self._url = url
        whole = url.toDisplayString()
        self.host.setText(real_host(url) or url.path())
        self._address.show_words(whole[:LONGEST], whole)
        self.open.setText(self.tr("Open in browser"))
        self._asked = not self._suspected
        self.show()

    def _open(self) -> None:
        if not self._asked:
            self._asked = True
            self.open.setText(self.tr("Suspicious message. Open anyway?"))
            return
        self.hide()
        self._open_link(self._url.toString(QUrl.ComponentFormattingOption.FullyEncoded))

    def _copy(self) -> None:
        self.hide()
        QGuiApplication.clipboard().setText(self._url.toString(QUrl.ComponentFormattingOption.FullyEncoded))


class CodeBar(QWidget):
    """Offers to copy the one-time code of a message that brings one."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._code = ""
        self.words = label("", Type.STRONG)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        action = context.actions["mail.copy_code"]
        self.take: QPushButton = button(f"{action.text()}   {key_words(action)}", "link", self.copy)
        row(self, 0, Space.MEDIUM, self.words, self.take, STRETCH)
        self.hide()

    def show_message(self, message: Message) -> None:
        self._code = ""
        read = " ".join(f"{message.subject} {message.body_text[:CODE_READ]}".casefold().split())
        if not message.outgoing and any(sign in read for sign in CODE_SIGNS):
            from app.domain.language.one_time_code import one_time_code  # its patterns take 10 ms to compile

            self._code = one_time_code(message.subject, message.body_text)
        self.words.setText(self.tr("Code: %1").replace("%1", self._code))
        self.setVisible(bool(self._code))

    def copy(self) -> None:
        if self._code:
            QGuiApplication.clipboard().setText(self._code)
        self._context.notices.tell(self.tr("Code copied.") if self._code else self.tr("This message has no one-time code."))


class UnsubscribeBar(QWidget):
    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._message: Message | None = None
        self._way: UnsubscribeOption | None = None
        self.words = label("", Type.CAPTION, "soft", wrap=True)
        self.first: QPushButton = button(self.tr("Unsubscribe"), "link", self.ask)
        self.first.setIcon(context.icons.icon("unsubscribe", "accent"))
        self.sure: QPushButton = button("", "danger", self._leave)
        self.no: QPushButton = button(self.tr("Cancel"), "link", self._show)
        row(self, 0, Space.MEDIUM, self.first, self.words, self.sure, self.no, STRETCH)
        self.destroyed.connect(context.link.subscribe(self._on_event))
        self.hide()

    def show_message(self, message: Message) -> None:
        if self._message is not None and self._message.id == message.id:
            return
        self._message = message
        self._way = way_out(message.headers)
        self.setVisible(self._way is not None)
        self._show()

    def _show(self, asks: bool = False) -> None:
        self.first.setVisible(not asks)
        for one in (self.words, self.sure, self.no):
            one.setVisible(asks)

    def ask(self) -> None:
        """Names what unsubscribing does, with the focus on the button that does it."""
        way = self._way
        if way is None:
            self._context.notices.tell(self.tr("This email has no unsubscribe link."))
            return
        self._show(asks=True)
        words, sure = self.tr("Unsubscribe on the list's page at %1."), self.tr("Open in browser")
        if way.one_click:
            words, sure = self.tr("This sends one unsubscribe request to %1."), self.tr("Unsubscribe")
        elif way.mailto:
            words, sure = (
                self.tr("This list needs an email to unsubscribe you. You can review it first."),
                self.tr("Review email"),
            )
        self.words.setText(words.replace("%1", way.host))
        self.sure.setText(sure)
        self.sure.setFocus()

    def go_back(self) -> bool:
        """Takes the question back. Returns whether there was one."""
        asking = self.sure.isVisible()
        if asking:
            self._show()
        return asking

    def _leave(self) -> None:
        way, message = self._way, self._message
        if way is None or message is None:
            return
        self._show()
        if way.one_click:
            self.first.setVisible(False)
            self.words.setText(self.tr("Unsubscribing at %1…").replace("%1", way.host))
            self.words.setVisible(True)
            self._context.link.send(Unsubscribe(message.id))
        else:
            self._context.open_link(way.mailto or way.url)

    def _on_event(self, event: Event) -> None:
        if isinstance(event, Unsubscribed) and self._message is not None and event.message_id == self._message.id:
            self.words.setText(self.tr("Unsubscribed from %1. You may still get one or two emails.").replace("%1", event.host))
        elif isinstance(event, CommandFailed) and event.command == Unsubscribe.__name__ and not self.words.isHidden():
            self.words.setText(self.tr("Could not unsubscribe: %1").replace("%1", sentence(event.code, event.text)))
            self.first.setVisible(True)

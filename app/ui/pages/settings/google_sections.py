"""The sections of what lives at Google: Calendar, Contacts and Sending.

Connecting a service may need the browser; the settings file says what is connected. Signatures and the vacation responder are
read and written in Gmail.
"""

import re
from functools import partial
from zoneinfo import available_timezones

from PySide6.QtCore import QDate, QDateTime, QTime, QTimeZone
from PySide6.QtGui import QFont, QShowEvent, QTextCharFormat
from PySide6.QtWidgets import QCheckBox, QComboBox, QDateEdit, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from app.config.settings import Settings
from app.domain.errors import ExpectedError, Offline
from app.domain.ids import AccountId
from app.domain.mail.message import Vacation
from app.domain.protocol.account_commands import ChangeMailSettings, MailSettings, ReadMailSettings, Signature
from app.domain.protocol.commands import ConnectService, Service
from app.domain.protocol.events import CommandFailed, ConnectionChanged, ConnectionState
from app.domain.wire import Event
from app.ui.context import Context
from app.ui.i18n.error_messages import refused, sentence
from app.ui.pages.settings.form import ChangeOutcome, SettingsWriter
from app.ui.pages.settings.sections import SettingsForm
from app.ui.services.async_task import EngineQuestion, single_shot
from app.ui.services.notices import ErrorNotice
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.containers import FlowRow
from app.ui.widgets.factory import STRETCH, button, chip, column, label, named, put, row, say
from app.ui.widgets.form_controls import ChoiceBox, Value, value_of

OTHER_END = {"calendar.start": "calendar.end", "calendar.end": "calendar.start"}
TIMEOUT_MS = 6 * 60_000
"""Longer than the engine waits for the browser. After that the button can be pressed again."""


class ServiceRow(QWidget):
    """One service: its state, the buttons to connect or disconnect, and errors."""

    def __init__(self, service: Service, writer: SettingsWriter, context: Context, name: str) -> None:
        super().__init__()
        self._service, self._writer, self._context = service, writer, context
        self.connected = self._ended = False
        self.setAccessibleName(name)
        self.state = chip()
        self.connect_it = button(self.tr("Connect…"), "", self._connect)
        self.disconnect_it = button(self.tr("Disconnect"), "link", lambda: writer.change(f"{service}.connected", False))
        for control in (self.connect_it, self.disconnect_it):
            control.setAccessibleDescription(name)
        self.note = label("", Type.CAPTION, "soft", wrap=True)
        self._timeout = single_shot(self, lambda: self._stop_waiting(""))
        column(self, 0, Space.TIGHT, put(row(), self.state, self.connect_it, self.disconnect_it, 1), self.note)
        self._show()

    @property
    def waiting(self) -> bool:
        return self._timeout.isActive()

    def show_connected(self, connected: bool, ended: bool) -> None:
        """`ended`: an account must sign in again before the service works."""
        if connected != self.connected:
            self._stop_waiting("")
        self.connected, self._ended = connected, ended
        self._show()

    def hear(self, event: Event) -> None:
        if self.waiting and isinstance(event, CommandFailed) and event.command == ConnectService.__name__:
            self._stop_waiting(refused(event, self._context.reader))

    def _connect(self) -> None:
        self._context.link.send(ConnectService(self._service))
        self._timeout.start(TIMEOUT_MS)
        say(self.note, self.tr("If Google's page opens in your browser, allow access there."), "soft")
        self._show()

    def _stop_waiting(self, words: str) -> None:
        self._timeout.stop()
        say(self.note, words, "danger" if words else "soft")
        self._show()

    def _show(self) -> None:
        words, tone = self.tr("Not connected"), ""
        if self.connected and self._ended:
            words, tone = self.tr("Waits until you sign in again"), "warning"
        elif self.connected:
            words, tone = self.tr("Connected"), "positive"
        elif self.waiting:
            words, tone = self.tr("Connecting…"), "accent"
        say(self.state, words, tone)
        self.connect_it.setVisible(not self.connected)
        self.connect_it.setEnabled(not self.waiting)
        self.disconnect_it.setVisible(self.connected)


class ServicesSection(SettingsForm):
    """The services above the hours in which meetings may be proposed."""

    def __init__(self, writer: SettingsWriter, context: Context) -> None:
        super().__init__(writer, context.icons, self.tr("Calendar and contacts"))
        words = {
            Service.CALENDAR: (
                self.tr("Google Calendar"),
                self.tr(
                    "Drafts propose times when you're free, and you can approve meetings. The names of your events never go "
                    "to a language model."
                ),
            ),
            Service.CONTACTS: (
                self.tr("Google Contacts"),
                self.tr(
                    "Names, organizations and notes from your contacts are added to the cards made from your mail. Contacts "
                    "are never changed."
                ),
            ),
        }
        self._ended: set[AccountId] = set()
        self.services = {service: ServiceRow(service, writer, context, words[service][0]) for service in words}
        for service, service_row in self.services.items():
            self.add_widget(*words[service], service_row)
        self.add_settings("calendar.start", "calendar.end", "calendar.weekdays", "calendar.time_zone")

    def show_values(self, settings: Settings) -> None:
        super().show_values(settings)
        for service, service_row in self.services.items():
            service_row.show_connected(bool(value_of(settings, f"{service}.connected")), bool(self._ended))

    def hear(self, event: Event) -> None:
        if isinstance(event, ConnectionChanged):
            (self._ended.add if event.state is ConnectionState.LOGIN_NEEDED else self._ended.discard)(event.account_id)
        for service_row in self.services.values():
            service_row.show_connected(service_row.connected, bool(self._ended))
            service_row.hear(event)

    def check(self, key: str, value: Value) -> str:
        if key == "calendar.time_zone" and value and value not in available_timezones():
            return self.tr("There is no time zone “%1”.").replace("%1", str(value))
        if key == "calendar.start" and str(value) >= self._hour("calendar.end"):
            return self.tr("End time must be after start time.")
        if key == "calendar.end" and str(value) <= self._hour("calendar.start"):
            return self.tr("The day must end after it starts.")
        return ""

    def _committed(self, key: str, value: Value) -> None:
        """Checks the other hour again, because it may be valid now."""
        super()._committed(key, value)
        other = OTHER_END.get(key, "")
        if other and self.fields[other].fate == ChangeOutcome.FAILED:
            super()._committed(other, self._hour(other))

    def _hour(self, key: str) -> str:
        box = self.fields[key].control.widget
        return str(box.currentData()) if isinstance(box, QComboBox) else ""


LINES = 6
LOOK_AFTER_MS = 300
_BODY = re.compile(r"<body[^>]*>(.*)</body>", re.DOTALL)
_OWN = re.compile(r"\s*-qt-[a-z-]+:[^;\"]*;")


def signature_html(field: QTextEdit) -> str:
    """The HTML of a text without what only Qt reads; empty for an empty text."""
    if not field.toPlainText().strip() and "<img" not in field.toHtml():
        return ""
    found = _BODY.search(field.toHtml())
    return _OWN.sub("", found.group(1)).strip() if found else ""


class SignatureEditor(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.field = named(QTextEdit(tabChangesFocus=True), self.tr("Signature"))
        self.field.setProperty("role", "field")
        self.field.setFixedHeight(self.field.fontMetrics().lineSpacing() * LINES + 2 * Space.MEDIUM)
        self.save = button(self.tr("Save to Gmail"), "primary")
        bold = button(self.tr("Bold"), "", lambda: self._merge(bold=True))
        italic = button(self.tr("Italic"), "", lambda: self._merge(bold=False))
        column(self, 0, Space.SMALL, self.field, FlowRow((self.save, bold, italic), Space.SMALL, Space.SMALL))
        self.setFocusProxy(self.field)

    def _merge(self, *, bold: bool) -> None:
        now, form = self.field.currentCharFormat(), QTextCharFormat()
        if bold:
            heavy = now.fontWeight() >= QFont.Weight.DemiBold
            form.setFontWeight(QFont.Weight.Normal if heavy else QFont.Weight.Bold)
        else:
            form.setFontItalic(not now.fontItalic())
        self.field.mergeCurrentCharFormat(form)
        self.field.setFocus()


class VacationEditor(QWidget):
    """Gmail's vacation responder."""

    def __init__(self, today: QDate) -> None:
        super().__init__()
        self.on = QCheckBox(self.tr("Answer automatically"))
        subject = self.tr("Subject")
        self.subject = named(QLineEdit(placeholderText=subject), subject)
        words = self.tr("I am away until Monday and will answer then.")
        self.text = named(QPlainTextEdit(placeholderText=words, tabChangesFocus=True), self.tr("Message"))
        self.text.setFixedHeight(self.text.fontMetrics().lineSpacing() * LINES + 2 * Space.MEDIUM)
        self.first = named(QDateEdit(today), self.tr("First day"))
        self.last = named(QDateEdit(today.addDays(7)), self.tr("Last day"))
        for field in (self.first, self.last):
            field.setCalendarPopup(True)
        self.ends = QCheckBox(self.tr("Last day"))
        self.contacts = QCheckBox(self.tr("Only to people in my contacts"))
        self.save = button(self.tr("Save to Gmail"), "primary")
        days = FlowRow((label(self.tr("First day")), self.first, self.ends, self.last), Space.SMALL, Space.SMALL)
        saving = row(None, 0, Space.SMALL, self.save, STRETCH)
        column(self, 0, Space.SMALL, self.on, self.subject, self.text, days, self.contacts, saving)
        self.ends.toggled.connect(self.last.setEnabled)
        self.last.setEnabled(False)
        self.setFocusProxy(self.on)

    def show_vacation(self, vacation: Vacation) -> None:
        self.on.setChecked(vacation.on)
        self.subject.setText(vacation.subject)
        self.text.setPlainText(vacation.text)
        self.contacts.setChecked(vacation.contacts_only)
        if vacation.from_ms:
            self.first.setDate(_day(vacation.from_ms))
        self.ends.setChecked(bool(vacation.until_ms))
        if vacation.until_ms:
            self.last.setDate(_day(vacation.until_ms - 1))

    def vacation(self) -> Vacation:
        until = _begin(self.last.date().addDays(1)) if self.ends.isChecked() else 0
        words = (self.subject.text().strip(), self.text.toPlainText().strip())
        return Vacation(self.on.isChecked(), *words, _begin(self.first.date()), until, self.contacts.isChecked())


def _day(at_ms: int) -> QDate:
    return QDateTime.fromMSecsSinceEpoch(at_ms).date()


def _begin(day: QDate) -> int:
    """The beginning of a day here, in Unix milliseconds."""
    return QDateTime(day, QTime(0, 0), QTimeZone.systemTimeZone()).toMSecsSinceEpoch()


class SendingSection(SettingsForm):
    """Reads Gmail's settings when it is shown. What is being edited stays until it is saved."""

    def __init__(self, writer: SettingsWriter, context: Context) -> None:
        super().__init__(writer, context.icons, self.tr("Sending"), "", ["sending.undo_s"])
        self._context = context
        self._query = EngineQuestion(context.link, self)
        self._found: dict[str, tuple[AccountId, str]] = {}
        self._accounts: list[AccountId] = []
        self._vacations: dict[AccountId, Vacation] = {}
        self.box = ChoiceBox(context.icons, self.tr("Address"))
        self.note = label("", Type.CAPTION, "soft", wrap=True)
        self.signature = SignatureEditor()
        today = context.clock().astimezone()
        self.vacation = VacationEditor(QDate(today.year, today.month, today.day))
        address = QWidget()
        column(address, 0, Space.TIGHT, self.box, self.note)
        address.setFocusProxy(self.box)
        self.add_widget(self.tr("Address"), self.tr("Your Gmail signature and vacation responder."), address)
        self.add_widget(self.tr("Signature"), self.tr("Added to what you write yourself."), self.signature)
        self.add_widget(self.tr("Vacation responder"), self.tr("Gmail replies automatically to new mail."), self.vacation)
        self.box.activated.connect(self._show_address)
        self.signature.save.clicked.connect(self._save_signature)
        self.vacation.save.clicked.connect(self._save_vacation)
        self._soon = single_shot(self, self._look, LOOK_AFTER_MS)
        self._enable(False)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._found:
            self._soon.start()

    def _look(self) -> None:
        """Reads the settings of all accounts, one after the other."""
        self._accounts = []
        with ErrorNotice(self._context.notices):
            self._accounts = [one.id for one in self._context.reader.accounts()]
        if self.isVisible() and self._accounts and not self._query.busy:
            self._read(self._accounts[0])

    def _read(self, account_id: AccountId) -> None:
        say(self.note, self.tr("Reading from Gmail…"), "soft")
        self._query.ask(ReadMailSettings(account_id), partial(self._answered, account_id), self._failed)

    def _answered(self, account_id: AccountId, answer: MailSettings, saved: bool = False) -> None:
        self._found |= {one.email: (account_id, one.html) for one in answer.signatures}
        self._vacations[account_id] = answer.vacation
        chosen = self.box.currentText()
        self.box.clear()
        self.box.addItems(list(self._found))
        self.box.setCurrentIndex(max(0, self.box.findText(chosen)))
        left = [one for one in self._accounts if one not in self._vacations]
        say(self.note, self.tr("Saved to Gmail.") if saved else "", "positive" if saved else "soft")
        if left:
            self._read(left[0])
        else:
            self._enable(True)
            self._show_address()

    def _failed(self, error: ExpectedError) -> None:
        words = self.tr("Gmail can't be reached now. Try again when you are online.")
        say(self.note, words if isinstance(error, Offline) else sentence(error.code, error.text), "danger")
        self._enable(bool(self._found))

    def _enable(self, on: bool) -> None:
        for part in (self.box, self.signature, self.vacation):
            part.setEnabled(on)

    def _show_address(self) -> None:
        account_id, html = self._found.get(self.box.currentText(), (AccountId(0), ""))
        self.signature.field.setHtml(html)
        if account_id in self._vacations:
            self.vacation.show_vacation(self._vacations[account_id])

    def _save_signature(self) -> None:
        email = self.box.currentText()
        account_id, _html = self._found[email]
        self._save(ChangeMailSettings(account_id, Signature(email, signature_html(self.signature.field))))

    def _save_vacation(self) -> None:
        account_id, _html = self._found[self.box.currentText()]
        vacation = self.vacation.vacation()
        ended = vacation.until_ms and vacation.until_ms <= max(vacation.from_ms, self._context.clock().timestamp() * 1000)
        if vacation.on and ended:
            say(self.note, self.tr("The last day must not be before the first day or in the past."), "danger")
        elif vacation.on and not (vacation.subject or vacation.text):
            say(self.note, self.tr("Write a subject or a message."), "danger")
        else:
            self._save(ChangeMailSettings(account_id, vacation=vacation))

    def _save(self, change: ChangeMailSettings) -> None:
        say(self.note, self.tr("Saving… If Google's page opens in your browser, allow access there."), "soft")
        self._enable(False)
        self._query.ask(change, partial(self._answered, change.account_id, saved=True), self._failed)

"""The section for Google Calendar and Contacts: connecting each, and when meetings may be proposed.

Connecting may need the browser. The settings file says what is connected.
"""

from zoneinfo import available_timezones

from PySide6.QtWidgets import QComboBox, QWidget

from app.config.settings import Settings
from app.domain.ids import AccountId
from app.domain.protocol.commands import ConnectService, Service
from app.domain.protocol.events import CommandFailed, ConnectionChanged, ConnectionState
from app.domain.wire import Event
from app.ui.context import Context
from app.ui.i18n.error_messages import refused
from app.ui.pages.settings.form import ChangeOutcome, SettingsWriter
from app.ui.pages.settings.sections import SettingsForm
from app.ui.services.async_task import single_shot
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.factory import button, chip, column, label, put, row, say
from app.ui.widgets.form_controls import Value

OTHER_END = {"calendar.start": "calendar.end", "calendar.end": "calendar.start"}
PATIENCE_MS = 6 * 60_000
"""Longer than the engine waits for the browser. After that the button can be pressed again."""


class ServiceRow(QWidget):
    """One service: its state, the buttons to connect or disconnect, and errors."""

    def __init__(self, service: Service, writer: SettingsWriter, context: Context, name: str) -> None:
        super().__init__()
        self._service = service
        self._writer = writer
        self._context = context
        self._connected = self._ended = False
        self.setAccessibleName(name)
        self.state = chip()
        self.connect_it = button(self.tr("Connect…"), "", self._connect)
        self.disconnect_it = button(self.tr("Disconnect"), "link", self._disconnect)
        for control in (self.connect_it, self.disconnect_it):
            control.setAccessibleDescription(name)
        self.note = label("", Type.CAPTION, "soft", wrap=True)
        self._timeout = single_shot(self, lambda: self._stop_waiting(""))
        put(column(self, 0, Space.TIGHT), put(row(), self.state, self.connect_it, self.disconnect_it, 1), self.note)
        self._show()

    @property
    def waiting(self) -> bool:
        return self._timeout.isActive()

    def show_connected(self, connected: bool) -> None:
        if connected != self._connected:
            self._timeout.stop()
            self._connected = connected
            self.note.setText("")
        self._show()

    def sign_in_ended(self, ended: bool) -> None:
        """Sets whether an account must sign in again before the service works."""
        if ended != self._ended:
            self._ended = ended
            self._show()

    def hear(self, event: Event) -> None:
        if self.waiting and isinstance(event, CommandFailed) and event.command == ConnectService.__name__:
            self._stop_waiting(refused(event, self._context.reader))

    def _connect(self) -> None:
        self._context.link.send(ConnectService(self._service))
        self._timeout.start(PATIENCE_MS)
        say(self.note, self.tr("If Google's page opens in your browser, allow the access there."), "soft")
        self._show()

    def _disconnect(self) -> None:
        self._writer.change(f"{self._service}.connected", False)

    def _stop_waiting(self, words: str) -> None:
        self._timeout.stop()
        say(self.note, words, "danger" if words else "soft")
        self._show()

    def _show(self) -> None:
        say(self.state, *self._state_words())
        self.connect_it.setVisible(not self._connected)
        self.connect_it.setEnabled(not self.waiting)
        self.disconnect_it.setVisible(self._connected)

    def _state_words(self) -> tuple[str, str]:
        if self._connected and self._ended:
            return self.tr("Waits until you sign in again"), "warning"
        if self._connected:
            return self.tr("Connected"), "positive"
        return (self.tr("Connecting…"), "accent") if self.waiting else (self.tr("Not connected"), "")


class ServicesSection(SettingsForm):
    """The services above the hours in which meetings may be proposed."""

    def __init__(self, writer: SettingsWriter, context: Context) -> None:
        super().__init__(writer, context.icons, self.tr("Calendar and contacts"))
        words = {
            Service.CALENDAR: (
                self.tr("Google Calendar"),
                self.tr(
                    "Drafts propose times at which you are free, and you can approve meetings. What your events are called never"
                    " goes to a language model."
                ),
            ),
            Service.CONTACTS: (
                self.tr("Google Contacts"),
                self.tr(
                    "Names, organizations and notes of your contacts are added to the cards made from your mail. They "
                    "are only read."
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
        self.services[Service.CALENDAR].show_connected(settings.calendar.connected)
        self.services[Service.CONTACTS].show_connected(settings.contacts.connected)

    def hear(self, event: Event) -> None:
        if isinstance(event, ConnectionChanged):
            (self._ended.add if event.state is ConnectionState.LOGIN_NEEDED else self._ended.discard)(event.account_id)
        for service_row in self.services.values():
            service_row.sign_in_ended(bool(self._ended))
            service_row.hear(event)

    def check(self, key: str, value: Value) -> str:
        if key == "calendar.time_zone" and value and value not in available_timezones():
            return self.tr("There is no time zone called %1.").replace("%1", str(value))
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

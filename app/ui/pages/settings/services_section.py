"""The section for Google Calendar and Contacts: connecting each, and when meetings may be proposed.

Connecting may need the browser. The settings file says what is connected.
"""

from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtWidgets import QWidget

from app.config.settings import Settings
from app.domain.ids import AccountId
from app.domain.ports.window import EngineLink, MailboxReader
from app.domain.protocol.commands import ConnectService, Service
from app.domain.protocol.events import CommandFailed, ConnectionChanged, ConnectionState, Event
from app.ui.i18n.error_messages import refused
from app.ui.pages.settings.sections import CalendarSection
from app.ui.pages.settings.settings_writer import SettingsWriter
from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.factory import button, chip, column, label, put, row, set_tone

PATIENCE_MS = 6 * 60_000
"""Longer than the engine waits for the browser. After that the button can be pressed again."""


class ServiceRow(QWidget):
    """One service: its state, the buttons to connect or disconnect, and errors."""

    def __init__(self, service: Service, writer: SettingsWriter, link: EngineLink, reader: MailboxReader, name: str) -> None:
        super().__init__()
        self._service = service
        self._writer = writer
        self._link = link
        self._reader = reader
        self._connected = self._ended = False
        self.setAccessibleName(name)
        self.state = chip()
        self.connect_it = button(self.tr("Connect…"), "", self._connect)
        self.disconnect_it = button(self.tr("Disconnect"), "link", self._disconnect)
        for control in (self.connect_it, self.disconnect_it):
            control.setAccessibleDescription(name)
        self.note = label("", Type.CAPTION, "soft", wrap=True)
        self._timeout = QTimer(self)
        self._timeout.setSingleShot(True)
        self._timeout.timeout.connect(lambda: self._stop_waiting(""))
        put(column(self, 0, Space.TIGHT), put(row(), self.state, self.connect_it, self.disconnect_it, 1), self.note)
        self._show()

    @property
    def waiting(self) -> bool:
        """Whether connecting was started and has not ended."""
        return self._timeout.isActive()

    def show_connected(self, connected: bool) -> None:
        """Shows the state from the settings file."""
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
        """Shows why connecting failed."""
        if self.waiting and isinstance(event, CommandFailed) and event.command == ConnectService.__name__:
            self._stop_waiting(refused(event, self._reader))

    def _connect(self) -> None:
        self._link.send(ConnectService(self._service))
        self._timeout.start(PATIENCE_MS)
        set_tone(self.note, "soft")
        self.note.setText(self.tr("If Google's page opens in your browser, allow the access there."))
        self._show()

    def _disconnect(self) -> None:
        self._writer.change(f"{self._service}.connected", False)

    def _stop_waiting(self, words: str) -> None:
        self._timeout.stop()
        set_tone(self.note, "danger" if words else "soft")
        self.note.setText(words)
        self._show()

    def _show(self) -> None:
        words, tone = self._state_words()
        self.state.setText(words)
        set_tone(self.state, tone)
        self.connect_it.setVisible(not self._connected)
        self.connect_it.setEnabled(not self.waiting)
        self.disconnect_it.setVisible(self._connected)

    def _state_words(self) -> tuple[str, str]:
        if self._connected and self._ended:
            return self.tr("Waits until you sign in again"), "warning"
        if self._connected:
            return self.tr("Connected"), "positive"
        return (self.tr("Connecting…"), "accent") if self.waiting else (self.tr("Not connected"), "")


class ServicesSection(CalendarSection):
    """Calendar and contacts."""

    def __init__(self, writer: SettingsWriter, link: EngineLink, reader: MailboxReader, icons: Icons) -> None:
        words = {
            Service.CALENDAR: (
                QCoreApplication.translate("ServicesSection", "Google Calendar"),
                QCoreApplication.translate(
                    "ServicesSection",
                    "Drafts propose times at which you are free, and you can approve meetings. What your events are called never"
                    " goes to a language model.",
                ),
            ),
            Service.CONTACTS: (
                QCoreApplication.translate("ServicesSection", "Google Contacts"),
                QCoreApplication.translate(
                    "ServicesSection",
                    "Names, organisations and notes of your contacts are joined with the cards made from your mail. They are only"
                    " read.",
                ),
            ),
        }
        self._ended: set[AccountId] = set()
        self.services = {service: ServiceRow(service, writer, link, reader, words[service][0]) for service in Service}
        super().__init__(writer, icons, [(*words[service], row) for service, row in self.services.items()])

    def show_values(self, settings: Settings) -> None:
        super().show_values(settings)
        self.services[Service.CALENDAR].show_connected(settings.calendar.connected)
        self.services[Service.CONTACTS].show_connected(settings.contacts.connected)

    def hear(self, event: Event) -> None:
        """Takes failed commands and ended sign-ins."""
        if isinstance(event, ConnectionChanged):
            (self._ended.add if event.state is ConnectionState.LOGIN_NEEDED else self._ended.discard)(event.account_id)
        for service_row in self.services.values():
            service_row.sign_in_ended(bool(self._ended))
        for service_row in self.services.values():
            service_row.hear(event)

"""Unsubscribes from a mailing list after a confirmation. The first click names the list's server, the second one sends.

One request by RFC 8058 where Google verified the mail; a letter to check where the list wants one; else the list's web page.
"""

from PySide6.QtWidgets import QPushButton, QWidget

from app.domain.mail.files import Unsubscribe, Unsubscribed
from app.domain.mail.message import Message
from app.domain.mail.unsubscribing import UnsubscribeOption, way_out
from app.domain.protocol.events import CommandFailed
from app.domain.wire import Event
from app.ui.context import Context
from app.ui.i18n.error_messages import sentence
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.factory import STRETCH, button, label, row


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

    def _show(self) -> None:
        self.first.setVisible(True)
        for one in (self.words, self.sure, self.no):
            one.setVisible(False)

    def ask(self) -> None:
        """Names what unsubscribing does, with the focus on the button that does it."""
        way = self._way
        if way is None:
            self._context.notices.tell(self.tr("This email has no unsubscribe link."))
            return
        self.first.setVisible(False)
        for one in (self.words, self.sure, self.no):
            one.setVisible(True)
        if way.one_click:
            self.words.setText(self.tr("One request goes to %1 to unsubscribe you.").replace("%1", way.host))
            self.sure.setText(self.tr("Unsubscribe"))
        elif way.mailto:
            self.words.setText(self.tr("This list needs an email to unsubscribe you. You can review it first."))
            self.sure.setText(self.tr("Review email"))
        else:
            self.words.setText(self.tr("Unsubscribe on the list's page at %1.").replace("%1", way.host))
            self.sure.setText(self.tr("Open in browser"))
        self.sure.setFocus()

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

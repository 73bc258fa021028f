"""Protection from deceptive mail: a banner that says why a message is suspected, and the bar that shows a link's real host."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QUrl, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QWidget

from app.domain.errors import ExpectedError
from app.domain.ids import MessageId, ThreadId
from app.domain.mail.deception import DeceptionSign, SignKind, deception_signs
from app.domain.mail.message import Message
from app.domain.mail.triage import OwnerVerdict
from app.ui.context import Context
from app.ui.i18n.formatting import reason_words
from app.ui.services.corrections import correct, correction
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.containers import FlowRow
from app.ui.widgets.factory import RoleFrame, button, column, label, row
from app.ui.widgets.labels import ElidedLabel

LONGEST = 2000
MOST_SIGNS = 4
PEOPLE = 5


def sign_words(sign: DeceptionSign) -> str:
    if sign.kind is SignKind.VERDICT:
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
    """Warns of a suspected message. Emits `reported` and, when the user trusts the message, `trusted`."""

    reported = Signal()
    trusted = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__("notice", "danger")
        self._context = context
        self._message, self._thread = MessageId(0), ThreadId(0)
        self._sure = False
        self._trusted: set[MessageId] = set()
        """Messages trusted since the start. The engine keeps them for later."""
        self._title = label(self.tr("This message looks like phishing"), Type.STRONG, tone="danger")
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
        self.words.setText("\n".join(map(sign_words, signs[:MOST_SIGNS])))
        self.setAccessibleName(f"{self._title.text()}. {self.words.text()}" if signs else "")
        self.setVisible(bool(signs))

    @property
    def warns(self) -> bool:
        return not self.isHidden()

    def warning(self, message: Message) -> str:
        """The banner's title for a suspected message, empty for another one."""
        return self._title.text() if self._signs(message) else ""

    def may_answer(self) -> bool:
        """Whether the message may be answered now. A suspected one only when the user asks again."""
        if not self.warns or self._sure:
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

"""The Accounts section: connected accounts with their cards, adding one, and how much mail is fetched.

A card has the state, colour and actions of an account. Removing an account asks for confirmation in the card.
"""

from collections.abc import Sequence
from functools import partial

from PySide6.QtGui import QColor, QIcon, QPixmap, QShowEvent
from PySide6.QtWidgets import QComboBox, QWidget

from app.config.paths import built_in_client
from app.domain.errors import ExpectedError
from app.domain.ids import AccountId
from app.domain.mail.message import Account
from app.domain.protocol.account_commands import (
    CheckClientFile,
    ClientFileChecked,
    PauseAccount,
    RecolourAccount,
    SignInAgain,
    ends_at,
    ends_soon,
)
from app.domain.protocol.commands import ConnectGmail, SyncNow, WipeAccount
from app.domain.protocol.events import CommandFailed, ConnectionChanged, ConnectionState, EngineReady, MailChanged, SyncProgress
from app.domain.sync import SetAside
from app.domain.wire import Event
from app.ui.context import Context
from app.ui.editor.client_file import ClientFileField
from app.ui.i18n.error_messages import SENTENCES, sentence, translated
from app.ui.i18n.formatting import when_long
from app.ui.pages.settings.form import SettingsWriter
from app.ui.pages.settings.sections import SettingsForm
from app.ui.services.async_task import EngineQuestion, loop_runs
from app.ui.services.notices import ErrorNotice
from app.ui.session.typed_text import forget_account
from app.ui.theme.metrics import Space, Type, at_text_size
from app.ui.widgets import form_controls
from app.ui.widgets.containers import FlowRow
from app.ui.widgets.factory import RoleFrame, button, column, label, put, row, say, say_or_hide, tab_through
from app.ui.widgets.form_controls import Value
from app.ui.widgets.notice_line import NoticeLine

COLOURS = ("#3b6fd4", "#b3541e", "#2d7d46", "#7a4fb5", "#a33b5d", "#5c6670")


class AccountCard(QWidget):
    """`waiting` is True while the user signs in in the browser."""

    def __init__(self, account: Account, context: Context) -> None:
        super().__init__()
        link = context.link
        self.account, self._context = account, context
        self._connection: ConnectionChanged | None = None
        self.waiting = False
        self.state = label("", Type.BODY, "soft", wrap=True)
        self.note = label("", Type.CAPTION, "danger", wrap=True)
        self.aside = label("", Type.CAPTION, "warning", wrap=True)
        self.try_again = button(self.tr("Try now"), "", lambda: link.send(SyncNow()))
        self.unchecked = label(self.tr("Its mail isn't checked, so no drafts are written."), Type.CAPTION, "warning", wrap=True)
        self.check = button(self.tr("Choose mail to check…"), "", partial(context.navigator.show_page, "welcome"))
        self.sign_in = button(self.tr("Sign in again"), "", self._sign_in)
        self.pause = button("", "", lambda: link.send(PauseAccount(account.id, not self.account.paused)), turns=True)
        self.forget = button(self.tr("Remove account…"), "", lambda: self._ask(asking=True))
        self.really = button(self.tr("Remove"), "danger", self._forget)
        self.keep = button(self.tr("Cancel"), "", lambda: self._ask(asking=False))
        names = (self.tr("Blue"), self.tr("Orange"), self.tr("Green"), self.tr("Violet"), self.tr("Red"), self.tr("Gray"))
        colours: dict[Value, str] = dict(zip(COLOURS, names, strict=True))
        if account.colour:
            colours.setdefault(account.colour, self.tr("Custom color"))
        self.colour = form_controls.choice(list(colours.items()), context.icons)
        box = self.colour.field
        assert isinstance(box, QComboBox)
        for at in range(box.count()):
            spot = QPixmap(at_text_size(Space.MEDIUM), at_text_size(Space.MEDIUM))
            spot.fill(QColor(str(box.itemData(at))))
            box.setItemIcon(at, QIcon(spot))
        box.setAccessibleName(self.tr("Color of %1").replace("%1", account.email))
        self.colour.committed.connect(lambda value: link.send(RecolourAccount(account.id, str(value))))
        for each in (self.sign_in, self.pause, self.colour.widget, self.forget, self.check, self.try_again):
            each.setAccessibleDescription(account.email)
        words = self.tr("This deletes its mail, drafts and decisions from this computer. Nothing changes in Gmail.")
        self._question = RoleFrame("notice", "danger")
        column(self._question, Space.MEDIUM, Space.SMALL, label(words, wrap=True), put(row(), self.really, self.keep, 1))
        put(
            column(self),
            label(account.email, Type.STRONG, wrap=True),
            self.state,
            self.unchecked,
            put(row(), self.check, 1),
            self.aside,
            put(row(), self.try_again, 1),
            FlowRow((self.sign_in, self.pause), Space.SMALL, Space.SMALL),
            FlowRow((self.colour.widget, self.forget), Space.SMALL, Space.SMALL),
            self._question,
            self.note,
        )
        self._question.hide()
        self.note.hide()

    @property
    def in_order(self) -> tuple[QWidget, ...]:
        """Controls in tab order."""
        return self.check, self.try_again, self.sign_in, self.pause, self.colour.field, self.forget, self.really, self.keep

    def show_account(self, account: Account) -> None:
        if account.signed_in_at != self.account.signed_in_at:
            self._end_waiting("")
        self.account = account
        self.colour.show_value(account.colour)
        self.pause.setText(self.tr("Resume") if account.paused else self.tr("Pause"))
        say(self.state, *self._state_words())
        self.sign_in.setEnabled(not self.waiting)

    def show_set_aside(self, found: Sequence[SetAside], *, unchecked: bool) -> None:
        """Shows whether mail is not checked, how many messages could not be fetched, and why.

        The reason is that of the message tried most often.
        """
        words = self.tr("%n email(s) couldn't be downloaded yet. Replyroom tries again automatically.", "", len(found))
        known = next((item.code for item in found if item.code in SENTENCES), "")
        self.aside.setText(f"{words} {sentence(known)}" if known else words)
        for shown in (self.aside, self.try_again):
            shown.setVisible(bool(found))
        for shown in (self.unchecked, self.check):
            shown.setVisible(unchecked)

    def connection_changed(self, event: ConnectionChanged) -> None:
        self._connection = event
        if event.state is ConnectionState.ONLINE:
            self._end_waiting("")
        self.show_account(self.account)

    def failed(self, words: str) -> None:
        self._end_waiting(words)
        self.sign_in.setEnabled(True)

    def _end_waiting(self, words: str) -> None:
        self.waiting = False
        say_or_hide(self.note, words)

    def _state_words(self) -> tuple[str, str]:
        account = self.account
        state = self._connection.state if self._connection is not None else None
        if self.waiting:
            return self.tr("Waiting for your answer in the browser…"), "soft"
        if account.paused:
            return self.tr("Paused. No mail is received or sent."), "warning"
        if state is ConnectionState.LOGIN_NEEDED:
            if account.short_lived:
                return self.tr(
                    "Google signed you out after 7 days because the consent screen is in testing mode. Publish it."
                ), "danger"
            return self.tr("Google wants you to sign in again."), "danger"
        if ends_soon(account.signed_in_at, account.short_lived, self._context.clock()):
            end = ends_at(account.signed_in_at, account.short_lived)
            words = self.tr("Google will sign you out on %1 because the consent screen is in testing mode.")
            return words.replace("%1", "" if end is None else when_long(end)), "warning"
        known = {
            ConnectionState.ONLINE: self.tr("Online"),
            ConnectionState.OFFLINE: self.tr("Offline. Replyroom tries again automatically."),
            ConnectionState.QUOTA: self.tr("Google's limit reached. Mail resumes shortly."),
        }
        return (known[state] if state in known else self.tr("Connected")), "soft"

    def _sign_in(self) -> None:
        self.waiting = True
        self.note.hide()
        self._context.link.send(SignInAgain(self.account.id))
        self.show_account(self.account)

    def _ask(self, *, asking: bool) -> None:
        self._question.setVisible(asking)
        self.forget.setEnabled(not asking)
        (self.keep if asking else self.forget).setFocus()

    def _forget(self) -> None:
        """Removes the account's data from the window's files first. If that fails, nothing is removed."""
        self._question.hide()
        self.forget.setEnabled(True)
        with ErrorNotice(self._context.notices) as told:
            forget_account(self._context.state, self._context.reader, self.account.id)
            self._context.navigator.forget_words()
        if not told.failed:
            self._context.link.send(WipeAccount(self.account.id))
            self.setEnabled(False)


class AccountsSection(SettingsForm):
    """`cards` has one card for each account, in the order they were added."""

    def __init__(self, writer: SettingsWriter, context: Context) -> None:
        intro = self.tr("Accounts sync independently.")
        super().__init__(writer, context.icons, self.tr("Accounts"), intro)
        self._context = context
        self._query = EngineQuestion(context.link, self)
        self.cards: dict[AccountId, AccountCard] = {}
        self._connecting = self._unchecked = False
        self._built_in = built_in_client()
        self._cards, self._another = QWidget(), QWidget()
        self.unreadable = NoticeLine(context.icons, "danger", below=True)
        margin = (0, 0, 0, Space.SMALL)  # same gap below as single controls have
        self._account_lines = column(self._cards, margin, Space.LARGE, self.unreadable)
        self.client = ClientFileField()
        self.check_result = label("", Type.CAPTION, "soft", wrap=True)
        self.connect_it = button(self.tr("Sign in to Google"), "primary", self._connect)
        self.guide = button(self.tr("How do I get this file?"), "", context.navigator.show_guide)
        buttons = FlowRow((self.connect_it, self.guide))
        parts = (self.client, buttons, self.check_result)  # the result is the gap below the row while it is empty
        column(self._another, 0, Space.SMALL, *parts)
        self._another.setFocusProxy(self.client.line)
        self.connect_it.setEnabled(self._built_in is not None)
        self.guide.setVisible(self._built_in is None)
        self.client.line.textChanged.connect(self._check)
        hint = self.tr("Use an existing credentials file or a new one.")
        if self._built_in is not None:
            hint = self.tr("Sign in to Google in your browser. A credentials file of your own is optional.")
        self.add_widget(self.tr("Connected"), "", self._cards)
        self.add_widget(self.tr("Add account"), hint, self._another)
        limits = ("sync.backfill_days", "sync.largest_mb", "sync.largest_file_mb", "sync.skip_labels", "sync.older_paused")
        self.add_settings(*limits, "sync.archives_by_meaning")
        self.refresh()

    def refresh(self) -> None:
        """Reads the accounts and updates the cards, or shows why they cannot be read."""
        context = self._context
        try:
            accounts = {account.id: account for account in context.reader.accounts()}
            aside = {key: context.reader.set_aside(key) for key in accounts}
            unchecked = context.reader.unchecked()
        except ExpectedError as error:
            rest = self.tr("Until then, accounts can't be shown or added. Your mail at Google is not affected.")
            self.unreadable.say(f"{sentence(error.code, error.text)} {rest}", "error", self.tr("Try again"), self.refresh)
            self._another.setEnabled(False)
            return
        self.unreadable.say("", "error")
        self._another.setEnabled(True)
        for gone in [key for key in self.cards if key not in accounts]:
            card = self.cards.pop(gone)
            self._account_lines.removeWidget(card)
            card.deleteLater()
        for key, account in accounts.items():
            if key not in self.cards:
                if self._connecting:  # the same client file can connect another account
                    self._connecting = False
                    self._check(self.client.line.text())
                self.cards[key] = AccountCard(account, context)
                self._account_lines.addWidget(self.cards[key])
                tab_through(self._cards, (each for card in self.cards.values() for each in card.in_order))
            self.cards[key].show_account(account)
            self.cards[key].show_set_aside(aside[key], unchecked=key in unchecked)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def hear(self, event: Event) -> None:
        """Takes connection states and failed commands."""
        super().hear(event)
        match event:
            case ConnectionChanged(account_id):
                self.refresh()
                if account_id in self.cards:
                    self.cards[account_id].connection_changed(event)
            case CommandFailed("SignInAgain", code, text, account_id):
                card = self.cards.get(account_id)
                if card is not None and card.waiting:
                    card.failed(sentence(code, text))
            case CommandFailed("ConnectGmail", code, text) if self._connecting:
                self._connecting = False
                say(self.check_result, sentence(code, text), "danger")
                self.connect_it.setEnabled(True)
            case CommandFailed("WipeAccount" | "PauseAccount" | "RecolourAccount"):
                for card in self.cards.values():
                    card.setEnabled(True)
                self.refresh()
            case EngineReady() | MailChanged() | SyncProgress() if self.isVisible():
                self.refresh()
                if self._unchecked and isinstance(event, EngineReady):
                    self._check(self.client.line.text())

    def _check(self, text: str) -> None:
        """Asks the engine to check the client file. The engine checks it again before use."""
        self.connect_it.setEnabled(False)
        self._unchecked = False
        say(self.check_result, "", "soft")
        if not text.strip():
            self._query.cancel()
            self.connect_it.setEnabled(self._built_in is not None)
            return
        if loop_runs():
            self._query.ask(CheckClientFile(self.client.path), self.checked, self._not_checked)

    def checked(self, answer: ClientFileChecked) -> None:
        if answer.error:
            where = self.tr("Line %1: ").replace("%1", str(answer.line)) if answer.line else ""
            say(self.check_result, f"{where}{translated(answer.error)}", "danger")
            return
        say(self.check_result, self.tr("This file works."), "positive")
        self.connect_it.setEnabled(True)

    def _not_checked(self, error: ExpectedError) -> None:
        self._unchecked = True
        say(self.check_result, sentence(error.code, error.text), "danger")

    def _connect(self) -> None:
        self._connecting = True
        self.connect_it.setEnabled(False)
        say(self.check_result, self.tr("Waiting for your answer in the browser…"), "soft")
        given = self.client.line.text().strip()
        self._context.link.send(ConnectGmail(self._built_in if self._built_in is not None and not given else self.client.path))

"""The Accounts section: connected accounts, adding one, and how much mail is fetched."""

from functools import partial

from PySide6.QtCore import QEvent
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from app.domain.errors import ExpectedError
from app.domain.ids import AccountId
from app.domain.protocol.account_commands import CheckClientFile, ClientFileChecked
from app.domain.protocol.commands import Answer, ConnectGmail
from app.domain.protocol.events import CommandFailed, ConnectionChanged, EngineReady, Event, MailChanged, SyncProgress
from app.ui.context import Context
from app.ui.editor.client_file import ClientFileField
from app.ui.i18n.error_messages import sentence, translated
from app.ui.pages.settings.accounts.account_card import AccountCard
from app.ui.pages.settings.sections import SettingsForm
from app.ui.pages.settings.settings_writer import SettingsWriter
from app.ui.services.async_task import EngineQuestion, loop_runs
from app.ui.services.notices import ErrorNotice
from app.ui.session.forget_account import forget_account
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.factory import button, column, label, put, row, say, tab_through
from app.ui.widgets.notice_line import NoticeLine


class AccountsSection(SettingsForm):
    """`cards` has one card for each account, in the order they were added."""

    def __init__(self, writer: SettingsWriter, context: Context) -> None:
        intro = self.tr("Accounts sync independently.")
        super().__init__(writer, context.icons, self.tr("Accounts"), intro)
        self._context = context
        self._query = EngineQuestion(context.link, self)
        self.cards: dict[AccountId, AccountCard] = {}
        self._connecting = self._unchecked = False
        self._cards = QWidget()
        self.unreadable = NoticeLine(context.icons, "danger", below=True)
        margin = (0, 0, 0, Space.SMALL)  # same gap below as single controls have
        self._lines = put(column(self._cards, margin, Space.LARGE), self.unreadable)
        self.add_widget(self.tr("Connected"), "", self._cards)
        self._add_another()
        self.add_settings(
            "sync.backfill_days", "sync.largest_mb", "sync.largest_file_mb", "sync.skip_labels", "sync.older_paused"
        )
        self.refresh()

    def _add_another(self) -> None:
        self._another = host = QWidget()
        self.client = ClientFileField()
        self.check_result = label("", Type.CAPTION, "soft", wrap=True)
        self.connect_it = button(self.tr("Sign in to Google"), "primary", self._connect)
        self.guide = button(self.tr("How do I get this file?"), "", self._context.navigator.show_guide)
        buttons = put(row(), self.connect_it, self.guide, 1)
        put(column(host), self.client, buttons, self.check_result)  # the result is the gap below the row while it is empty
        host.setFocusProxy(self.client.line)
        self.connect_it.setEnabled(False)
        self.client.line.textChanged.connect(self._check)
        hint = self.tr("Use an existing credentials file or a new one.")
        self.add_widget(self.tr("Add account"), hint, host)

    def refresh(self) -> None:
        """Reads the accounts and updates the cards, or shows why they cannot be read."""
        context = self._context
        try:
            accounts = {account.id: account for account in context.reader.accounts()}
            aside = {key: context.reader.set_aside(key) for key in accounts}
        except ExpectedError as error:
            rest = self.tr("Until then, accounts can't be shown or added. Your mail at Google is not affected.")
            self._show_readable(f"{sentence(error.code, error.text)} {rest}")
            return
        self._show_readable("")
        for gone in [key for key in self.cards if key not in accounts]:
            card = self.cards.pop(gone)
            self._lines.removeWidget(card)
            card.deleteLater()
        for key, account in accounts.items():
            if key not in self.cards and self._connecting:
                self._connected()
            if key not in self.cards:
                self.cards[key] = AccountCard(account, context.link, context.icons, partial(self._forget, key))
                self._lines.addWidget(self.cards[key])
                tab_through(self._cards, (each for card in self.cards.values() for each in card.in_order))
            self.cards[key].show_account(account, self._context.clock())
            self.cards[key].show_set_aside(aside[key])

    def _show_readable(self, why: str) -> None:
        """Says why the accounts cannot be read. While a damaged settings file locks the section, the page offers to try again."""
        self.unreadable.say(why, "error", self.tr("Try again") if self.isEnabled() else "", self.refresh)
        self._another.setEnabled(not why)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.EnabledChange:
            self._show_readable(self.unreadable.words)

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
                    self.cards[account_id].connection_changed(event, self._context.clock())
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

    def _forget(self, account_id: AccountId) -> bool:
        """Removes the account's data from the window's files before the engine deletes its mail.

        Returns whether that worked. If the store cannot be read, nothing is removed.
        """
        with ErrorNotice(self._context.notices) as told:
            forget_account(self._context.state, self._context.reader, account_id)
            self._context.navigator.forget_words()
        return not told.failed

    def _check(self, text: str) -> None:
        """Asks the engine to check the client file. The engine checks it again before use."""
        self.connect_it.setEnabled(False)
        self._unchecked = False
        say(self.check_result, "", "soft")
        if not text.strip():
            self._query.cancel()
            return
        if loop_runs():
            self._query.ask(CheckClientFile(self.client.path), self.checked, self._not_checked)

    def checked(self, answer: Answer) -> None:
        assert isinstance(answer, ClientFileChecked)
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
        self._context.link.send(ConnectGmail(self.client.path))

    def _connected(self) -> None:
        """Ends waiting; the same client file can connect another account."""
        self._connecting = False
        self._check(self.client.line.text())

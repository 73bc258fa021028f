"""Handles engine events for the window itself. Status line, counts in the navigation, error notices. Pages handle events on their
own.
"""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.domain.errors import ExpectedError
from app.domain.ids import AccountId
from app.domain.protocol.account_commands import SignInAgain
from app.domain.protocol.events import (
    CommandFailed,
    ConnectionChanged,
    ConnectionState,
    EngineReady,
    ErrorReported,
    IndexProgress,
    MailChanged,
    OutboxChanged,
    ReviewDecided,
    ReviewReady,
    SettingsChanged,
    SignInOpened,
    SyncProgress,
    WorkChanged,
)
from app.domain.protocol.queries import CountMail, MailCounts
from app.domain.wire import Event
from app.ui.actions import spec_words
from app.ui.context import Context
from app.ui.i18n.error_messages import refused, sentence, translated
from app.ui.navigation.places import label_places, saved_places
from app.ui.navigation.view import Navigation
from app.ui.services.async_task import EngineQuestion, ThrottledCall, loop_runs
from app.ui.session.ini_file import saved
from app.ui.window.status_bar import ModelBanner, SignInBanner, StatusLine

LOG = logging.getLogger("app.ui")
PASSING = frozenset({"MODEL_SERVER_FAILED", "MODEL_NOT_REACHED", "MODEL_TIMED_OUT", "MODEL_STALLED", "MODEL_LIMIT_REACHED"})
"""Causes of a model's failure that end without the user."""
COUNT_MS, COUNT_AFTER_MS = 250, 20
"""The page on screen reads the same change at once. Counting with it stopped the window for 4 ms more."""


class EventHandler(QObject):
    """Handles events. `reveal` is called with every count, since the first account may have been added. `said` tells whether a
    page shows an error itself. Emits `counted(unread, reviews, outbox items that need the user)`.

    Seven parameters: each is a part of the window that an event changes.
    """

    counted = Signal(int, int, int)

    def __init__(
        self,
        context: Context,
        status: StatusLine,
        banners: tuple[SignInBanner, ModelBanner],
        navigation: Navigation,
        reveal: Callable[[], None],
        said: Callable[[Event], bool],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._context, self._status, (self._banner, self._model_banner) = context, status, banners
        self._navigation, self._reveal, self._shown_by_page = navigation, reveal, said
        self.counting = ThrottledCall(self.count, COUNT_MS, self, COUNT_AFTER_MS)
        self._question = EngineQuestion(context.link, self)
        self._unread: dict[str, int] = {}
        """Unread conversations by saved search."""
        self.connections: dict[AccountId, ConnectionChanged] = {}
        self.progress: SyncProgress | None = None
        self.paused = False
        self._attention: int | None = None
        self._offer_sign_in()

    @property
    def _signed_out(self) -> list[AccountId]:
        """Accounts that need a new sign-in. Others may go on meanwhile."""
        return [key for key, event in self.connections.items() if event.state is ConnectionState.LOGIN_NEEDED]

    def hear(self, event: Event) -> None:
        self._to_status(event)
        if isinstance(event, CommandFailed) and event.command == SignInAgain.__name__ and self._signed_out:
            self._offer_sign_in()
            self._status.sign_in_needed()
        if isinstance(event, CommandFailed | ErrorReported) and not self._shown_by_page(event):
            if isinstance(event, CommandFailed):
                words = refused(event, self._context.reader)
            else:
                words = sentence(event.code, event.text)
                if event.text.cause in PASSING:
                    words += " " + QCoreApplication.translate("MainWindow", "Replyroom will try again.")
            self._context.notices.tell(words, for_ms=10_000)
        if isinstance(event, MailChanged | ReviewReady | ReviewDecided | OutboxChanged | EngineReady):
            self.counting.poke()

    def sign_in(self) -> None:
        if self._signed_out:
            self._context.link.send(SignInAgain(self._signed_out[0]))
            self._status.signing_in()
            self._banner.wait()
            self._context.actions["window.sign_in"].setEnabled(False)

    def _offer_sign_in(self) -> None:
        action, needed, email = self._context.actions["window.sign_in"], self._signed_out[:1], ""
        action.setEnabled(bool(needed))
        action.setVisible(bool(needed))
        with suppress(ExpectedError):
            email = next((one.email for one in self._context.reader.accounts() if one.id in needed), "")
        self._banner.ask(email or (QCoreApplication.translate("MainWindow", "Your account") if needed else ""))

    def _connection_changed(self, event: ConnectionChanged) -> None:
        before = self._signed_out
        self.connections[event.account_id] = event
        self._status.connection_changed(event)
        if before != self._signed_out or event.state is ConnectionState.LOGIN_NEEDED:
            self._offer_sign_in()
        if self._signed_out:
            self._status.sign_in_needed()

    def count(self) -> None:
        """Reads counts and labels again. While the database cannot be read the old ones stay; the page reports the error."""
        try:
            self._reveal()
            self._drop_forgotten_accounts()
            counts = self._context.reader.counts()
            self._set_tail()
        except ExpectedError as error:
            LOG.warning("The numbers beside the pages could not be read: %s", error.code)
            return
        searches = saved(self._context.state)
        if searches and loop_runs():
            asked = CountMail(tuple(f"{one} is:unread" for one in searches))
            self._question.ask(asked, partial(self._counted, searches), lambda _error: None)
        model, held, before = self._navigation.places, counts.outbox_attention, self._attention
        model.set_count("review", counts.pending_reviews, strong=True)
        model.set_count("inbox", counts.inbox_unread, strong=False)
        model.set_count("outbox", counts.outbox_waiting + held, strong=held > 0)
        self._status.set_pending(counts.outbox_waiting, held)
        self._attention = held
        if before is not None and held > before:  # it was to be sent, and the user has turned to something else
            words = QCoreApplication.translate("Tray", "A message is on hold in the Outbox.")
            show = partial(self._context.navigator.show_page, "outbox")
            self._context.notices.tell(words, spec_words("window.outbox"), show, 10_000, leads=True)
        self.counted.emit(counts.inbox_unread, counts.pending_reviews, held)

    def _drop_forgotten_accounts(self) -> None:
        """Drops the state of forgotten accounts. No sign-in is asked for them, and new pages do not get their state."""
        here, before = {one.id for one in self._context.reader.accounts()}, self._signed_out
        self.connections = {key: event for key, event in self.connections.items() if key in here}
        if before != self._signed_out:
            self._offer_sign_in()
            if not self._signed_out and self.connections:
                self._status.connection_changed(list(self.connections.values())[-1])

    def _set_tail(self) -> None:
        searches = saved(self._context.state)
        self._navigation.set_labels([*saved_places(searches, self._unread), *label_places(self._context.reader)])

    def _counted(self, searches: Sequence[str], answer: MailCounts) -> None:
        self._unread = dict(zip(searches, answer.counts, strict=True))
        with suppress(ExpectedError):  # the page reports an unreadable store
            self._set_tail()

    def _to_status(self, event: Event) -> None:
        status = self._status
        if isinstance(event, EngineReady):
            status.engine_up(event.model_label)
        elif isinstance(event, ConnectionChanged):
            self._connection_changed(event)
        elif isinstance(event, SignInOpened):
            self._banner.show_link(event)
        elif isinstance(event, SyncProgress):
            self.progress = event
            status.sync_progress(event)
        elif isinstance(event, IndexProgress):
            status.index_progress(event)
        elif isinstance(event, WorkChanged):
            status.work_changed(event)
            self._model_banner.show_refusal(translated(event.refusal))
            self._paused_changed(event.paused)
        elif isinstance(event, SettingsChanged):
            status.set_model(event.model_label)
            # Text size and language need a restart: most parts of the window are sized when they are made.
            theme, appearance = self._context.settings().appearance.theme, self._context.appearance
            if theme != appearance.choice:
                appearance.apply(theme, appearance.text_size)

    def _paused_changed(self, paused: bool) -> None:
        if paused == self.paused:  # WorkChanged comes several times a second while agents work
            return
        self.paused = paused
        action, words = self._context.actions["window.pause"], QCoreApplication.translate("MainWindow", "Pause assistant")
        if paused:
            words = QCoreApplication.translate("MainWindow", "Resume assistant")
        action.setText(words)
        action.setIcon(self._context.icons.icon("play" if paused else "pause"))

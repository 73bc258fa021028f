"""Similar mail for a search. The engine is asked after the full-text answer has come; typing on cancels the question. Also builds
the status text, for example when nothing is indexed.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress

from PySide6.QtCore import QObject, QTimer, Signal

from app.domain.errors import ExpectedError
from app.domain.ids import MessageId, ThreadId
from app.domain.protocol.events import EngineReady, IndexProgress, SettingsChanged
from app.domain.protocol.queries import (
    FindPassage,
    FindSimilar,
    FoundMail,
    FoundPassage,
    MatchPlace,
    SearchMatch,
    SimilarityState,
    SimilarMails,
)
from app.domain.record import replace
from app.domain.wire import Event
from app.ui.context import Context
from app.ui.i18n.error_messages import sentence
from app.ui.i18n.formatting import number_words
from app.ui.services.async_task import AsyncTask, loop_runs

LOOKING_MS = 200
""""Looking for mail…" is shown only if the answer takes longer."""

AGAIN_MS = 5000
"""While the same search stays open, similar mail is asked for at most this often."""


class SimilarResults(QObject):
    """Asks the engine for similar mail. Emits `came` on an answer or a failure and `said` when `words` changed."""

    came = Signal()
    said = Signal()

    def __init__(self, context: Context, parent: QObject, in_view: Callable[[FoundMail], bool]) -> None:
        """Passages are asked for only of mail that is `in_view`."""
        super().__init__(parent)
        self._context, self._in_view = context, in_view
        self._read: set[MessageId] = set()
        self._task, self._passages = AsyncTask(self), AsyncTask(self)
        self._question = FindSimilar("")
        self._answered = ""
        self._answer: SimilarMails | None = None
        self._error: ExpectedError | None = None
        self.words = ""
        self._slow_timer, self._repeat_timer = QTimer(self, singleShot=True), QTimer(self, singleShot=True)
        self._slow_timer.setInterval(LOOKING_MS)
        self._slow_timer.timeout.connect(lambda: self._set_words(self.tr("Looking for related emails…")))
        self._repeat_timer.setInterval(AGAIN_MS)
        self._repeat_timer.timeout.connect(self._start)

    @property
    def mails(self) -> Sequence[FoundMail]:
        return self._answer.mails if self._answer is not None else ()

    @property
    def under_way(self) -> bool:
        return self._task.under_way

    def ask(self, text: str, besides: Sequence[ThreadId]) -> None:
        """Asks for mail similar to `text`, without the threads `besides`.

        A new text is asked for at once, the text of the last answer again after `AGAIN_MS`. Needs a running asyncio loop.
        """
        self._question = FindSimilar(text, tuple(besides))
        if text != self._answered:
            self._start()
        elif not self._repeat_timer.isActive():
            self._repeat_timer.start()

    def look(self) -> None:
        """Asks for the passages of rows that came into view."""
        if loop_runs() and not self._passages.under_way and self._unread() is not None:
            self._passages.begin(self._ask_passages(self._question.text))

    def end(self) -> None:
        self._task.end()
        self._passages.end()
        self._slow_timer.stop()
        self._repeat_timer.stop()

    def clear(self) -> None:
        self.end()
        self._answered, self._answer, self._error = "", None, None
        self._set_words("")

    def hear(self, event: Event) -> bool:
        """Handles an event. Returns whether the search should be made again."""
        again = False
        if isinstance(event, EngineReady):
            again = self._error is not None
        elif isinstance(event, SettingsChanged):
            again = self._answer is not None and self._answer.likeness is SimilarityState.PAUSED
        elif isinstance(event, IndexProgress) and self._answer is not None and self._answer.waiting:
            again = event.done >= event.total
            if not again:
                self._count(event.total - event.done, self._answer)
        if again:
            self._answered = ""
        return again

    def _start(self) -> None:
        self._repeat_timer.stop()
        self._passages.end()
        self._slow_timer.start()
        self._task.begin(self._ask(self._question))

    async def _ask(self, question: FindSimilar) -> None:
        try:
            answer = await self._context.link.ask(question)
        except ExpectedError as error:
            self._finish(None, error)
            return
        assert isinstance(answer, SimilarMails)
        self._finish(answer, None)

    def _finish(self, answer: SimilarMails | None, error: ExpectedError | None) -> None:
        self._slow_timer.stop()
        self._task.release()
        self._answer, self._error = answer, error
        self._answered = self._question.text if answer is not None else ""
        self._set_words(self._error_text(error) if error is not None else self._status_text(answer))
        self._read.clear()
        self.came.emit()
        self.look()

    def _unread(self) -> FoundMail | None:
        """The first mail in view whose passage was not asked for."""
        return next((one for one in self.mails if one.message_id not in self._read and self._in_view(one)), None)

    async def _ask_passages(self, text: str) -> None:
        """Asks for the passage of each mail in view in turn and shows it as it comes."""
        while (mail := self._unread()) is not None:
            self._read.add(mail.message_id)
            try:
                found = await self._context.link.ask(FindPassage(text, mail.message_id))
            except ExpectedError:
                return  # the rows stay, each with the beginning of its mail
            assert isinstance(found, FoundPassage)
            if self._answer is not None and found.passage:
                why = (SearchMatch(MatchPlace.MEANING, found.passage),)
                named = tuple(replace(one, why=why) if one.message_id == mail.message_id else one for one in self._answer.mails)
                self._answer = replace(self._answer, mails=named)
                self.came.emit()
        self._passages.release()

    def _count(self, waiting: int, answer: SimilarMails) -> None:
        indexed = answer.indexed + answer.waiting - waiting
        self._answer = SimilarMails(answer.mails, answer.likeness, max(0, indexed), waiting)
        if not self._task.under_way:
            self._set_words(self._status_text(self._answer))

    def _set_words(self, words: str) -> None:
        if words != self.words:
            self.words = words
            self.said.emit()

    def _error_text(self, error: ExpectedError) -> str:
        if error.code == "link_closed":
            return self.tr("Smart search is restarting.")
        if error.code == "index_lost":
            return self.tr("The smart-search index was damaged and is being rebuilt.")
        if error.code == "refused":  # the notes of the search say what was not understood
            return ""
        none = self.tr("Smart search isn't available.")
        return f"{none} {sentence(error.code, error.text)}"

    def _status_text(self, answer: SimilarMails | None) -> str:
        if answer is None or answer.likeness is SimilarityState.NO_WORDS:
            return ""
        if answer.likeness is SimilarityState.PAUSED:
            return self.tr("Smart search is off while the assistant is paused.")
        parts = [self._result_text(answer), self._index_text(answer)]
        with suppress(ExpectedError):  # the page reports an unreadable store
            if self._context.reader.archives():
                parts.append(self.tr("Imported archives are searched by words only."))
        return " ".join(part for part in parts if part)

    def _result_text(self, answer: SimilarMails) -> str:
        if not answer.indexed:
            return ""
        if not answer.mails:
            return self.tr("No other related emails.") if self._question.besides else ""
        if self._question.besides:
            return self.tr("%n related email(s) below.", "", len(answer.mails))
        return self.tr("No mail has all the words. %n similar.", "", len(answer.mails))

    def _index_text(self, answer: SimilarMails) -> str:
        indexed, waiting = number_words(answer.indexed), number_words(answer.waiting)
        if answer.waiting and answer.indexed:
            whole = number_words(answer.indexed + answer.waiting)
            return self.tr("Smart search is being set up: %1 of %2 emails.").replace("%1", indexed).replace("%2", whole)
        if answer.waiting:
            return self.tr("Smart search is still being set up: %1 emails to go.").replace("%1", waiting)
        return "" if answer.indexed else self.tr("Smart search has no emails yet.")

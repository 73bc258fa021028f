"""Similar mail for a search. The engine is asked after the full-text answer has come; typing on cancels the question. Also builds
the status text, for example when nothing is indexed.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from PySide6.QtCore import QObject, Signal

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
from app.ui.services.async_task import EngineQuestion, loop_runs, single_shot

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
        self._asking, self._passages = EngineQuestion(context.link, self), EngineQuestion(context.link, self)
        self._question = FindSimilar("")
        self._answered = ""
        self._answer: SimilarMails | None = None
        self._failed = False
        self.words = ""
        self._slow_timer = single_shot(self, lambda: self._set_words(self.tr("Looking for related emails…")), LOOKING_MS)
        self._repeat_timer = single_shot(self, self._start, AGAIN_MS)

    @property
    def mails(self) -> Sequence[FoundMail]:
        return self._answer.mails if self._answer is not None else ()

    @property
    def under_way(self) -> bool:
        return self._asking.busy

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
        """Asks for the passages of the mails in view in turn. Without one a row shows the beginning of its mail."""
        mail = next((one for one in self.mails if one.message_id not in self._read and self._in_view(one)), None)
        if mail is not None and loop_runs() and not self._passages.busy:
            self._read.add(mail.message_id)
            question = FindPassage(self._question.text, mail.message_id)
            self._passages.ask(question, partial(self._put_passage, mail.message_id), lambda _error: None)

    def _put_passage(self, message_id: MessageId, found: FoundPassage) -> None:
        if self._answer is not None and found.passage:
            why = (SearchMatch(MatchPlace.MEANING, found.passage),)
            mails = tuple(replace(one, why=why) if one.message_id == message_id else one for one in self._answer.mails)
            self._answer = replace(self._answer, mails=mails)
            self.came.emit()
        self.look()

    def end(self) -> None:
        self._asking.cancel()
        self._passages.cancel()
        self._slow_timer.stop()
        self._repeat_timer.stop()

    def clear(self) -> None:
        self.end()
        self._answered, self._answer, self._failed = "", None, False
        self._set_words("")

    def hear(self, event: Event) -> bool:
        """Handles an event. Returns whether the search should be made again."""
        again, answer = False, self._answer
        if isinstance(event, EngineReady):
            again = self._failed
        elif isinstance(event, SettingsChanged):
            again = answer is not None and answer.likeness is SimilarityState.PAUSED
        elif isinstance(event, IndexProgress) and answer is not None and answer.waiting:
            again = event.done >= event.total
            waiting = event.total - event.done
            if not again:
                self._answer = replace(answer, indexed=max(0, answer.indexed + answer.waiting - waiting), waiting=waiting)
            if not again and not self.under_way:
                self._set_words(self._status_text(self._answer))
        if again:
            self._answered = ""
        return again

    def _start(self) -> None:
        self._repeat_timer.stop()
        self._passages.cancel()
        self._slow_timer.start()
        self._asking.ask(self._question, self._finish, partial(self._finish, None))

    def _finish(self, answer: SimilarMails | None, error: ExpectedError | None = None) -> None:
        self._slow_timer.stop()
        self._answer, self._failed = answer, error is not None
        self._answered = self._question.text if answer is not None else ""
        self._set_words(self._error_text(error) if error is not None else self._status_text(answer))
        self._read.clear()
        self.came.emit()
        self.look()

    def _set_words(self, words: str) -> None:
        if words != self.words:
            self.words = words
            self.said.emit()

    def _error_text(self, error: ExpectedError) -> str:
        words = {
            "link_closed": self.tr("Smart search is restarting."),
            "index_lost": self.tr("The smart-search index was damaged and is being rebuilt."),
            "refused": "",  # the notes of the search say what was not understood
        }
        none = self.tr("Smart search isn't available.")
        return words.get(error.code, f"{none} {sentence(error.code, error.text)}")

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
        if not answer.indexed or not (answer.mails or self._question.besides):
            return ""
        if not answer.mails:
            return self.tr("No other related emails.")
        if self._question.besides:
            return self.tr("%n related email(s) below.", "", len(answer.mails))
        return self.tr("No mail has all the words. %n similar.", "", len(answer.mails))

    def _index_text(self, answer: SimilarMails) -> str:
        indexed, waiting = answer.indexed, number_words(answer.waiting)
        if not answer.waiting:
            return "" if indexed else self.tr("Smart search has no emails yet.")
        if not indexed:
            return self.tr("Smart search is still being set up: %1 emails to go.").replace("%1", waiting)
        words = self.tr("Smart search is being set up: %1 of %2 emails.").replace("%1", number_words(indexed))
        return words.replace("%2", number_words(indexed + answer.waiting))

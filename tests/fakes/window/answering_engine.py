"""The window's end of the link with an engine that searches, and makes changes of mail with the events that follow."""

from collections.abc import Awaitable

from app.domain.protocol.changes import ChangeLabels, CorrectVerdict, Mute, Snooze, UndoChange, UndoCorrection, Unmute
from app.domain.protocol.events import Initiator, MailChanged
from app.domain.protocol.queries import CountMail, FindMail, FindSimilar, FoundMails, MailCounts, SimilarityState, SimilarMails
from app.domain.wire import Answer, Command, Query
from app.store.db.times import from_ms
from app.store.mail.label_actions import Actions
from app.store.mail.label_rows import LabelChangeResult
from app.store.mail.snoozes import MutedThreads, Snoozes
from app.store.search.search import Search
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.recorded_engine import RecordedEngine


class AnsweringEngine(RecordedEngine):
    """Makes label changes, snoozes, mutes and their Undo. Nothing is made while `held`; `release` makes what waited."""

    def __init__(self, store: LivelyStore) -> None:
        super().__init__()
        self._store = store
        self._actions, self._snoozes = Actions(store.db, store.clock), Snoozes(store.db, store.clock)
        self._muted = MutedThreads(store.db, store.clock)
        self._waiting: list[Command] = []
        self.held = False

    def send(self, command: Command) -> None:
        """Records and makes a change."""
        super().send(command)
        self._waiting.append(command)
        if not self.held:
            self.release()

    def ask(self, query: Query) -> Awaitable[Answer]:
        """Answers a search from the store; nothing is similar."""
        if isinstance(query, FindMail | FindSimilar | CountMail):
            self.queries.append(query)
            return self._found(query)
        return super().ask(query)

    async def _found(self, query: FindMail | FindSimilar | CountMail) -> Answer:
        if isinstance(query, FindSimilar):
            return SimilarMails((), SimilarityState.COMPARED, 0)
        search = Search(self._store.db, self._store.clock)
        if isinstance(query, CountMail):
            counts = MailCounts(tuple(map(search.count, query.texts)))
            search.close()
            return counts
        found = search.find(query.text, query.limit).mails
        search.close()
        return FoundMails(tuple(found), more=False)

    def release(self) -> None:
        """Makes the changes that waited."""
        self.held = False
        waiting, self._waiting = self._waiting, []
        for command in waiting:
            for account_id, threads in self._made(command).threads.items():
                self.tell(MailChanged(account_id, threads, Initiator.USER))

    def _made(self, command: Command) -> LabelChangeResult:
        match command:
            case ChangeLabels(key, thread_ids, add, remove):
                return self._actions.change(key, thread_ids, add, remove)
            case CorrectVerdict(key, thread_ids):
                return self._actions.change(key, thread_ids, command.add, command.remove)
            case UndoCorrection(key):
                return self._actions.undo(key)
            case Snooze(key, thread_ids, until_ms):
                return self._snoozes.put(key, thread_ids, from_ms(until_ms))
            case Mute(key, thread_ids):
                return self._muted.put(key, thread_ids)
            case Unmute(thread_ids):
                return self._muted.remove(thread_ids)
            case UndoChange(key):
                return self._actions.undo(key)
        return LabelChangeResult({}, ())

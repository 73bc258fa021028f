"""The window's end of the link with an engine that makes changes of mail: in the store, with the events that follow."""

from app.domain.protocol.changes import ChangeLabels, Snooze, UndoChange
from app.domain.protocol.commands import Command
from app.domain.protocol.events import Initiator, MailChanged
from app.store.db.times import from_ms
from app.store.mail.label_actions import Actions
from app.store.mail.label_rows import LabelChangeResult
from app.store.mail.snoozes import Snoozes
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.recorded_engine import RecordedEngine


class AnsweringEngine(RecordedEngine):
    """Makes label changes, snoozes and their Undo. Nothing is made while `held`; `release` makes what waited."""

    def __init__(self, store: LivelyStore) -> None:
        super().__init__()
        self._actions, self._snoozes = Actions(store.db, store.clock), Snoozes(store.db, store.clock)
        self._waiting: list[Command] = []
        self.held = False

    def send(self, command: Command) -> None:
        """Records and makes a change."""
        super().send(command)
        self._waiting.append(command)
        if not self.held:
            self.release()

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
            case Snooze(key, thread_ids, until_ms):
                return self._snoozes.put(key, thread_ids, from_ms(until_ms))
            case UndoChange(key):
                return self._actions.undo(key)
        return LabelChangeResult({}, ())

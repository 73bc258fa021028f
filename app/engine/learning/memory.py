"""What the agents read of the user's preferences, and the counting of their uses.

The user's own hand on the memory: add, edit, delete, restore.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from threading import Lock

from app.domain.agents.memory import Namespace, Preference, as_lines
from app.domain.errors import NotAllowed
from app.domain.ids import AccountId
from app.domain.protocol.commands import AddPreference, DeletePreference, EditPreference, RestorePreference
from app.domain.protocol.events import MemoryChanged
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.store_executor import StoreExecutor
from app.store.learning.preferences import Preferences


class StoredMemory:
    """Implements the graph's `MemoryReader`; preferences hold for all accounts."""

    def __init__(self, preferences: Preferences) -> None:
        self._preferences = preferences
        self._lock = Lock()
        self._uses: Counter[int] = Counter()

    def read(self, account_id: AccountId, namespace: str) -> str:
        """The preferences of a namespace as lines for a prompt, newest last; may be empty."""
        active = self._preferences.active(Namespace(namespace))
        self.note([one.id for one in active])
        return as_lines(active)

    def triage_rules(self) -> Sequence[Preference]:
        """What code follows when it sorts mail."""
        return self._preferences.rules(Namespace.TRIAGE)

    def writing_rules(self) -> Sequence[Preference]:
        """What code follows when it writes a reply."""
        return self._preferences.rules(Namespace.RESPONSE)

    def meeting_rules(self) -> Sequence[Preference]:
        """What code follows when it offers times to meet."""
        return self._preferences.rules(Namespace.CALENDAR)

    def note(self, ids: Sequence[int]) -> None:
        """These were used."""
        with self._lock:
            self._uses.update(ids)

    def count_uses(self) -> None:
        """Write the uses noted so far. Call it off the loop."""
        with self._lock:
            uses, self._uses = self._uses, Counter()
        for times in range(1, max(uses.values(), default=0) + 1):
            self._preferences.used([one for one, count in uses.items() if count >= times])


MemoryCommand = AddPreference | EditPreference | DeletePreference | RestorePreference


class PreferenceCommands:
    """Does the window's commands about preferences; `changed` is awaited after each."""

    def __init__(
        self, preferences: Preferences, threads: StoreExecutor, announcer: EventBus, changed: Callable[[], Awaitable[None]]
    ) -> None:
        self._preferences = preferences
        self._threads = threads
        self._announcer = announcer
        self._changed = changed

    async def do(self, command: MemoryCommand) -> None:
        """Do it and tell. Raises `NotFound`, `NotAllowed`."""
        changed = await self._threads.run(self._write, command)
        self._announcer.tell(MemoryChanged((changed,)))
        await self._changed()

    def _write(self, command: MemoryCommand) -> int:
        match command:
            case AddPreference(namespace, text):
                if namespace is Namespace.BACKGROUND:
                    raise NotAllowed("The background is a setting.", "Change it in Settings.")
                return self._preferences.add(namespace, text)
            case EditPreference(preference_id, text):
                self._preferences.edit(preference_id, text)
            case DeletePreference(preference_id):
                self._preferences.delete(preference_id)
            case RestorePreference(preference_id):
                self._preferences.restore(preference_id)
        return command.preference_id

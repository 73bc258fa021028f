"""Preferences as the agents read them, with a count of their uses, and the user's commands about them."""

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from threading import Lock
from typing import get_args

from app.domain.agents.memory import Namespace, Preference, RuleKind
from app.domain.agents.owner_profile import for_prompt
from app.domain.errors import NotAllowed
from app.domain.ids import AccountId
from app.domain.protocol.commands import AddPreference, DeletePreference, EditPreference, RestorePreference
from app.domain.protocol.events import MemoryChanged
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import Tables
from app.store.learning.preferences import Preferences

MOST_CORRECTIONS = 20
"""The newest corrected messages that a prompt names."""


class StoredMemory:
    """Implements the graph's `MemoryReader`.

    Preferences apply to all accounts, a profile to its own. `usual` is the text where there are none.
    """

    def __init__(self, preferences: Preferences, usual: Callable[[str], str] = lambda _namespace: "") -> None:
        self._preferences, self._usual = preferences, usual
        self._lock = Lock()
        self._uses: Counter[int] = Counter()

    def read(self, account_id: AccountId, namespace: str) -> str:
        """The preferences of a namespace as lines for a prompt, newest last, and possibly empty."""
        active = self._preferences.active(Namespace(namespace))
        corrected = [one for one in active if one.rule is not None and one.rule.kind is RuleKind.CORRECTION]
        active = tuple(one for one in active if one not in corrected[:-MOST_CORRECTIONS])
        used, text = for_prompt(active, account_id, self._usual(namespace))
        self.note([one.id for one in used])
        return text

    def rules(self, namespace: Namespace) -> Sequence[Preference]:
        """The preferences that code follows in triage, in writing a reply or in offering meeting times."""
        return self._preferences.rules(namespace)

    def note(self, ids: Sequence[int]) -> None:
        """Notes that these preferences were used."""
        with self._lock:
            self._uses.update(ids)

    def count_uses(self) -> None:
        """Writes the uses noted so far. Call it off the loop."""
        with self._lock:
            uses, self._uses = self._uses, Counter()
        for times in range(1, max(uses.values(), default=0) + 1):
            self._preferences.used([one for one, count in uses.items() if count >= times])


MemoryCommand = AddPreference | EditPreference | DeletePreference | RestorePreference


class PreferenceCommands:
    """Handles commands about preferences. `changed` is awaited after each."""

    commands = get_args(MemoryCommand)

    def __init__(self, tables: Tables, announcer: EventBus, changed: Callable[[], Awaitable[None]]) -> None:
        self._tables, self._announcer, self._changed = tables, announcer, changed

    async def do(self, command: MemoryCommand) -> None:
        """Handles one command and reports the change. Raises `NotFound` or `NotAllowed`."""
        changed = await self._tables.run(self._write, command)
        self._announcer.tell(MemoryChanged((changed,)))
        await self._changed()

    def _write(self, command: MemoryCommand) -> int:
        preferences = self._tables.preferences
        match command:
            case AddPreference(namespace, text):
                if namespace is Namespace.BACKGROUND:
                    raise NotAllowed("The background is a setting.", "Change it in Settings.")
                return preferences.add(namespace, text)
            case EditPreference(preference_id, text):
                preferences.edit(preference_id, text)
            case DeletePreference(preference_id):
                preferences.delete(preference_id)
            case RestorePreference(preference_id):
                preferences.restore(preference_id)
        return command.preference_id

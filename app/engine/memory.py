"""What the agents read of the user's preferences, and the counting of their uses.

Refuses to write while a run reads: uses are gathered, from any thread, and counted together later.
"""

from collections import Counter
from collections.abc import Sequence
from threading import Lock

from app.domain.ids import AccountId
from app.domain.memory import Namespace, Preference, as_lines
from app.store.preferences import Preferences


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

"""The user's own hand on the memory: add, edit, delete, restore. Refuses nothing that the store does not refuse."""

from collections.abc import Awaitable, Callable

from app.domain.commands import AddPreference, DeletePreference, EditPreference, RestorePreference
from app.domain.errors import Refused
from app.domain.events import MemoryChanged
from app.domain.memory import Namespace
from app.engine.announcer import Announcer
from app.engine.store_threads import StoreThreads
from app.store.preferences import Preferences

MemoryCommand = AddPreference | EditPreference | DeletePreference | RestorePreference


class Remembering:
    """Does the window's commands about preferences; `changed` is awaited after each."""

    def __init__(
        self, preferences: Preferences, threads: StoreThreads, announcer: Announcer, changed: Callable[[], Awaitable[None]]
    ) -> None:
        self._preferences = preferences
        self._threads = threads
        self._announcer = announcer
        self._changed = changed

    async def do(self, command: MemoryCommand) -> None:
        """Do it and tell. Raises `NotFound`, `Refused`."""
        changed = await self._threads.run(self._write, command)
        self._announcer.tell(MemoryChanged((changed,)))
        await self._changed()

    def _write(self, command: MemoryCommand) -> int:
        match command:
            case AddPreference(namespace, text):
                if namespace is Namespace.BACKGROUND:
                    raise Refused("The background is a setting.", "Change it in Settings.")
                return self._preferences.add(namespace, text)
            case EditPreference(preference_id, text):
                self._preferences.edit(preference_id, text)
            case DeletePreference(preference_id):
                self._preferences.delete(preference_id)
            case RestorePreference(preference_id):
                self._preferences.restore(preference_id)
        return command.preference_id

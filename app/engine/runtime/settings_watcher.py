"""The settings in force. A broken settings file is reported with its line; the last valid settings stay in force."""

import logging
from collections.abc import Callable, Iterable
from pathlib import Path

from app.config.settings import Settings, load
from app.domain.errors import BadFile
from app.domain.protocol.events import ErrorReported, SettingsChanged
from app.engine.runtime.event_bus import EventBus

log = logging.getLogger(__name__)


class LiveSettings:
    """The settings in force. Listeners get the old and the new ones."""

    def __init__(self, path: Path, announcer: EventBus) -> None:
        self._path, self._announcer = path, announcer
        self._read_at = changed_at(path)
        self._listeners: list[Callable[[Settings, Settings], None]] = []
        try:
            self.now = load(path)
        except BadFile as error:
            tell_broken(error, announcer)
            self.now = Settings()

    def listen(self, listener: Callable[[Settings, Settings], None]) -> None:
        """Calls `listener` with the old and the new settings after each change."""
        self._listeners.append(listener)

    def change(self, pairs: Iterable[tuple[str, str]]) -> Settings:
        """Writes dotted keys with JSON values. Raises `BadFile`, `NotAllowed` or `DiskFull`; then nothing has changed."""
        from app.config.settings_file import change  # needs tomlkit, which is slow to import

        changed = change(self._path, pairs)
        self._read_at = changed_at(self._path)
        self._put_in_force(changed)
        return self.now

    def refresh(self) -> None:
        """Reads the file again if another program wrote it. A broken file is reported and changes nothing."""
        written_at = changed_at(self._path)
        if written_at == self._read_at:
            return
        self._read_at = written_at
        try:
            settings = load(self._path)
        except BadFile as error:
            tell_broken(error, self._announcer)
            return
        if settings != self.now:
            self._put_in_force(settings)
            self._announcer.tell(SettingsChanged(settings.model.name))

    def _put_in_force(self, settings: Settings) -> None:
        old, self.now = self.now, settings
        for listener in self._listeners:
            listener(old, settings)


def changed_at(path: Path) -> int | None:
    """Modification time in nanoseconds, None if the file does not exist."""
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return None


def tell_broken(error: BadFile, announcer: EventBus) -> None:
    """Logs a broken file and reports it to the window. Call it on the loop's thread."""
    log.error("%s", error)
    announcer.tell(ErrorReported(error.code, error.text._replace(place=f"{error.path}:{error.line}")))

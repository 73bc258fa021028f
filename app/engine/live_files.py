"""Settings and rules as the files have them now. A broken file is told with its line; the last good state stays in force."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from app.config.paths import DataFolder
from app.config.settings import Settings, load
from app.domain.errors import BadFile
from app.domain.events import SettingsChanged, Trouble
from app.domain.routing import Rule
from app.engine.announcer import Announcer

log = logging.getLogger(__name__)


class LiveSettings:
    """The settings in force. Listeners get the old and the new ones."""

    def __init__(self, path: Path, announcer: Announcer) -> None:
        self._path = path
        self._announcer = announcer
        self._read_at = _changed_at(path)
        self._listeners: list[Callable[[Settings, Settings], None]] = []
        try:
            self.now = load(path)
        except BadFile as error:
            _tell(error, announcer)
            self.now = Settings()

    def listen(self, listener: Callable[[Settings, Settings], None]) -> None:
        """Call `listener` after each change."""
        self._listeners.append(listener)

    def change(self, pairs: Iterable[tuple[str, str]]) -> Settings:
        """Write dotted keys with JSON values. Raises `BadFile`, `Refused`, `DiskFull`; then nothing was changed."""
        from app.config.settings_file import change  # tomlkit: only a change pays for it

        changed = change(self._path, pairs)
        self._read_at = _changed_at(self._path)
        self._put_in_force(changed)
        return self.now

    def refresh(self) -> None:
        """Read the file again if somebody else wrote it; a broken one is told and changes nothing."""
        changed_at = _changed_at(self._path)
        if changed_at == self._read_at:
            return
        self._read_at = changed_at
        try:
            settings = load(self._path)
        except BadFile as error:
            _tell(error, self._announcer)
            return
        if settings != self.now:
            self._put_in_force(settings)
            self._announcer.tell(SettingsChanged(model_label(settings)))

    def _put_in_force(self, settings: Settings) -> None:
        old, self.now = self.now, settings
        for listener in self._listeners:
            listener(old, settings)


class LiveRules:
    """The routing rules in force, read again when the file changes."""

    def __init__(self, path: Path, announcer: Announcer) -> None:
        self._path = path
        self._announcer = announcer
        self._tell = partial(_from_any_thread, asyncio.get_running_loop()) if _in_loop() else _tell
        self._read_at: int | None = None
        self._rules: tuple[Rule, ...] = ()

    def __call__(self) -> Sequence[Rule]:
        """The rules in order. Call it off the loop: it looks at the file."""
        changed_at = _changed_at(self._path)
        if changed_at is None:
            self._read_at, self._rules = None, ()
            return ()
        if changed_at != self._read_at:
            self._read_at = changed_at
            self._read()
        return self._rules

    def _read(self) -> None:
        from app.config.rules import load_rules  # ruamel.yaml: only those with rules pay for it

        try:
            self._rules = load_rules(self._path)
        except BadFile as error:
            self._tell(error, self._announcer)


def model_label(settings: Settings) -> str:
    """The configured model, empty for none."""
    return settings.model.name


def live_files(folder: DataFolder, announcer: Announcer) -> tuple[LiveSettings, LiveRules]:
    """Both, for one data folder."""
    return LiveSettings(folder.settings, announcer), LiveRules(folder.rules, announcer)


def _changed_at(path: Path) -> int | None:
    """When a file was written last, None if there is none."""
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return None


def _in_loop() -> bool:
    """Whether this code runs inside an event loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _from_any_thread(loop: asyncio.AbstractEventLoop, error: BadFile, announcer: Announcer) -> None:
    loop.call_soon_threadsafe(_tell, error, announcer)


def _tell(error: BadFile, announcer: Announcer) -> None:
    log.error("%s", error)
    announcer.tell(Trouble(error.code, f"{error.path}:{error.line}: {error.detail}", error.remedy))

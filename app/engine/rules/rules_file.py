"""Rules and profiles in force. They are read again without a restart when their file or a prompt changes.

A broken file is reported with its line and changes nothing: the last valid rules stay in force.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Collection, Sequence
from hashlib import sha256
from pathlib import Path

from app.domain.agents.routing import RuleSet
from app.domain.agents.tools import AgentProfile
from app.domain.errors import BadFile
from app.domain.protocol.events import RulesChanged
from app.domain.record import Record
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.settings_watcher import changed_at, tell_broken

TRY_AGAIN_S = 10.0
"""A broken file is read again this often, since a prompt that it names may have been repaired."""

Stamp = tuple[tuple[Path, int | None], ...]


class ActiveRules(Record):
    """The rules in force. `fault` is the error of the current file, if it is broken."""

    rules: RuleSet
    profiles: tuple[AgentProfile, ...] = ()
    error: BadFile | None = None

    @property
    def off(self) -> frozenset[str]:
        """The profiles that are switched off. Rules that lead to them are passed over."""
        return frozenset(profile.name for profile in self.profiles if not profile.enabled)


class RulesFile:
    """Create it on the loop. Call its other methods off the loop, since they read files.

    `known_tools` returns the names that profiles may list, None while they are unknown.
    """

    def __init__(self, path: Path, announcer: EventBus, known_tools: Callable[[], Collection[str] | None]) -> None:
        self.path, self._announcer, self.known_tools = path, announcer, known_tools
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._stamp: Stamp = ((path, None),)
        self._in_force = ActiveRules(RuleSet((), _refuse))
        self._listeners: list[Callable[[], None]] = []

    def listen(self, listener: Callable[[], None]) -> None:
        """Calls `listener` on the loop after the profiles in force changed."""
        self._listeners.append(listener)

    def __call__(self) -> RuleSet:
        return self.look().rules

    def look(self, again: bool = False) -> ActiveRules:
        """The rules in force. The file is read when it changed, or with `again` because what it is checked against changed."""
        with self._lock:
            mended = self._in_force.error is not None and time.monotonic() - self._read_at_s > TRY_AGAIN_S
            if again or mended or self._stamp != self._stamped():
                self._read()
            return self._in_force

    def _read(self) -> None:
        before = self._in_force
        self._stamp, self._read_at_s = self._stamped(), time.monotonic()
        try:
            rules, profiles = self._load()
        except BadFile as error:
            self._in_force = ActiveRules(before.rules, before.profiles, error)
            if before.error is None or str(before.error) != str(error):
                self._loop.call_soon_threadsafe(self._report, error)
            return
        self._in_force = ActiveRules(rules, profiles)
        self._stamp = self._stamped()
        self._loop.call_soon_threadsafe(self._report, None)
        if profiles != before.profiles:
            for listener in self._listeners:
                self._loop.call_soon_threadsafe(listener)

    def _load(self) -> tuple[RuleSet, tuple[AgentProfile, ...]]:
        if changed_at(self.path) is None:
            return RuleSet((), _refuse), ()
        from app.config.rules.profiles import load_routing  # imports ruamel.yaml and regex, needed only with rules
        from app.config.rules.rules import rule_set

        rules, profiles = load_routing(self.path, self.known_tools())
        return rule_set(rules, [profile.name for profile in profiles if not profile.enabled]), profiles

    def _stamped(self) -> Stamp:
        """The modification times of the file and the prompts in force."""
        prompts = dict.fromkeys(profile.system_prompt_file for profile in self._in_force.profiles)
        return tuple((path, changed_at(path)) for path in (self.path, *prompts))

    def _report(self, error: BadFile | None) -> None:
        if error is not None:
            tell_broken(error, self._announcer)
        self._announcer.tell(RulesChanged())


def fingerprint(path: Path) -> str:
    """SHA-256 of the file's content, empty for a missing file."""
    try:
        return sha256(path.read_bytes()).hexdigest()
    except FileNotFoundError:
        return ""


def profiles_fingerprint(path: Path, profiles: Sequence[AgentProfile]) -> str:
    """SHA-256 of the file and of the prompts in force."""
    told = [fingerprint(path), *(profile.system_prompt for profile in profiles)]
    return sha256("\0".join(told).encode(errors="replace")).hexdigest()


def _refuse(pattern: str) -> Callable[[str], bool | None]:
    """Compiles no pattern, since there are no rules."""
    raise ValueError(pattern)

"""Waiting ends with what was waited for, or says what did not come."""

from collections.abc import Awaitable, Callable

import pytest

from app.demo.command import consent_when_synced
from app.demo.script import DemoStuck, EventWatcher
from app.domain.error_texts import ErrorText
from app.domain.ids import AccountId
from app.domain.protocol.commands import Answer, Command, Query, StartDrafting
from app.domain.protocol.events import EngineReady, ErrorReported, Event, SyncPhase, SyncProgress

pytestmark = pytest.mark.anyio


class Wire:
    """The link's surface that the demo uses: events in, commands out."""

    def __init__(self) -> None:
        self.listeners: list[Callable[[Event], None]] = []
        self.sent: list[Command] = []

    def send(self, command: Command) -> None:
        self.sent.append(command)

    def ask(self, query: Query) -> Awaitable[Answer]:
        raise AssertionError(query)

    def subscribe(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        self.listeners.append(listener)
        return lambda: self.listeners.remove(listener)

    def tell(self, event: Event) -> None:
        for listener in list(self.listeners):
            listener(event)


async def test_it_remembers_and_finds_the_newest() -> None:
    wire = Wire()
    watcher = EventWatcher(wire, 5)
    wire.tell(EngineReady(1, ""))
    wire.tell(EngineReady(2, "m"))
    await watcher.until("ready", lambda: watcher.last(EngineReady) == EngineReady(2, "m"))
    watcher.close()
    assert not wire.listeners


async def test_the_limit_names_what_was_waited_for_and_the_last_trouble() -> None:
    wire = Wire()
    watcher = EventWatcher(wire, 0)
    wire.tell(ErrorReported("offline", ErrorText.of("no route")))
    with pytest.raises(DemoStuck, match=r"in vain for rain.*offline: no route"):
        await watcher.until("rain", lambda: False)


async def test_consent_is_given_once_an_account_and_only_when_it_is_synced() -> None:
    wire = Wire()
    consent_when_synced(7)(wire)
    wire.tell(SyncProgress(AccountId(1), SyncPhase.BACKFILL, 3, 9, -1.0))
    assert wire.sent == []
    for _ in range(3):
        wire.tell(SyncProgress(AccountId(1), SyncPhase.CURRENT, 9, 9, 0.0))
    wire.tell(SyncProgress(AccountId(2), SyncPhase.CURRENT, 1, 1, 0.0))
    assert wire.sent == [StartDrafting(AccountId(1), 7), StartDrafting(AccountId(2), 7)]

"""Waiting ends with what was waited for, or says what did not come."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import psutil
import pytest

from app.config.paths import DataFolder, resource
from app.config.settings import load
from app.demo.command import consent_when_synced, write_sample_settings
from app.demo.local_server import LocalServer, source_arguments
from app.demo.script import DemoStuck, EventWatcher
from app.domain.error_texts import ErrorText
from app.domain.errors import BadFile
from app.domain.ids import AccountId
from app.domain.protocol.commands import StartDrafting
from app.domain.protocol.events import ErrorReported, SyncPhase, SyncProgress
from app.domain.wire import Answer, Command, Event, Query
from fakes.gmail.mbox_file import MBOX


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


def test_the_samples_calendar_is_connected(tmp_path: Path) -> None:
    data = DataFolder(tmp_path)
    write_sample_settings(data, resource("sample"))
    settings = load(data.settings)
    assert (settings.calendar.connected, settings.contacts.connected) == (True, True)
    assert settings.calendar.time_zone == "Europe/Prague"


def test_it_serves_an_mbox_and_ends(tmp_path: Path) -> None:
    file = tmp_path / "a.mbox"
    file.write_bytes(MBOX)
    server = LocalServer(source_arguments(tmp_path, file, "me@example.com"))
    try:
        assert (server.account, server.messages) == ("me@example.com", 1)
        (mail,) = server.dump()
        assert set(mail.label_ids) == {"INBOX", "UNREAD"}
        assert server.text_of(mail.id).strip() == "Are you open on Sunday?"
        assert server.sent() == []
        assert server.environment()["REPLYROOM_GOOGLE_ENDPOINT"] == server.url
    finally:
        server.close()
    assert not [child for child in psutil.Process().children() if "sandbox" in child.cmdline()]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="no such file"):
        source_arguments(tmp_path, tmp_path / "none.mbox", "")


def test_a_source_that_cannot_be_read_is_explained(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="cannot start"):
        LocalServer(["--sample", str(tmp_path / "nowhere")])

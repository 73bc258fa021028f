"""Anything pressed anywhere, in a real window with the real engine behind it, which is killed now and then.

Nothing may leave (nobody answers where Gmail should be), no exception may go uncaught, Qt may not warn, and after each act
something on screen must have the keyboard. `REPLYROOM_MONKEY=seed:seconds` runs another monkey.
"""

import asyncio
import os
import sys
import time
import traceback
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

import pytest
from PySide6.QtCore import QObject, QTimer, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.logging import _QtMessageCapture as QtLog

from app.config.paths import DataFolder
from app.ui.startup.application import WindowOptions
from end_to_end.screenshots.mailbox import filled as busy_mailbox
from fakes.window.keyboard import Stuck
from fakes.window.random_user import Monkey
from fakes.window.ready_window import engine_window

SETTINGS = (
    "[sync]\npoll_s = 300\n[sending]\nundo_s = 300\n[drafting]\npaused = true\n"
    "[model]\nname = 'openai/none'\napi_base = 'http://127.0.0.1:9'\n"  # without one, changes are not asked for
)
RULES = "routing:\n  rules:\n" + "".join(
    f"    - name: r{at}\n      match: {{sender_email: a{at}@b.org}}\n      route: pipeline\n" for at in range(5)
)
CHOSEN = os.environ.get("REPLYROOM_MONKEY", "1:60")
CHECK_EVERY = 5
PAUSES_MS = (0, 0, 0, 1, 10, 60)


class Elsewhere(QObject):
    """The system's own programs, to which addresses and files are shown."""

    @Slot(QUrl)
    def show(self, _url: QUrl) -> None:
        """Nothing comes of it."""


class Play:
    """One monkey's time: it acts, each time out of a timer of its own, so that a menu that turns the loop is no end."""

    def __init__(self, monkey: Monkey, until: float, log: QtLog) -> None:
        self.monkey, self._until, self._log = monkey, until, log
        self.faults: list[str] = []
        self.acts = 0
        self.over: asyncio.Future[None] = asyncio.get_event_loop().create_future()

    def fault(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        self.faults.append("".join(traceback.format_exception(kind, error, trace)))

    def in_a_task(self, _loop: object, context: dict[str, object]) -> None:
        error = context.get("exception")
        said = "".join(traceback.format_exception(error)) if isinstance(error, BaseException) else ""
        self.faults.append(f"{context.get('message')}\n{said}")

    def step(self) -> None:
        if self.over.done():
            return
        if self.faults or time.monotonic() > self._until:
            self.over.set_result(None)
            return
        QTimer.singleShot(self.monkey.dice.choice(PAUSES_MS), self.step)
        try:
            self.monkey.act()
            self.acts += 1
            if self.acts % CHECK_EVERY == 0:
                self.monkey.look()
        except Stuck as error:
            self.faults.append(f"Stuck: {error}")
        self.faults += [one.message for one in self._log.records if one.matches_level("WARNING") and not one.ignored]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DataFolder:
    monkeypatch.setenv("HOME", str(tmp_path))
    data = DataFolder(tmp_path / "data")
    data.prepare()
    store = busy_mailbox(data.database)
    store.close()
    data.settings.write_text(SETTINGS)
    (data.root / "routing.yaml").write_text(RULES)
    return data


@pytest.mark.soak
def test_a_monkey_finds_no_fault(qapp: QApplication, home: DataFolder, qtlog: QtLog, monkeypatch: pytest.MonkeyPatch) -> None:
    seed, seconds = map(int, CHOSEN.split(":"))
    elsewhere = Elsewhere()
    for scheme in ("file", "http", "https", "mailto"):
        QDesktopServices.setUrlHandler(scheme, elsewhere, "show")
    options = WindowOptions(page="review", open_link=lambda address: None, clock=lambda: datetime.now(UTC))
    with engine_window(qapp, home, options) as opened:
        opened.window.activateWindow()
        assert QTest.qWaitForWindowActive(opened.window, 30_000)
        opened.bridge.start()
        monkey = Monkey(opened.window, seed, opened.bridge._notify, lambda: opened.bridge.pid)
        play = Play(monkey, time.monotonic() + seconds, qtlog)
        monkeypatch.setattr(sys, "excepthook", play.fault)
        opened.loop.set_exception_handler(play.in_a_task)
        QTimer.singleShot(0, play.step)
        opened.loop.run_until_complete(play.over)
    for scheme in ("file", "http", "https", "mailto"):
        QDesktopServices.unsetUrlHandler(scheme)
    print(f"seed {seed}: {play.acts} acts in {seconds} s, {dict(monkey.counts)}")
    if play.faults:
        pytest.fail("\n".join([*play.faults, "after:", *monkey.done[-25:]]), pytrace=False)

"""A morning by keyboard alone: the real window, the real engine process behind it, keys to whatever has the keyboard.

After each key something on screen must have the keyboard (`fakes.window.keyboard`); nothing here calls a widget's methods.

Anything pressed anywhere, in a real window with the real engine behind it, which is killed now and then.

Nothing may leave (nobody answers where Gmail should be), no exception may go uncaught, Qt may not warn, and after each act
something on screen must have the keyboard. `REPLYROOM_MONKEY=seed:seconds` runs another monkey.
"""

import asyncio
import json
import os
import sys
import time
import traceback
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
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
from app.domain.drafting.draft import Draft
from app.domain.drafting.review import Review, ReviewKind, ReviewStatus
from app.domain.ids import ReviewId
from app.domain.protocol.events import EngineReady
from app.domain.wire import Event
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.ui.startup.application import WindowOptions
from app.ui.window.main_window import MainWindow
from end_to_end.screenshots.mailbox import filled as busy_mailbox
from fakes.engine.store.sample_store import ANA, LEE, TOM, LivelyStore, Mail, lively_store
from fakes.window.keyboard import Keyboard, Stuck
from fakes.window.random_user import Monkey
from fakes.window.ready_window import engine_window

SETTINGS = (
    "[sync]\npoll_s = 300\n[sending]\nundo_s = 300\n[drafting]\npaused = true\n"
    "[model]\nname = 'openai/none'\napi_base = 'http://127.0.0.1:9'\n"  # without one, changes are not asked for
)
MORE = (
    *(ReviewKind.REPLY,) * 6,
    *(ReviewKind.NEEDS_REVIEW,) * 2,
    *(ReviewKind.TOOL_CALL,) * 3,
    ReviewKind.NOTIFY,
    ReviewKind.QUESTION,
    ReviewKind.ESCALATION,
)
MEETING = {
    "attendees": [LEE.email],
    "title": "Photo shoot",
    "start_time": "2026-11-26T10:00:00",
    "end_time": "2026-11-26T11:00:00",
    "organizer_email": "mia@workshop.example",
    "timezone": "Europe/Prague",
}
REQUESTS = (
    {"action": "schedule_meeting", "args": MEETING},
    {"action": "manage_reservation", "args": {"drug": "Ibalgin 400", "pieces": 2}},
)


@dataclass
class Desk:
    """Who sits there: the window, the keyboard, and what the store says."""

    window: MainWindow
    keys: Keyboard
    reader: SqliteMailboxReader
    events: list[Event]

    @property
    def open_review(self) -> Review:
        found = self.window.review_page.current_review()
        assert found is not None
        return found

    def status(self, review_id: ReviewId) -> ReviewStatus:
        found = self.reader.review(review_id)
        return found.status

    async def decided(self, review_id: ReviewId, status: ReviewStatus) -> None:
        """Wait for the engine's word; the queue has the keyboard again, so that single letters are commands."""
        await self.keys.until(lambda: self.status(review_id) is status, f"{status} of {review_id}")
        assert self.keys.at == "Waiting for you", self.keys.at

    async def came_up(self, other_than: ReviewId) -> None:
        """Wait until another item is on the desk and has been looked at."""
        page = self.window.review_page
        await self.keys.until(lambda: (one := page.current_review()) is not None and one.id != other_than, "the next item")
        await asyncio.sleep((page.deciding.glance_ms + 20) / 1000)


def more_reviews(store: LivelyStore) -> None:
    for number, kind in enumerate(MORE):
        key, sender = f"more{number}", (ANA, TOM, LEE)[number % 3]
        store.put(Mail(key, key, sender, f"Question {number}", f"Hello Mia,\n\nwhat about {number}?\n\nBye", 60 + number))
        draft = Draft((sender,), (), (), f"Re: Question {number}", f"Hello,\n\nanswer {number}.\n\nKind regards", "template")
        request = json.dumps(REQUESTS[number % 2]) if kind is ReviewKind.TOOL_CALL else ""
        shown = draft if kind is ReviewKind.REPLY else None
        store.propose(key, key, kind, shown, detail=f"Number {number}.", request_json=request)


@contextmanager
def at_work(data: DataFolder) -> Iterator[Desk]:
    """The window over a data folder with the engine behind it, ended in order."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    with engine_window(app, data, WindowOptions(page="review", open_link=lambda address: None)) as opened:
        events: list[Event] = []
        opened.bridge.subscribe(events.append)
        opened.window.activateWindow()
        assert QTest.qWaitForWindowActive(opened.window, 30_000)
        opened.bridge.start()
        yield Desk(opened.window, Keyboard(), SqliteMailboxReader(data.database), events)


def spend(data: DataFolder, *parts: Callable[[Desk], Awaitable[None]]) -> None:
    async def morning(desk: Desk) -> None:
        await desk.keys.until(lambda: any(isinstance(one, EngineReady) for one in desk.events), "the engine")
        for part in parts:
            await part(desk)

    with at_work(data) as desk:
        try:
            asyncio.get_event_loop().run_until_complete(asyncio.wait_for(morning(desk), 170))
        except Stuck as error:
            said = (desk.window.review_page.desk.flags.words, desk.window.review_page.desk.flags.approval_error, desk.events[-4:])
            raise Stuck(f"{error}; on screen: {said}") from error
        desk.reader.close()


def fill_places(desk: Desk, review: Review) -> None:
    slots = review.proposal.draft.open_slots if review.proposal.draft is not None else ()
    if slots:
        desk.keys.press("E")
    for number, _slot in enumerate(slots):
        if number:
            desk.keys.press("Tab")
        desk.keys.type("4711")
    if slots:
        desk.keys.press("Escape")


async def approve(desk: Desk, review: Review) -> None:
    fill_places(desk, review)
    desk.keys.press("Ctrl+Return")
    await desk.decided(review.id, ReviewStatus.APPROVED)


async def edit_and_approve(desk: Desk, review: Review) -> None:
    fill_places(desk, review)
    desk.keys.press("E", "Ctrl+Home")
    desk.keys.type("Dear friend. ")
    assert desk.keys.text().startswith("Dear friend.")
    desk.keys.press("Ctrl+Return")
    await desk.decided(review.id, ReviewStatus.APPROVED)
    stored = desk.reader.review(review.id)
    assert stored is not None and stored.proposal.draft is not None and "Dear friend" in stored.proposal.draft.body


async def change_the_subject_and_approve(desk: Desk, review: Review) -> None:
    fill_places(desk, review)
    desk.keys.tab_to("Subject")
    desk.keys.replace("Another subject")
    desk.keys.press("Ctrl+Return")
    await desk.decided(review.id, ReviewStatus.APPROVED)
    stored = desk.reader.review(review.id)
    assert stored is not None and stored.proposal.draft is not None and stored.proposal.draft.subject == "Another subject"


async def reject(desk: Desk, review: Review) -> None:
    """With a reason; kinds without a draft need none."""
    desk.keys.press("Delete")
    if review.proposal.draft is not None:
        desk.keys.type("Not now")
        desk.keys.press("Return")
    wanted = ReviewStatus.REJECTED if review.proposal.kind in WORK else ReviewStatus.DISMISSED
    await desk.decided(review.id, wanted)


async def reject_with_a_chip(desk: Desk, review: Review) -> None:
    """A common reason by Tab and Space, after a look at why, and after a change of mind by Escape."""
    desk.keys.press("Delete", "Escape", "W", "W", "D", "D", "Delete")
    desk.keys.press("Tab", "Tab", "Tab", "Tab")
    assert desk.keys.at == "Wrong tone"
    desk.keys.press("Space", "Return")
    await desk.decided(review.id, ReviewStatus.REJECTED)


async def ask_for_changes(desk: Desk, review: Review) -> None:
    desk.keys.press("R")
    desk.keys.type("Shorter, please")
    desk.keys.press("Ctrl+Return" if review.proposal.kind is ReviewKind.QUESTION else "Return")
    await desk.decided(review.id, ReviewStatus.ANSWERED)


async def save(desk: Desk, review: Review) -> None:
    desk.keys.press("S")
    await desk.decided(review.id, ReviewStatus.SAVED_AS_DRAFT)


async def change_an_argument_and_approve(desk: Desk, review: Review) -> None:
    desk.keys.press("E")
    if desk.window.review_page.desk.meeting.isVisible():
        desk.keys.press("Down")  # the slot in the day, a step later
    else:
        desk.keys.replace("Paralen 500")
    desk.keys.press("Ctrl+Return")
    await desk.decided(review.id, ReviewStatus.APPROVED)


async def take_back(desk: Desk, review: Review) -> None:
    """Undo: the item is on the desk again, and the queue has the keyboard."""
    desk.keys.press("Z")
    page = desk.window.review_page
    await desk.keys.until(lambda: desk.status(review.id) is ReviewStatus.PENDING, "the undo")
    await desk.keys.until(lambda: (one := page.current_review()) is not None and one.id == review.id, "the item on the desk")
    assert desk.keys.at == "Waiting for you", desk.keys.at
    await asyncio.sleep((page.deciding.glance_ms + 20) / 1000)


Way = Callable[[Desk, Review], Awaitable[None]]
WORK = (ReviewKind.REPLY, ReviewKind.TOOL_CALL)
WAYS: dict[ReviewKind, tuple[Way, ...]] = {
    ReviewKind.REPLY: (
        approve,
        edit_and_approve,
        reject,
        ask_for_changes,
        save,
        change_the_subject_and_approve,
        reject_with_a_chip,
    ),
    ReviewKind.NOTIFY: (reject, ask_for_changes),
    ReviewKind.TOOL_CALL: (approve, change_an_argument_and_approve, reject, ask_for_changes),
    ReviewKind.QUESTION: (ask_for_changes, reject),
    ReviewKind.ESCALATION: (reject, ask_for_changes),
    ReviewKind.NEEDS_REVIEW: (ask_for_changes, reject),
}


async def twenty_reviews(desk: Desk) -> None:
    """Every kind in every way; each is taken back once and decided again."""
    done = dict.fromkeys(WAYS, 0)
    desk.keys.press("Ctrl+1")
    await desk.came_up(ReviewId(0))
    total = len(desk.reader.review_ids())
    assert total >= 20
    for number in range(total):
        review = desk.open_review
        kind = review.proposal.kind
        way = WAYS[kind][done[kind] % len(WAYS[kind])]
        if '"attendees"' in review.proposal.request_json and '"timezone"' not in review.proposal.request_json:
            way = reject  # names no meeting that could be entered
        else:
            done[kind] += 1
        await way(desk, review)
        if number < total - 1:
            await desk.came_up(review.id)
        status = desk.status(review.id)
        done_at_once = status is ReviewStatus.APPROVED and "manage_reservation" in review.proposal.request_json
        acted = done_at_once or status is ReviewStatus.ANSWERED  # the agents have it
        if number % 3 == 0 and not acted:
            await take_back(desk, review)
            again = desk.open_review
            await WAYS[kind][-1](desk, again) if kind is not ReviewKind.REPLY else await reject(desk, again)
            if number < total - 1:
                await desk.came_up(review.id)
    assert all(done.values()), done
    assert len(desk.reader.review_ids()) == 0


async def search(desk: Desk) -> None:
    keys = desk.keys
    keys.press("/")
    assert keys.at == "Search mail"
    keys.type("from:tom scratch")
    keys.press("Return")
    page = desk.window.search_page
    await keys.until(lambda: page.model.rowCount() == 1 and keys.at == "Results", "a result")
    keys.press("Escape")
    assert keys.at == "Search mail"
    await keys.until(lambda: page.model.rowCount() == 1, "the result again")
    keys.tab_to("Results")
    keys.press("Return")
    await keys.until(lambda: desk.window.name == "all", "the mail")
    assert "scratch" in desk.window.mail_page.reading.message.body_text
    assert keys.at == "Conversations"


async def archive_and_undo(desk: Desk) -> None:
    keys, page = desk.keys, desk.window.mail_page
    keys.press("Ctrl+2", "Home")
    subject = page.reading.thread_id
    keys.press("E")
    await keys.until(lambda: subject not in page.model.ids, "the archiving")
    keys.press("Ctrl+Z")
    await keys.until(lambda: subject in page.model.ids, "the undo")
    assert keys.at == "Conversations"


async def write(desk: Desk) -> None:
    keys, page = desk.keys, desk.window.compose_page
    keys.press("Ctrl+N")
    assert keys.at == "To"
    keys.type("lee")
    keys.press("Return")
    assert LEE.email in keys.text()
    await asyncio.sleep(0)
    desk.window.activateWindow()  # a window manager would do so when the matches close; offscreen there is none
    await keys.until(lambda: desk.window.isActiveWindow() and QApplication.activePopupWidget() is None, "the window again")
    keys.tab_to("Subject")
    keys.type("The bikes")
    keys.tab_to("Text")
    keys.type("Hello Lee,")
    keys.press("Ctrl+Return")
    await keys.until(lambda: desk.window.name != "compose", "the sending")
    keys.press("Ctrl+Z")
    await keys.until(lambda: page.letter_id is not None and desk.window.name == "compose", "the letter to come back")
    keys.tab_to("Text")
    assert keys.text().startswith("Hello Lee,")
    keys.press("Ctrl+Shift+D")
    assert desk.window.name != "compose"
    keys.press("Ctrl+Z")
    await keys.until(lambda: desk.window.name == "compose", "the letter to come back")
    keys.press("Escape")
    assert desk.window.name != "compose"


async def make_a_rule(desk: Desk) -> None:
    keys, file = desk.keys, Path(desk.window.state.fileName()).parent / "routing.yaml"
    keys.press("Ctrl+2", "Home", "Ctrl+Shift+R")
    await keys.until(lambda: keys.at == "Name", "the editor")
    keys.replace("First of all")
    keys.press("Ctrl+Return")
    await keys.until(lambda: file.exists() and "First of all" in file.read_text(), "the rule in the file")
    await keys.until(lambda: desk.window.name == "inbox" and keys.at == "Conversations", "the message it was made from")
    keys.press("Ctrl+Z")
    await keys.until(lambda: "First of all" not in file.read_text(), "the rule to go")
    keys.tab_to("Pages")
    keys.press("Up", "Up")
    assert keys.at == "Pages"
    assert desk.window.name == "today"
    keys.press("Right")
    assert keys.at != "Pages"


@pytest.fixture
def morning(data: DataFolder) -> DataFolder:
    store = lively_store(data.database, datetime.now(UTC))
    more_reviews(store)
    store.close()
    data.settings.write_text(SETTINGS)
    return data


@pytest.mark.soak
def test_a_morning(qapp: QApplication, morning: DataFolder) -> None:
    spend(morning, twenty_reviews, search, archive_and_undo, write, make_a_rule)


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

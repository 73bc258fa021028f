"""How smooth the window stays while the engine works: a first sync with the pipeline behind it, scrolled and clicked through.

    python3 packaging/dev.py bench stall [--messages 20000] --json

The window, the engine and the server are processes of their own, offscreen unless QT_QPA_PLATFORM says otherwise. A stall is how
late a 2 ms timer of the window's event loop fires; a frame is a scroll step and the forced painting of the whole list; opening a
thread and switching a page are measured from the call, over all turns of the loop that they take, until the window has painted
them by itself, the HTML view's own loading left out. All times in milliseconds; those with `cpu` are the window thread's own CPU
time in the same stretch, which a busy machine changes little. Making Chromium for the first HTML mail blocks once, whatever we
do: that is `first_html_ms`, before the rest is measured.
The server stands for another machine, so it steps back as the engine does. `stolen_share` is the part of a virtual machine's time
that its host gave to others (Linux): where it is some hundredths, the longest stop may be the host's.
The list of `rows` rows stands on real thread rows of the synced store, repeated.
"""

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from app.engine.runtime.process_control import NICER, never_interrupt  # noqa: E402
from fakes.gmail.sandbox import Sandbox, start_sandbox  # noqa: E402
from performance.generated_mail import ME, write_mbox  # noqa: E402

if TYPE_CHECKING:
    from app.ui.pages.mail.page import MailPage
    from app.ui.services.engine_bridge import EngineBridge
    from app.ui.window.main_window import MainWindow

WALL, CPU = 0, 1
PROBE_MS = 2
FRAME_S = 0.016
SCROLL_PX = 90
FRAMES_A_THREAD = 12
THREADS_A_PAGE = 4
PAGES = ("review", "activity", "inbox", "outbox", "all")
FIRST_THREADS = 60
DRAFT_DAYS = 30
GIVE_UP_S = 900.0
HTML_LIMIT_S = 30.0
HTML_LOOK_S = 0.3
HTML_SETTLE_S = 2.0
SETTINGS = """[sync]
budget_units = 10000000
[drafting]
concurrency = 2
"""


Taken = tuple[float, float]


class Watch:
    """Wall and CPU milliseconds since it was made."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.thread_time()

    def taken(self) -> Taken:
        """Both, so far."""
        return (time.perf_counter() - self._wall) * 1000, (time.thread_time() - self._cpu) * 1000


@dataclass
class Samples:
    """Milliseconds, as they were measured: wall time and the thread's CPU time."""

    stall: list[Taken] = field(default_factory=list)
    frame: list[Taken] = field(default_factory=list)
    thread: list[Taken] = field(default_factory=list)
    page: list[Taken] = field(default_factory=list)
    first_html: list[Taken] = field(default_factory=list)


def main() -> int:
    """Make the mail, serve it, sync it beside a busy user, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--messages", type=int, default=20_000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="replyroom-bench-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        mbox = folder / "generated.mbox"
        write_mbox(mbox, options.messages, 1)
        sandbox = start_sandbox("--mbox", mbox, "--me", ME)
        _elsewhere(sandbox.pid)
        try:
            result = measured(sandbox, folder / "data")
        finally:
            sandbox.stop()
    print(json.dumps(result, indent=None if options.json else 2))
    return 0


def measured(sandbox: Sandbox, folder: Path) -> dict[str, object]:
    """The window over its engine until the mailbox is mirrored."""
    import qasync

    from app.config.paths import DataFolder
    from app.main import engine_command
    from app.store.reader.mailbox_reader import SqliteMailboxReader
    from app.ui.services.engine_bridge import EngineBridge
    from app.ui.startup.application import PROGRAM, WindowOptions, build_window, make_application
    from app.ui.startup.run_window import begin_idle_work

    data = DataFolder(folder)
    data.prepare()
    data.settings.write_text(SETTINGS, encoding="utf-8")
    environment = {**os.environ, "REPLYROOM_GOOGLE_ENDPOINT": sandbox.url, "REPLYROOM_GOOGLE_TOKEN": sandbox.token}
    app = make_application()
    loop = qasync.QEventLoop(app)
    asyncio.set_event_loop(loop)
    reader, bridge = SqliteMailboxReader(data.database), EngineBridge(engine_command(data), environment, PROGRAM)
    window = build_window(data, reader, bridge, WindowOptions(page="inbox"))
    window.resize(1440, 900)
    window.first_painted.connect(bridge.start)
    window.show()
    rest = begin_idle_work(window)
    user, samples = User(window), Samples()
    began, load_begin, stolen = time.perf_counter(), load(), _stolen_s()
    try:
        before_html_mb = loop.run_until_complete(_first_html(user, samples))
        loop.run_until_complete(_beside_the_sync(user, bridge, sandbox.messages, samples))
        wall_s = time.perf_counter() - began
        mirrored, runs = reader.counts().messages, len(reader.runs(10_000_000))
    finally:
        rest()
        window.close()
        bridge.stop()
        reader.close()
        loop.close()
    shares = (("stall_p99", samples.stall, 0.99), ("stall_max", samples.stall, 1.0), ("frame_p99", samples.frame, 0.99))
    shares += (("frame_max", samples.frame, 1.0), ("open_thread_p95", samples.thread, 0.95))
    shares += (("page_switch_p95", samples.page, 0.95), ("first_html", samples.first_html, 1.0))
    return {
        "messages": sandbox.messages,
        "mirrored": mirrored,
        "runs": runs,
        "wall_s": round(wall_s, 1),
        **{f"{name}_ms": share(taken, part, WALL) for name, taken, part in shares},
        **{f"{name}_cpu_ms": share(taken, part, CPU) for name, taken, part in shares},
        "samples": {name: len(taken) for name, taken in asdict(samples).items()},
        "load_begin": load_begin,
        "load_end": load(),
        "stolen_share": round((_stolen_s() - stolen) / (time.perf_counter() - began) / (os.cpu_count() or 1), 3),
        "window_rss_before_html_mb": before_html_mb,
        "window_rss_mb": rss_mb(),
    }


def load() -> float:
    """How many processes want a core, over the last minute; 0 where the system does not say."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else 0.0


def _elsewhere(pid: int) -> None:
    """Lower the server's priority as the engine lowers its own, where a niceness can be given to a process."""
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, pid, NICER)
    for thread in psutil.Process(pid).threads():
        never_interrupt(thread.id)


def _stolen_s() -> float:
    """Seconds of CPU that the host of a virtual machine gave to others since the start, over all cores; 0 where nobody says."""
    return float(getattr(psutil.cpu_times(), "steal", 0.0))


def rss_mb() -> float:
    """This process's resident memory."""
    return round(psutil.Process().memory_info().rss / 1e6, 1)


def share(taken: Sequence[Taken], part: float, which: int) -> float:
    """The value that `part` of the samples stay under; 0 without samples."""
    ordered = sorted(one[which] for one in taken)
    return round(ordered[min(len(ordered) - 1, int(part * len(ordered)))], 2) if ordered else 0.0


class User:
    """Scrolls, opens threads and goes from page to page, as fast as frames come."""

    def __init__(self, window: "MainWindow") -> None:
        self.window = window
        self._random = random.Random(1)

    @property
    def mail(self) -> "MailPage":
        return self.window.mail_page

    def scroll(self, page: "MailPage") -> Taken:
        """One step down, from the end back to the top, and its painting."""
        watch = Watch()
        bar = page.list.verticalScrollBar()
        bar.setValue(0 if bar.value() >= bar.maximum() else bar.value() + SCROLL_PX)
        page.list.viewport().repaint()
        return watch.taken()

    async def open_thread(self) -> Taken | None:
        """Open any of the first threads, until it stands there, painted."""
        ids = self.mail.model.ids
        if not ids:
            self.window.show_page("inbox")  # before the first account there was the welcome page
            return None
        row = self._random.randrange(min(len(ids), FIRST_THREADS))
        watch = Watch()
        self.mail.list.select_row(row)
        await self._painted()
        return watch.taken()

    async def go_to(self, page: str) -> Taken:
        """Show a page, until it stands there, painted."""
        watch = Watch()
        self.window.show_page(page)
        await self._painted()
        return watch.taken()

    async def _painted(self) -> None:
        """Until the conversation is filled in, and the window has laid out and painted what that took, by itself: both are events
        that Qt sends before it comes to the next turn of asyncio, the second time for what the first brought with it.
        A page lets two turns pass before it is painted."""
        while not self.mail.reading.settled:
            await asyncio.sleep(0)
        for _ in range(4):
            await asyncio.sleep(0)


class Probe:
    """How late the window's event loop is."""

    def __init__(self, into: list[Taken]) -> None:
        from PySide6.QtCore import Qt, QTimer

        self._into = into
        self._watch = Watch()
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(PROBE_MS)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def _tick(self) -> None:
        wall, cpu = self._watch.taken()
        self._into.append((max(0.0, wall - PROBE_MS), cpu))
        self._watch = Watch()

    def stop(self) -> None:
        """No more samples."""
        self._timer.stop()


async def _beside_the_sync(user: User, bridge: "EngineBridge", messages: int, samples: Samples) -> None:
    """Be busy until every message is mirrored; the agents are started with the first mail."""
    from app.domain.protocol.commands import StartDrafting

    reader = user.mail.context.reader
    bridge.send(StartDrafting(reader.accounts()[0].id, DRAFT_DAYS))
    probe = Probe(samples.stall)
    give_up, step = time.monotonic() + GIVE_UP_S, 0
    while reader.counts().messages < messages and time.monotonic() < give_up:
        await _one_page(user, samples, step)
        step += 1
    probe.stop()


async def _first_html(user: User, samples: Samples) -> float:
    """Open threads until one has HTML and its view stands; the window's memory before that, in MB."""
    probe, before_mb = Probe(samples.first_html), rss_mb()
    end = time.monotonic() + HTML_LIMIT_S
    while user.mail.reading.body.web is None and time.monotonic() < end:
        before_mb = rss_mb()
        await user.open_thread()
        await asyncio.sleep(HTML_LOOK_S)
    await asyncio.sleep(HTML_SETTLE_S)
    probe.stop()
    return before_mb


async def _one_page(user: User, samples: Samples, step: int) -> None:
    """Scroll and read on the mail page, then go elsewhere and come back."""
    for _ in range(THREADS_A_PAGE):
        for _ in range(FRAMES_A_THREAD):
            samples.frame.append(user.scroll(user.mail))
            await asyncio.sleep(FRAME_S)
        opened = await user.open_thread()
        if opened is not None:
            samples.thread.append(opened)
        await asyncio.sleep(FRAME_S)
    samples.page.append(await user.go_to(PAGES[step % len(PAGES)]))
    await asyncio.sleep(FRAME_S * 4)
    samples.page.append(await user.go_to("inbox"))
    await asyncio.sleep(FRAME_S)


if __name__ == "__main__":
    raise SystemExit(main())

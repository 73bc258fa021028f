"""`replyroom demo`: starts the local server, the window and its engine in a new data folder.

By hand it opens the window. With `--headless`, or without a display, it plays a session offscreen and exits with 0 only if the
server has exactly what was approved. The sample mailbox has calendar and contacts connected, and drafting starts without the
owner's consent after the first sync.
"""

import argparse
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path

from app.config import logs
from app.config.paths import DataFolder, resource
from app.config.settings import Settings
from app.config.settings_file import change, write_atomically
from app.demo.local_server import LocalServer, source_arguments
from app.demo.report import Report
from app.domain.errors import BadFile
from app.domain.ports.window import EngineLink
from app.domain.protocol.commands import StartDrafting
from app.domain.protocol.events import SyncPhase, SyncProgress
from app.domain.protocol.views import Glance
from app.domain.wire import Event

Prepare = Callable[[EngineLink], None]


def consent_when_synced(days: int) -> Prepare:
    """A callback for the window's link that starts drafting. Sends `StartDrafting` once for each account that is synced."""

    def prepare(link: EngineLink) -> None:
        agreed: set[int] = set()

        def hear(event: Event) -> None:
            if isinstance(event, SyncProgress) and event.phase is SyncPhase.CURRENT and event.account_id not in agreed:
                agreed.add(event.account_id)
                link.send(StartDrafting(event.account_id, days))

        link.subscribe(hear)

    return prepare


ZONE = re.compile(r"^timezone:\s*(\S+)\s*$", re.MULTILINE)


def write_sample_settings(data: DataFolder, sample: Path) -> None:
    """Writes the sample mailbox's settings into an empty data folder.

    Calendar and contacts are connected, the time zone is the owner's.
    """
    found = ZONE.search((sample / "owner.yaml").read_text(encoding="utf-8"))
    zone = f'"{found[1]}"' if found else '""'
    change(data.settings, (("calendar.connected", "true"), ("contacts.connected", "true"), ("calendar.time_zone", zone)))


EngineCommand = Callable[[DataFolder], list[str]]
SAMPLE_DAYS = Settings().drafting.days


def run_demo(options: argparse.Namespace, engine_command: EngineCommand) -> int:
    """Runs the demo. Returns 0 on success, 1 when the report has problems. Raises `BadFile`, `DemoStuck`, `NotAllowed`,
    `DiskFull`.
    """
    headless = options.headless or not has_display()
    if headless and not options.headless:
        sys.stderr.write("There is no display: the demo runs by itself, offscreen (--headless does this on purpose).\n")
    if headless:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    server = LocalServer(source_arguments(resource("sample"), options.mbox, options.me))
    try:
        with _data_folder(options.demo_data or options.data) as data:
            if options.mbox is None:
                write_sample_settings(data, resource("sample"))
            os.environ.update(server.environment())
            logs.setup(data.logs, "window")
            if headless:
                return _headless(options, data, server, engine_command)
            return _by_hand(options, data, server, engine_command)
    finally:
        server.close()


def has_display() -> bool:
    """Whether a window can be shown."""
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


@contextmanager
def _data_folder(chosen: Path | None) -> Iterator[DataFolder]:
    """The chosen folder, which must be empty, or a temporary one."""
    if chosen is not None:
        if chosen.exists() and any(chosen.iterdir()):
            raise BadFile(str(chosen), 0, "The demo's data folder is not empty.", "Name an empty or new folder.")
        data = DataFolder(chosen)
        data.prepare()
        yield data
        return
    with tempfile.TemporaryDirectory(prefix="replyroom-demo-", ignore_cleanup_errors=True) as name:
        data = DataFolder(Path(name))
        data.prepare()
        os.environ["XDG_STATE_HOME"] = name  # so that the engine's files outside the data folder are deleted too
        yield data


def _by_hand(options: argparse.Namespace, data: DataFolder, server: LocalServer, engine_command: EngineCommand) -> int:
    """Opens the window on the demo's server. With the sample mailbox or `--triage-all`, drafting starts by itself. A window that
    restarts keeps the mailbox.
    """
    from app.store.reader.mailbox_reader import SqliteMailboxReader
    from app.ui.startup.application import WindowOptions, run_window
    from app.ui.window.main_window import RESTART

    days = 0 if options.triage_all else SAMPLE_DAYS
    prepared = consent_when_synced(days) if options.mbox is None or options.triage_all else None
    chosen = WindowOptions(
        page="review", glance=lambda page: Glance(accounts=False), prepared=prepared, ready=_tell_ready, sample=True
    )
    while (code := run_window(data, lambda: SqliteMailboxReader(data.database), engine_command(data), chosen)) == RESTART:
        chosen = chosen._replace(page="", ready=None)
    return code


def _tell_ready() -> None:
    """Tells a window that started this program that the sample's own window is there."""
    with suppress(OSError):
        sys.stdout.write("ready\n")
        sys.stdout.flush()


def _headless(options: argparse.Namespace, data: DataFolder, server: LocalServer, engine_command: EngineCommand) -> int:
    """Plays the session, writes the report and the screenshots, and prints a summary."""
    from app.demo.script import play

    days = 0 if options.triage_all else SAMPLE_DAYS
    report = play(data, server, engine_command(data), days, options.limit_s, options.shots)
    text = json.dumps({"ok": report.ok, **asdict(report)}, indent=2, ensure_ascii=False)
    if options.report is not None:
        write_atomically(options.report, text + "\n")
    sys.stdout.write(summary(report))
    return 0 if report.ok else 1


def summary(report: Report) -> str:
    lines = [
        f"mails: {report.mails}",
        f"decisions: {report.decisions}",
        f"reviews: {report.reviews}, drafts: {report.drafts}",
        f"actions: {report.actions}, sent: {len(report.sent)}",
        f"seconds: {report.timings_s}",
        *(f"PROBLEM: {problem}" for problem in report.problems),
        "The server agrees with everything that was approved." if report.ok else "The server does not agree.",
    ]
    return "\n".join(lines) + "\n"

"""What a first sync costs: real engine and real server as processes of their own, over generated mail or an mbox.

    python3 packaging/dev.py bench sync --messages 20000 [--mbox FILE --me ADDRESS] [--quota] [--agents] --json

Without --agents the settings pause the agents from the start (drafting.paused): nothing is embedded.
--quota makes the server enforce 6,000 units a minute.
CPU is the engine process's user and system time from its first event to the end of the sync, SQLite and full text included.
`growth` is the cost of a message over that of the first 10,000. 100,000 messages take some six minutes and 1.5 GB of disk.
"""

import argparse
import asyncio
import json
import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from app.domain.protocol.events import EngineReady, SyncPhase, SyncProgress  # noqa: E402
from app.domain.wire import Event  # noqa: E402
from app.link.client import EngineClient  # noqa: E402
from fakes.engine.engine_process import environment  # noqa: E402
from fakes.gmail.sandbox import Sandbox, start_sandbox  # noqa: E402
from performance.generated_mail import ME, write_mbox  # noqa: E402

BUDGET_UNITS = 6_000
UNPACED_UNITS = 10_000_000
READABLE_THREADS = 150
ARCHIVED_AFTER_DAYS = 30
LABELS_A_CALL = 2_000
FEW = 10_000


@dataclass
class Report:
    """What is printed. Times in seconds, CPU in milliseconds a message."""

    messages: int = 0
    mirrored: int = 0
    threads: int = 0
    units: int = 0
    units_per_message: float = 0.0
    units_share_of_single_gets: float = 0.0
    requests: int = 0
    refused: int = 0
    wall_s: float = 0.0
    readable_150_threads_s: float = 0.0
    cpu_s: float = 0.0
    cpu_ms_per_message: float = 0.0
    cpu_ms_per_message_first_10000: float = 0.0
    growth: float = 0.0
    cpu_start_s: float = 0.0
    rss_mb_at_10000: float = 0.0
    peak_rss_mb: float = 0.0
    lost: int = 0
    duplicated: int = 0
    wrong_labels: int = 0
    budget_utilisation: float = 0.0
    mean_body_bytes: int = 0
    mean_raw_bytes: int = 0
    database_mb: float = 0.0
    embedding: bool = False
    indexed_per_cpu_s: float = 0.0


@dataclass(frozen=True)
class Mark:
    """What the engine had used when so many messages were there. Seconds of CPU, megabytes."""

    done: int
    cpu_s: float
    rss_mb: float


class Watch:
    """The engine's events as they come, and what it had used when the first 10,000 messages were there."""

    def __init__(self, client: EngineClient) -> None:
        self.ready = asyncio.Event()
        self.current = asyncio.Event()
        self.mark: Mark | None = None
        self._process = psutil.Process(client.pid)
        client.subscribe(self._note)

    def _note(self, event: Event) -> None:
        match event:
            case EngineReady():
                self.ready.set()
            case SyncProgress(phase=SyncPhase.CURRENT):
                self.current.set()
            case SyncProgress(done=done) if done >= FEW and self.mark is None:
                self.mark = Mark(done, _cpu_s(self._process), self._process.memory_info().rss / 2**20)


def main(arguments: Sequence[str]) -> int:
    """Run the measurement; 1 when mail was lost or doubled."""
    options = _options(arguments)
    with tempfile.TemporaryDirectory(prefix="replyroom-bench-") as name:
        folder = Path(name)
        report = Report(embedding=options.agents)
        mbox = options.mbox or _generated(folder, options, report)
        sandbox = start_sandbox("--mbox", mbox, "--me", options.me)
        try:
            _make_archive(sandbox)
            _set_quota(sandbox, options)
            report.messages = sandbox.messages
            asyncio.run(_measured(sandbox, folder / "data", options, report))
            _compared(sandbox, folder / "data" / "mail.db", report)
        finally:
            sandbox.stop()
    _print(report, as_json=options.json)
    return 1 if report.lost or report.duplicated or report.wrong_labels else 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--messages", type=int, default=2_000)
    parser.add_argument("--mbox", type=Path, help="an mbox instead of generated mail")
    parser.add_argument("--me", default=ME, help="the owner's address in it")
    parser.add_argument("--quota", action="store_true", help="the server enforces 6,000 units a minute")
    parser.add_argument("--agents", action="store_true", help="with the agents: everything is embedded too")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stop-after-s", type=float, default=0.0, help="with --quota: measure only so long")
    parser.add_argument("--profile", type=Path, help="write the engine's cProfile there")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args(arguments)


def _generated(folder: Path, options: argparse.Namespace, report: Report) -> Path:
    path = folder / "generated.mbox"
    totals = write_mbox(path, options.messages, options.seed)
    report.mean_body_bytes = totals.body_bytes // totals.messages
    report.mean_raw_bytes = totals.raw_bytes // totals.messages
    return path


def _make_archive(sandbox: Sandbox) -> None:
    """Old mail is read and archived, as it mostly is."""
    before_ms = (datetime.now(UTC) - timedelta(days=ARCHIVED_AFTER_DAYS)).timestamp() * 1000
    entries = sandbox.dump()["messages"]
    old = [one["id"] for one in entries if "INBOX" in one["labelIds"] and int(one["internalDate"]) < before_ms]
    for at in range(0, len(old), LABELS_A_CALL):
        sandbox.mail.label(*old[at : at + LABELS_A_CALL], remove=["INBOX", "UNREAD"])


def _set_quota(sandbox: Sandbox, options: argparse.Namespace) -> None:
    if options.quota:
        sandbox.set_quota(enforce=True)
    sandbox.admin.call("DELETE", "counters")


async def _measured(sandbox: Sandbox, data: Path, options: argparse.Namespace, report: Report) -> None:
    data.mkdir()
    budget = BUDGET_UNITS if options.quota else UNPACED_UNITS
    paused = "false" if options.agents else "true"
    (data / "settings.toml").write_text(f"[sync]\nbudget_units = {budget}\n[drafting]\npaused = {paused}\n")
    variables = environment(sandbox.url, sandbox.token)
    variables.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program does not compile its modules at every start
    profiled = ["-m", "cProfile", "-o", str(options.profile)] if options.profile else []
    command = [sys.executable, *profiled, "-m", "app", "engine", "--data", str(data)]
    began = time.monotonic()
    client = await EngineClient.start(command, variables, "bench")
    watch = Watch(client)
    process = psutil.Process(client.pid)
    readable = asyncio.create_task(_readable_after(data / "mail.db", min(READABLE_THREADS, sandbox.messages // 4)))
    try:
        await asyncio.wait_for(watch.ready.wait(), 60)
        report.cpu_start_s = round(_cpu_s(process), 2)
        syncing_s = await _synced(watch, options.stop_after_s)
        _note_process(process, report, began)
        _note_growth(watch.mark, report)
        _note_server(sandbox, report, syncing_s)
        report.readable_150_threads_s = round(await asyncio.wait_for(readable, 5) - began, 2)
        if options.agents:
            await _note_indexing(data / "mail.db", process, report)
    finally:
        readable.cancel()
        await client.close()


async def _synced(watch: Watch, stop_after_s: float) -> float:
    """Seconds until everything is here, or until told to stop."""
    began = time.monotonic()
    with suppress(TimeoutError):
        await asyncio.wait_for(watch.current.wait(), stop_after_s or None)
    return time.monotonic() - began


async def _readable_after(database: Path, threads: int) -> float:
    """The moment at which so many of the newest threads can be opened from the file, as the window reads it."""
    while True:
        await asyncio.sleep(0.2)
        if not database.exists():
            continue
        try:
            with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
                if connection.execute("SELECT count(*) FROM threads WHERE message_count > 0").fetchone()[0] >= threads:
                    return time.monotonic()
        except sqlite3.OperationalError:
            continue


async def _note_indexing(database: Path, process: psutil.Process, report: Report) -> None:
    """Embedding goes on behind; the pace of what is left when sync is done."""
    before, left = _cpu_s(process), _unindexed(database)
    while _unindexed(database):
        await asyncio.sleep(0.5)
    report.indexed_per_cpu_s = round(left / max(_cpu_s(process) - before, 0.01), 1)


def _unindexed(database: Path) -> int:
    """Open jobs of the indexer."""
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
        return int(connection.execute("SELECT count(*) FROM jobs WHERE kind = 'index' AND failed_at IS NULL").fetchone()[0])


def _note_process(process: psutil.Process, report: Report, began: float) -> None:
    report.wall_s = round(time.monotonic() - began, 2)
    report.cpu_s = round(_cpu_s(process) - report.cpu_start_s, 2)
    report.cpu_ms_per_message = round(1000 * report.cpu_s / report.messages, 3)
    report.peak_rss_mb = round(_peak_rss_mb(process), 1)


def _note_growth(mark: Mark | None, report: Report) -> None:
    """What a message costs against what it costs in a mailbox of 10,000; nothing for less."""
    if mark is None:
        return
    report.rss_mb_at_10000 = round(mark.rss_mb, 1)
    report.cpu_ms_per_message_first_10000 = round(1000 * (mark.cpu_s - report.cpu_start_s) / mark.done, 3)
    report.growth = round(report.cpu_ms_per_message / report.cpu_ms_per_message_first_10000, 2)


def _note_server(sandbox: Sandbox, report: Report, syncing_s: float) -> None:
    counters = sandbox.counters()
    report.units, report.requests, report.refused = counters["units"], counters["requests"], counters["refused"]
    report.units_per_message = round(report.units / report.messages, 2)
    single = 20 * report.messages
    report.units_share_of_single_gets = round(report.units / single, 3)
    report.budget_utilisation = round(report.units / (BUDGET_UNITS * syncing_s / 60), 3)


def _compared(sandbox: Sandbox, database: Path, report: Report) -> None:
    """The mirror against the server: ids, labels, doubles."""
    served = {one["id"]: frozenset(one.get("labelIds", ())) for one in sandbox.dump()["messages"]}
    with closing(sqlite3.connect(database)) as connection:
        ids = [row[0] for row in connection.execute("SELECT gmail_id FROM messages")]
        labels: dict[str, set[str]] = {gmail_id: set() for gmail_id in ids}
        sql = "SELECT m.gmail_id, l.label FROM messages m JOIN message_labels l ON l.message_id = m.id"
        for gmail_id, label in connection.execute(sql):
            labels[gmail_id].add(label)
        report.threads = connection.execute("SELECT count(*) FROM threads").fetchone()[0]
        waiting = {row[0] for row in connection.execute("SELECT gmail_id FROM to_fetch")}
    report.mirrored = len(ids)
    report.lost = len(served.keys() - labels.keys() - waiting)
    report.duplicated = len(ids) - len(labels) + len(labels.keys() - served.keys())
    report.wrong_labels = sum(served[one] != labels[one] for one in served.keys() & labels.keys())
    files = [database, database.with_name(f"{database.name}-wal")]
    report.database_mb = round(sum(one.stat().st_size for one in files if one.exists()) / 1e6, 1)


def _cpu_s(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def _peak_rss_mb(process: psutil.Process) -> float:
    """The highest resident set so far; where the system does not keep it, the present one."""
    status = Path(f"/proc/{process.pid}/status")
    if os.name == "posix" and status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    return float(process.memory_info().rss) / 2**20


def _print(report: Report, *, as_json: bool) -> None:
    values: dict[str, Any] = asdict(report)
    if as_json:
        print(json.dumps(values))
    else:
        print("\n".join(f"{name:28} {value}" for name, value in values.items()))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

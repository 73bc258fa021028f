"""What a first sync costs: real engine and real server as processes of their own, over generated mail or an mbox.

    python3 packaging/dev.py bench sync --messages 20000 [--mbox FILE --me ADDRESS] [--profile FILE] --json

The settings pause the agents from the start (drafting.paused): nothing is embedded. CPU is the engine process's user and system
time from its first event to the end of the sync, SQLite and full text included. The mirror is compared with the server: mail that
is lost, doubled or has other labels ends the bench with 1. 100,000 messages take some six minutes and 1.5 GB of disk.
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
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from app.domain.protocol.events import EngineReady, SyncPhase, SyncProgress  # noqa: E402
from app.domain.wire import Event  # noqa: E402
from fakes.engine.engine_process import environment  # noqa: E402
from fakes.engine.processes.engine_client import EngineClient  # noqa: E402
from fakes.gmail.sandbox import Sandbox, start_sandbox  # noqa: E402
from performance.generated_mail import ME, write_mbox  # noqa: E402

UNPACED_UNITS = 10_000_000
ARCHIVED_AFTER_DAYS = 30
LABELS_A_CALL = 2_000


def main(arguments: Sequence[str]) -> int:
    """Run the measurement; 1 when mail was lost or doubled."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--messages", type=int, default=2_000)
    parser.add_argument("--mbox", type=Path, help="an mbox instead of generated mail")
    parser.add_argument("--me", default=ME, help="the owner's address in it")
    parser.add_argument("--profile", type=Path, help="write the engine's cProfile there")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="replyroom-bench-") as name:
        folder = Path(name)
        if options.mbox is None:
            write_mbox(folder / "generated.mbox", options.messages, 1)
        sandbox = start_sandbox("--mbox", options.mbox or folder / "generated.mbox", "--me", options.me)
        try:
            _make_archive(sandbox)
            sandbox.admin.call("DELETE", "counters")
            report = asyncio.run(_measured(sandbox, folder / "data", options.profile))
            wrong = _compared(sandbox, folder / "data" / "mail.db")
        finally:
            sandbox.stop()
    print(json.dumps({**report, **wrong}, indent=None if options.json else 2))
    return 1 if any(wrong.values()) else 0


def _make_archive(sandbox: Sandbox) -> None:
    """Old mail is read and archived, as it mostly is."""
    before_ms = (datetime.now(UTC) - timedelta(days=ARCHIVED_AFTER_DAYS)).timestamp() * 1000
    entries = sandbox.dump()["messages"]
    old = [one["id"] for one in entries if "INBOX" in one["labelIds"] and int(one["internalDate"]) < before_ms]
    for at in range(0, len(old), LABELS_A_CALL):
        sandbox.mail.label(*old[at : at + LABELS_A_CALL], remove=["INBOX", "UNREAD"])


async def _measured(sandbox: Sandbox, data: Path, profile: Path | None) -> dict[str, float]:
    data.mkdir()
    (data / "settings.toml").write_text(f"[sync]\nbudget_units = {UNPACED_UNITS}\n[drafting]\npaused = true\n")
    variables = environment(sandbox.url, sandbox.token)
    variables.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program does not compile its modules at every start
    profiled = ["-m", "cProfile", "-o", str(profile)] if profile else []
    command = [sys.executable, *profiled, "-m", "app", "engine", "--data", str(data)]
    began = time.monotonic()
    client = await EngineClient.start(command, variables, "bench")
    ready, current = asyncio.Event(), asyncio.Event()

    def note(event: Event) -> None:
        if isinstance(event, EngineReady):
            ready.set()
        elif isinstance(event, SyncProgress) and event.phase is SyncPhase.CURRENT:
            current.set()

    client.subscribe(note)
    process = psutil.Process(client.pid)
    try:
        await asyncio.wait_for(ready.wait(), 60)
        start_s = _cpu_s(process)
        await current.wait()
        cpu_s, counters = _cpu_s(process) - start_s, sandbox.counters()
        return {
            "messages": sandbox.messages,
            "wall_s": round(time.monotonic() - began, 2),
            "cpu_s": round(cpu_s, 2),
            "cpu_ms_per_message": round(1000 * cpu_s / sandbox.messages, 3),
            "cpu_start_s": round(start_s, 2),
            "peak_rss_mb": round(_peak_rss_mb(process), 1),
            "units_per_message": round(counters["units"] / sandbox.messages, 2),
            "requests": counters["requests"],
            "refused": counters["refused"],
            "database_mb": round(sum(one.stat().st_size for one in data.glob("mail.db*")) / 1e6, 1),
        }
    finally:
        await client.close()


def _compared(sandbox: Sandbox, database: Path) -> dict[str, int]:
    """The mirror against the server: ids, doubles, labels."""
    served = {one["id"]: frozenset(one.get("labelIds", ())) for one in sandbox.dump()["messages"]}
    with closing(sqlite3.connect(database)) as connection:
        ids = [row[0] for row in connection.execute("SELECT gmail_id FROM messages")]
        labels: dict[str, set[str]] = {gmail_id: set() for gmail_id in ids}
        sql = "SELECT m.gmail_id, l.label FROM messages m JOIN message_labels l ON l.message_id = m.id"
        for gmail_id, label in connection.execute(sql):
            labels[gmail_id].add(label)
    return {
        "lost": len(served.keys() - labels.keys()),
        "duplicated": len(ids) - len(labels) + len(labels.keys() - served.keys()),
        "wrong_labels": sum(served[one] != labels[one] for one in served.keys() & labels.keys()),
    }


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


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

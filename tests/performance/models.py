"""What becomes of the sample mailbox's new mail with model servers of every kind, good and bad.

    python3 packaging/dev.py bench models [--only NAME] [--seconds 30] --json

The real router, runner, graph, store, Chroma, embedder, local triage and litellm; the models are scripted servers over loopback
(`tests/fakes/providers`). Each row is a new store with the 36 unread mails of the sample's last days, of which rules settle some.
`calls` are HTTP requests. `stuck` are runs that neither ended nor wait for the owner when time is up. `drafts_below_local` is the
largest number of drafts that a model costs, against the run without one.
"""

import argparse
import asyncio
import json
import logging
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from app.agent.llm.litellm_setup import close_litellm, load_litellm  # noqa: E402
from app.domain.agents.runs import Route, RunStatus  # noqa: E402
from app.domain.drafting.review import ReviewKind  # noqa: E402
from app.domain.record import replace  # noqa: E402
from fakes.engine.runs import open_graph  # noqa: E402
from fakes.providers.behaviours import ROWS, Row  # noqa: E402
from fakes.providers.sample_runs import SampleModels, SampleWorld, gateway_to  # noqa: E402
from fakes.providers.server import ProviderServer  # noqa: E402

TIMEOUT_S = 1.0
"""Of one call, so that the time-out row does not take minutes."""


@dataclass
class Line:
    """One row of the table."""

    name: str
    drafts: int = 0
    by_model: int = 0
    needs_eyes: int = 0
    stuck: int = 0
    calls: int = 0
    calls_per_mail: float = 0.0
    prompt_tokens: int = 0
    seconds: float = 0.0


@dataclass
class Report:
    """What is printed. The maximum of calls a mail is over the servers that fail."""

    mails: int = 0
    mails_for_model: int = 0
    drafts_local: int = 0
    drafts_below_local: int = 0
    calls_per_mail_max: float = 0.0
    calls_per_mail_good: float = 0.0
    breaker_calls_max: int = 0
    stuck: int = 0
    rows: list[Line] = field(default_factory=list)


BROKEN = ("401", "404", "429", "500", "503, gemini", "time-out", "cut in the middle")
"""Rows in which every call fails, so that their calls are those before the breaker opened."""


async def measure(row: Row | None, models: SampleModels, folder: Path, seconds: float) -> Line:
    """Runs the new mail through one server, or without a model."""
    with SampleWorld(folder, models) as world:
        if row is None:
            return await work(Line("no model"), world, world.deps(models.triage), seconds)
        with ProviderServer(row.shape, row.make(models.mails)) as server:
            route = Route.RESPONSE_AGENT if row.agent else Route.PIPELINE
            deps = world.deps(models.triage, gateway=gateway_to(server, world, TIMEOUT_S), meeting_route=route)
            line = await work(Line(row.name), world, deps, seconds)
            line.calls = len(server.asked)
            line.calls_per_mail = round(line.calls / max(1, models.for_model), 2)
            line.prompt_tokens = sum(len(one.text) for one in server.asked) // 4 // max(1, line.calls)
            await close_litellm()
            return line


async def work(line: Line, world: SampleWorld, deps: Any, seconds: float) -> Line:
    """Runs everything and counts what came of it."""
    started = time.perf_counter()
    async with open_graph(world.folder / "checkpoints.db", deps) as graph, world.working(graph, concurrency=2) as running:
        running.arrive(*world.new)
        while not running.idle() and time.perf_counter() - started < seconds:
            await asyncio.sleep(0.05)
    line.seconds = round(time.perf_counter() - started, 1)
    reviews = [world.tables.reviews.review(one) for mail in world.new for one in world.pending(mail)]
    drafts = [one for one in reviews if one.proposal.draft is not None]
    line.drafts = len(drafts)
    line.by_model = sum(not one.proposal.draft.by_rule for one in drafts if one.proposal.draft)
    line.needs_eyes = sum(one.proposal.kind is ReviewKind.NEEDS_REVIEW for one in reviews)
    line.stuck = len(world.new) - sum(one.status not in (RunStatus.QUEUED, RunStatus.RUNNING) for one in world.runs())
    return line


async def measured(options: argparse.Namespace) -> Report:
    """All rows, each in a folder of its own."""
    load_litellm()
    models = SampleModels.load(datetime.now(UTC))
    rows: list[Row | None] = [None, *(one for one in ROWS if not options.only or options.only in one.name)]
    report = Report(mails=len(models.new), mails_for_model=models.for_model)
    with tempfile.TemporaryDirectory(prefix="replyroom-bench-") as name:
        for number, row in enumerate(rows):
            folder = Path(name) / str(number)
            folder.mkdir()
            line = await measure(row, models, folder, options.seconds)
            report.rows.append(line)
            if not options.json:
                print(shown(line), flush=True)
    return summed(report)


def summed(report: Report) -> Report:
    """The totals."""
    local, *lines = report.rows
    good = {one.name for one in ROWS if one.good}
    faulty = [one for one in lines if one.name not in good]
    return replace(
        report,
        drafts_local=local.drafts,
        drafts_below_local=max((local.drafts - one.drafts for one in lines), default=0),
        calls_per_mail_max=max((one.calls_per_mail for one in faulty), default=0.0),
        calls_per_mail_good=max((one.calls_per_mail for one in lines if one.name in good), default=0.0),
        breaker_calls_max=max((one.calls for one in lines if one.name in BROKEN), default=0),
        stuck=sum(one.stuck for one in lines),
    )


def shown(line: Line) -> str:
    """A row as text."""
    return (
        f"{line.name:32} drafts {line.drafts:3} (model {line.by_model:3})  eyes {line.needs_eyes:3}  stuck {line.stuck:3}  "
        f"calls {line.calls:4} ({line.calls_per_mail:5.2f} a mail)  {line.prompt_tokens:5} tokens  {line.seconds:5.1f} s"
    )


def main(arguments: Sequence[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="bench models", description="The sample's new mail with models of every kind.")
    parser.add_argument("--only", default="", help="rows whose name contains this")
    parser.add_argument("--seconds", type=float, default=30.0, help="the longest time for a row")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    logging.disable(logging.CRITICAL)
    report = asyncio.run(measured(options))
    values = asdict(report)
    if options.json:
        print(json.dumps(values))
    else:
        print("\n".join(f"{name:22} {value}" for name, value in values.items() if name != "rows"))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

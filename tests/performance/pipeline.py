"""What a pipeline run costs besides the model: the real runner, graph, SQLite store, Chroma and checkpoints, one run at a time.
Garbage is collected as seldom as in the engine.

    python3 packaging/dev.py bench pipeline [--runs 200] [--profile FILE] --json

A run is counted from its `route` job to its end: up to the review, and after the user's word to END with its checkpoints
deleted. The user's word itself (compose, commit) is counted apart; not counted is the commit of the `route` job, which in the
program belongs to a page of sync (1 page, 4 kB). CPU is this process's, threads included; the scripted model
answers from a process of its own. Vectors come from a fixed embedder (a model too); `embedding_cpu_ms` says what the real one
costs a mail. `kb_written_per_run` is /proc/self/io `write_bytes`: what the process made the system write to disk, in whole
pages; `kb_passed_per_run` is `wchar`: what it handed to write calls. Both 0 where there is no /proc. They count the frames of the
write-ahead log (4120 bytes for every page that a commit touches), what folding the log into the file writes again each four
thousand frames, and the pages of the system that an append fills in part.
"""

import argparse
import asyncio
import cProfile
import gc
import json
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from app.agent.graph import MailGraph  # noqa: E402
from app.agent.llm.gateway import LiteLlmGateway  # noqa: E402
from app.agent.llm.litellm_setup import close_litellm  # noqa: E402
from app.agent.llm.target import ModelTarget  # noqa: E402
from app.agent.llm.turns import ChatMessage, FaultOf, JsonSchema  # noqa: E402
from app.domain.drafting.draft import fill_slots  # noqa: E402
from app.domain.drafting.review import Action, ReviewKind  # noqa: E402
from app.domain.ids import MessageId, ReviewId, RunId  # noqa: E402
from app.domain.mail.triage import Category, Decision, Triage  # noqa: E402
from app.domain.record import replace  # noqa: E402
from app.engine.process.main import COLLECTED_AT  # noqa: E402
from fakes.engine.agent_mailbox import FixedTriage, verdict  # noqa: E402
from fakes.engine.runs import (  # noqa: E402
    RunWorld,
    Work,
    open_graph,
)
from fakes.models.model_process import ScriptedChild, Verdict, prompt_tokens, scripted_child  # noqa: E402

WARM_UP = 5


@dataclass
class Spent:
    """What a stretch of work took."""

    cpu_s: float = 0.0
    wall_s: float = 0.0
    written: int = 0
    passed: int = 0

    def __sub__(self, other: "Spent") -> "Spent":
        return Spent(
            self.cpu_s - other.cpu_s, self.wall_s - other.wall_s, self.written - other.written, self.passed - other.passed
        )

    def __add__(self, other: "Spent") -> "Spent":
        return self - (Spent() - other)


@dataclass
class Report:
    """What is printed. The first figures are those of a reply without a model; `_model` those with one."""

    runs: int = 0
    cpu_ms_per_run: float = 0.0
    wall_ms_per_run: float = 0.0
    kb_written_per_run: float = 0.0
    kb_passed_per_run: float = 0.0
    cpu_ms_per_decision: float = 0.0
    kb_written_per_decision: float = 0.0
    cpu_ms_per_run_model: float = 0.0
    wall_ms_per_run_model: float = 0.0
    kb_written_per_run_model: float = 0.0
    cpu_ms_per_model_call: float = 0.0
    cpu_ms_per_notify: float = 0.0
    cpu_ms_per_ignore: float = 0.0
    model_calls_reply: float = 0.0
    model_calls_chosen: float = 0.0
    model_calls_notify: float = 0.0
    model_calls_ignore: float = 0.0
    model_calls_rule: float = 0.0
    model_calls_other: float = 0.0
    prompt_tokens_reply: int = 0
    embedding_cpu_ms: float = 0.0
    checkpoint_file_kb: float = 0.0


IO = Path("/proc/self/io")
own_cost = Spent()
"""What `now` itself took, which is no cost of a run."""


def now() -> Spent:
    """The process's account so far."""
    global own_cost
    begun_cpu_s, begun_s = time.process_time(), time.perf_counter()
    rows = dict(line.split(": ") for line in IO.read_text().splitlines()) if IO.exists() else {}
    so_far = Spent(begun_cpu_s, begun_s, int(rows.get("write_bytes", 0)), int(rows.get("wchar", 0))) - own_cost
    own_cost += Spent(time.process_time() - begun_cpu_s, time.perf_counter() - begun_s)
    return so_far


class TimedGateway:
    """The real gateway, with an account of what its calls took."""

    def __init__(self, gateway: LiteLlmGateway) -> None:
        self._gateway = gateway
        self.spent = Spent()

    @property
    def model(self) -> str:
        """The litellm model id."""
        return self._gateway.model

    def spare(self) -> bool:
        """The other's."""
        return self._gateway.spare()

    async def weighed(self, local: Triage, said: Triage) -> Triage:
        """The other's."""
        return await self._gateway.weighed(local, said)

    async def structured(
        self, run_id: RunId, call_type: str, messages: Sequence[ChatMessage], schema: JsonSchema, fault: FaultOf | None = None
    ) -> dict[str, Any]:
        """The other's answer."""
        before = now()
        try:
            return await self._gateway.structured(run_id, call_type, messages, schema, fault)
        finally:
            self.spent += now() - before


class Stage:
    """A world with mails, and the measured run of some of them."""

    def __init__(self, world: RunWorld, graph: MailGraph, gateway: TimedGateway | None) -> None:
        self._world = world
        self._graph = graph
        self._gateway = gateway
        self.deciding = self.arriving = Spent()
        self.model = Spent()

    def checkpoint_bytes(self) -> int:
        """The size of the checkpoints' file with its log."""
        return sum(one.stat().st_size for one in self._world.folder.glob("checkpoints.db*"))

    async def runs(self, count: int) -> Spent:
        """`count` new mails, each run to its end, one at a time; what that took without mail coming in and the user's word."""
        self.deciding = self.arriving = Spent()
        if self._gateway:
            self._gateway.spent = Spent()
        messages = self._world.questions(count)
        async with self._world.working(self._graph) as work:
            before = now()
            for message_id in messages:
                self._arrive(work, message_id)
                await work.settled()
                await self._decide(message_id)
                await work.settled()
            self.model = self._gateway.spent if self._gateway else Spent()
            return now() - before - self.deciding - self.arriving

    def _arrive(self, work: Work, message_id: MessageId) -> None:
        """A mail comes in."""
        before = now()
        work.arrive(message_id)
        self.arriving += now() - before

    async def _decide(self, message_id: MessageId) -> None:
        """Approve what was put up, as the user would."""
        before = now()
        for review_id in self._world.pending(message_id):
            await self._answer(review_id)
        self.deciding += now() - before

    async def _answer(self, review_id: ReviewId) -> None:
        review = self._world.tables.reviews.review(review_id)
        draft = review.proposal.draft
        if review.proposal.kind is ReviewKind.REPLY and draft is not None:
            filled = fill_slots(draft, ("It is 12.",) * len(draft.open_slots))
            await self._world.decide(review, Action.ACCEPT, replace(filled, body=filled.body or "Yes."))
        else:
            await self._world.decide(review, Action.IGNORE, None)


@asynccontextmanager
async def staged(folder: Path, **changes: Any) -> AsyncIterator[Stage]:
    folder.mkdir()
    with RunWorld(folder) as world:
        triage = FixedTriage(changes.pop("verdict", verdict()))
        target = changes.pop("target", None)
        gateway = LiteLlmGateway(target, world.tables.runs, world.tables.clock) if target else None
        timed = TimedGateway(gateway) if gateway else None
        async with open_graph(folder / "checkpoints.db", world.deps(triage, gateway=timed, **changes)) as graph:
            yield Stage(world, graph, timed)


async def without_model(folder: Path, count: int, report: Report, profile: Path | None) -> None:
    """Replies from templates and own answers, then notify and ignore."""
    async with staged(folder / "reply") as stage:
        await stage.runs(WARM_UP)
        profiler = cProfile.Profile() if profile else None
        if profiler:
            profiler.enable()
        spent = await stage.runs(count)
        if profiler and profile:
            profiler.disable()
            profiler.dump_stats(profile)
        report.cpu_ms_per_run, report.wall_ms_per_run = per_run(spent, count)
        report.kb_written_per_run = round(spent.written / 1024 / count, 1)
        report.kb_passed_per_run = round(spent.passed / 1024 / count, 1)
        report.cpu_ms_per_decision = per_run(stage.deciding, count)[0]
        report.kb_written_per_decision = round(stage.deciding.written / 1024 / count, 1)
        report.checkpoint_file_kb = round(stage.checkpoint_bytes() / 1024, 1)
    report.cpu_ms_per_notify = await one_kind(folder / "notify", count, verdict(Decision.NOTIFY, Category.OTHER))
    report.cpu_ms_per_ignore = await one_kind(folder / "ignore", count, verdict(Decision.IGNORE, Category.OTHER))


async def one_kind(folder: Path, count: int, said: Triage) -> float:
    """CPU of runs with one verdict."""
    async with staged(folder, verdict=said) as stage:
        await stage.runs(WARM_UP)
        return per_run(await stage.runs(count), count)[0]


async def with_model(folder: Path, count: int, report: Report, child: ScriptedChild) -> None:
    """The same with litellm and a scripted model over HTTP, and how many calls each kind of mail takes."""
    target = ModelTarget("openai/scripted", child.api_base, "key", timeout_s=20.0)
    async with staged(folder / "model", target=target) as stage:
        await stage.runs(WARM_UP)
        child.answer_with(Verdict())
        spent = await stage.runs(count)
        prompts = child.prompts()
        report.cpu_ms_per_run_model, report.wall_ms_per_run_model = per_run(spent - stage.model, count)
        report.kb_written_per_run_model = round(spent.written / 1024 / count, 1)
        report.cpu_ms_per_model_call = per_run(stage.model, max(1, len(prompts)))[0]
        report.model_calls_reply = len(prompts) / count
        report.prompt_tokens_reply = round(sum(map(prompt_tokens, prompts)) / count)
        few = max(4, count // 10)
        for said in (Verdict(category="other"), Verdict("notify", "other"), Verdict("ignore", "other")):
            child.answer_with(said)
            await stage.runs(few)
            note_calls(report, said, len(child.prompts()) / few)
    by_rule = verdict(Decision.IGNORE, Category.OTHER, maker="rule:list-mail")
    async with staged(folder / "rule", target=target, verdict=by_rule) as stage:
        child.answer_with(Verdict())
        await stage.runs(few)
        report.model_calls_rule = len(child.prompts()) / few
    await close_litellm()


def note_calls(report: Report, said: Verdict, calls: float) -> None:
    """Keep a count where it belongs."""
    match said.decision:
        case "respond":
            report.model_calls_chosen = calls
        case "notify":
            report.model_calls_notify = report.model_calls_other = calls
        case _:
            report.model_calls_ignore = calls


def embedding_cpu_ms(count: int = 20) -> float:
    """The real embedder, on mails of the usual length."""
    from app.agent.retrieval import MiniLm

    model = MiniLm.open()
    model.embed(["warm up"])
    before = time.process_time()
    for number in range(count):
        model.embed([f"Could you tell me the price and the delivery date of order {number}? " * 6])
    return round(1000 * (time.process_time() - before) / count, 1)


def per_run(spent: Spent, count: int) -> tuple[float, float]:
    """CPU and wall time in milliseconds of one."""
    return round(1000 * spent.cpu_s / count, 2), round(1000 * spent.wall_s / count, 2)


async def measured(options: argparse.Namespace) -> Report:
    """Everything, in a temporary folder."""
    report = Report(runs=options.runs)
    with tempfile.TemporaryDirectory(prefix="replyroom-bench-", dir=options.folder) as name:
        await without_model(Path(name), options.runs, report, options.profile)
        with scripted_child() as child:
            await with_model(Path(name), options.runs, report, child)
    report.embedding_cpu_ms = embedding_cpu_ms()
    return report


def main(arguments: Sequence[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="bench pipeline", description="What a pipeline run costs besides the model.")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--profile", type=Path, help="write a cProfile file of the runs without a model")
    parser.add_argument("--folder", type=Path, help="where the temporary store is made; a real disk, for the bytes written")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    gc.set_threshold(*COLLECTED_AT)
    values = asdict(asyncio.run(measured(options)))
    print(json.dumps(values) if options.json else "\n".join(f"{name:26} {value}" for name, value in values.items()))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

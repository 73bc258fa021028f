"""A run that may begin at once is written with what it leaves; until then its `route` job stands for it."""

import json

import pytest

from app.domain.agents.runs import Route, Run, RunStatus
from app.domain.errors import ModelUnavailable, NotFound
from app.domain.mail.message import Message
from app.domain.protocol.events import WorkChanged
from app.store.db.jobs import Job
from app.store.runs.runs import RunStart, run_name
from fakes.engine.engine_parts import Parts
from fakes.engine.runner import Bench
from fakes.engine.store.values import remote


@pytest.fixture
def bench(parts: Parts) -> Bench:
    return Bench(parts)


def _work(bench: Bench) -> dict[str, int]:
    """Open jobs by kind, but not what waits to be indexed."""
    return {kind: count for kind, count in bench.parts.tables.jobs.counts().items() if kind != "index"}


def _unwritten(bench: Bench, mail: Message) -> tuple[Job, RunStart]:
    """A mail's `route` job, and the run that it stands for."""
    bench.parts.tables.jobs.put("route", str(mail.id), "", newest=mail.date)
    (job,) = bench.parts.tables.jobs.due(("route",), 1, ())
    identity = (run_name(mail.id, "0"), mail.account_id, mail.id, mail.thread_id)
    run = Run(*identity, Route.PIPELINE, "", "", RunStatus.QUEUED, 1, bench.parts.clock())
    return job, RunStart(run, "classify", str(mail.id), json.dumps({"run_id": run.id}), 0, job.id)


async def test_a_run_that_can_begin_at_once_is_written_with_its_end(bench: Bench) -> None:
    """Until then its `route` job stands for it, whatever happens to the program."""
    job, start = _unwritten(bench, bench.parts.mail(remote("a"))[0])
    bench.graph.hold.clear()
    async with bench.running() as runner:
        await bench.until(lambda: bool(bench.parts.events(WorkChanged)))
        assert runner.take(job, start)
        await bench.until(lambda: bench.graph.at_once == 1)
        assert _work(bench) == {"route": 1}
        bench.graph.hold.set()
        await bench.until(lambda: not _work(bench))
    assert bench.status(start.run.id) is RunStatus.DONE
    assert bench.graph.asked.count(("run", start.run.id)) == 1


@pytest.mark.parametrize("why", ["paused", "not yet", "no room", "others wait"])
async def test_a_run_that_has_to_wait_is_not_taken(bench: Bench, why: str) -> None:
    mails = bench.parts.mail(remote("a"), remote("b", minutes=1))
    bench.paused, bench.open = why == "paused", why != "not yet"
    async with bench.running(concurrency=0 if why == "no room" else 2) as runner:
        await bench.until(lambda: bool(bench.parts.events(WorkChanged)))
        if why == "others wait":
            bench.start_run(mails[1])  # and the bell has not rung
        job, start = _unwritten(bench, mails[0])
        assert not runner.take(job, start)
    assert not bench.graph.asked
    assert bench.parts.tables.jobs.open(job.id)


async def test_trouble_with_a_run_that_is_not_written_writes_it(bench: Bench) -> None:
    """It waits in the store as any other, under a job of its own, and goes on."""
    job, start = _unwritten(bench, bench.parts.mail(remote("a"))[0])
    bench.graph.script[start.run.id] = [ModelUnavailable("no key"), RunStatus.DONE]
    async with bench.running() as runner:
        await bench.until(lambda: bool(bench.parts.events(WorkChanged)))
        assert runner.take(job, start)
        await bench.until(lambda: bench.put_off() == 1)
        assert _work(bench) == {"classify": 1}
        assert bench.status(start.run.id) is RunStatus.QUEUED
        bench.parts.clock.pass_s(3600)
        bench.bell.ring()
        await bench.ended()
    assert bench.status(start.run.id) is RunStatus.DONE


@pytest.mark.expects_warnings
async def test_a_bug_in_a_run_that_is_not_written_is_written(bench: Bench) -> None:
    job, start = _unwritten(bench, bench.parts.mail(remote("a"))[0])
    bench.graph.script[start.run.id] = [ValueError("private text")]
    async with bench.running() as runner:
        await bench.until(lambda: bool(bench.parts.events(WorkChanged)))
        assert runner.take(job, start)
        await bench.until(lambda: not _work(bench))
    assert bench.status(start.run.id) is RunStatus.FAILED


async def test_a_mail_that_is_gone_before_its_run_is_written_leaves_nothing(bench: Bench) -> None:
    job, start = _unwritten(bench, bench.parts.mail(remote("a"))[0])
    bench.graph.script[start.run.id] = [NotFound("There is no message.")]
    async with bench.running() as runner:
        await bench.until(lambda: bool(bench.parts.events(WorkChanged)))
        assert runner.take(job, start)
        await bench.until(lambda: not _work(bench))
    assert not bench.parts.tables.runs.by_message(start.run.message_id)

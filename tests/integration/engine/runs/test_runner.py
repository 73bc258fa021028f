"""The runner over a scripted graph: order, limits, retries, recovery and ends, as rows and events."""

import asyncio
import json
from datetime import timedelta

import pytest

from app.domain.agents.runs import Run, RunStatus
from app.domain.drafting.review import Action, ReviewStatus
from app.domain.errors import CapReached, ModelUnavailable
from app.domain.protocol.commands import Decide
from app.domain.protocol.events import ErrorReported
from app.engine.runs.run_repository import RunRepository
from fakes.engine.engine_parts import Parts
from fakes.engine.runner import Bench
from fakes.engine.store.values import proposal, remote


@pytest.fixture
def bench(parts: Parts) -> Bench:
    return Bench(parts)


def _opened(bench: Bench, run: Run) -> None:
    bench.parts.tables.reviews.open(proposal(run.id, thread=run.thread_id, message=run.message_id), "reply")


@pytest.mark.parametrize("error", [ModelUnavailable("no key"), CapReached("500 calls")])
async def test_trouble_that_passes_keeps_the_run_and_is_told_once(bench: Bench, error: Exception) -> None:
    mails = bench.parts.mail(remote("a"), remote("b", minutes=1))
    runs = [bench.start_run(mail) for mail in mails]
    for run in runs:
        bench.graph.script[run] = [error, RunStatus.DONE]
    async with bench.running():
        await bench.until(lambda: bench.put_off() == 2)
        assert len([one for one in bench.graph.asked if one[0] == "run"]) == 2
        assert all(bench.status(run) is RunStatus.QUEUED for run in runs)
        assert len(bench.parts.events(ErrorReported)) == 1
        bench.parts.clock.pass_s(3600)
        bench.bell.ring()
        await bench.ended()
    assert [bench.status(run) for run in runs] == [RunStatus.DONE, RunStatus.DONE]


@pytest.mark.expects_warnings
async def test_a_bug_fails_its_run_alone(bench: Bench) -> None:
    mails = bench.parts.mail(remote("a"), remote("b", minutes=1))
    bad, good = (bench.start_run(mail) for mail in mails)
    bench.graph.script[bad] = [ValueError("private text")]
    async with bench.running():
        await bench.ended()
    assert (bench.status(bad), bench.status(good)) == (RunStatus.FAILED, RunStatus.DONE)
    (trouble,) = bench.parts.events(ErrorReported)
    assert trouble.code == "bug"
    assert "private" not in str(trouble.text)


async def test_paused_starts_nothing_but_decisions_still_end_their_runs(bench: Bench) -> None:
    mails = bench.parts.mail(remote("a"), remote("b", minutes=1))
    waiting = bench.start_run(mails[0], RunStatus.WAITING, job=False)
    queued = bench.start_run(mails[1])
    bench.paused = True
    review = bench.parts.tables.reviews.open(proposal(waiting, thread=mails[0].thread_id, message=mails[0].id), "reply")
    async with bench.running():
        await asyncio.sleep(0.05)
        assert bench.graph.asked == []
        bench.parts.tables.reviews.decide(Decide(review, 1, Action.IGNORE), None, ReviewStatus.REJECTED, None)
        RunRepository(bench.parts.tables).wake(waiting, review)
        bench.bell.ring()
        await bench.until(lambda: bench.status(waiting) is RunStatus.DONE)
    assert bench.graph.asked[0] == (f"resume {review}", waiting)
    assert bench.status(queued) is RunStatus.QUEUED


async def test_after_a_crash_everything_open_goes_on_but_what_waits_for_the_user(bench: Bench) -> None:
    mails = bench.parts.mail(*(remote(key, minutes=at) for at, key in enumerate("abcd")))
    lost_job = bench.start_run(mails[0], RunStatus.QUEUED, job=False)
    cut = bench.start_run(mails[1], RunStatus.RUNNING, job=False)
    undecided = bench.start_run(mails[2], RunStatus.WAITING, job=False)
    decided = bench.start_run(mails[3], RunStatus.WAITING, job=False)
    reviews = bench.parts.tables.reviews
    reviews.open(proposal(undecided, thread=mails[2].thread_id, message=mails[2].id), "reply")
    done = reviews.open(proposal(decided, thread=mails[3].thread_id, message=mails[3].id), "reply")
    reviews.decide(Decide(done, 1, Action.IGNORE), None, ReviewStatus.REJECTED, None)
    async with bench.running():
        await bench.until(lambda: all(bench.status(run) is RunStatus.DONE for run in (lost_job, cut, decided)))
        await bench.ended()
    assert undecided not in {run for _, run in bench.graph.asked}
    assert bench.status(undecided) is RunStatus.WAITING


@pytest.mark.parametrize("status", [RunStatus.WAITING, RunStatus.RUNNING, RunStatus.QUEUED])
@pytest.mark.parametrize("put_off", [False, True])
async def test_after_a_crash_a_decision_is_carried_out_once(bench: Bench, status: RunStatus, put_off: bool) -> None:
    """Its job is still there, put off where the model could not be reached: another one would draft a second time."""
    (mail,) = bench.parts.mail(remote("a"))
    run = bench.start_run(mail, status, job=False)
    tables = bench.parts.tables
    review = tables.reviews.open(proposal(run, thread=mail.thread_id, message=mail.id), "reply")
    tables.reviews.decide(Decide(review, 1, Action.RESPOND, text="shorter"), None, ReviewStatus.ANSWERED, None)
    RunRepository(tables).wake(run, review)
    bench.parts.clock.pass_s(1)
    if put_off:
        job = tables.jobs.next_due(["wake"], ())
        assert job is not None
        tables.jobs.again(job, "model_unavailable", tables.clock() + timedelta(hours=1))
    bench.graph.script[run] = [RunStatus.DONE, RunStatus.DONE]
    async with bench.running():
        await bench.until(lambda: bench.status(run) is RunStatus.DONE)
        await bench.until(lambda: "wake" not in tables.jobs.counts())
    assert [how for how, _ in bench.graph.asked if how != "forget"] == [f"resume {review}"]


async def test_a_run_whose_review_was_superseded_is_woken_to_end(bench: Bench) -> None:
    older, newer = bench.parts.mail(remote("a", "t"), remote("b", "t", minutes=5))
    first = bench.start_run(older, RunStatus.WAITING, job=False)
    bench.parts.tables.reviews.open(proposal(first, thread=older.thread_id, message=older.id), "reply")
    second = bench.start_run(newer)
    bench.graph.script = {second: [RunStatus.WAITING], first: [RunStatus.SUPERSEDED]}
    bench.graph.before = lambda run: _opened(bench, run) if run.id == second else None
    async with bench.running():
        await bench.until(lambda: bench.status(first) is RunStatus.SUPERSEDED)
        await bench.ended()
    assert bench.status(second) is RunStatus.WAITING


async def test_what_the_user_asks_for_waits_for_no_pause_and_no_indexing(bench: Bench) -> None:
    mails = bench.parts.mail(remote("a"), remote("b", minutes=5))
    bench.start_run(mails[1])
    asked = bench.start_run(mails[0], job=False)
    bench.parts.tables.jobs.put("answer", asked, json.dumps({"run_id": asked}))
    bench.paused, bench.open = True, False
    async with bench.running():
        await bench.until(lambda: bench.status(asked) is RunStatus.DONE)
    assert [run for how, run in bench.graph.asked if how == "run"] == [asked]

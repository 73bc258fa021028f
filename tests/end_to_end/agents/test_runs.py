"""From consent to reviews with the real agents and no model: once per mail, only what was agreed to, across crashes."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.domain.agents.runs import RunStatus
from app.domain.drafting.draft import fill_slots
from app.domain.drafting.review import Action, ReviewKind, ReviewStatus
from app.domain.ids import MessageId, ThreadId
from app.domain.mail.message import SystemLabel
from app.domain.mail.outbox import OutboxState
from app.domain.ports.window import MailView
from app.domain.protocol.commands import Decide, DraftReply, StartDrafting
from app.domain.protocol.events import MailChanged, ReviewReady, RunChanged, SyncPhase, SyncProgress, WorkChanged
from fakes.engine.engine_process import THINKING, EngineProcess, running_engine, start_engine
from fakes.gmail.sandbox import Sandbox, running_sandbox

pytestmark = pytest.mark.timeout(240)

SAMPLE = Path(__file__).resolve().parents[3] / "resources" / "sample"
FINAL = {RunStatus.DONE, RunStatus.WAITING, RunStatus.NEEDS_REVIEW, RunStatus.SUPERSEDED}


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with running_sandbox("--sample", SAMPLE) as running:
        yield running


def open_runs(engine: EngineProcess) -> int:
    """Runs that are neither final nor waiting for the user."""
    return sum(run.status not in FINAL for run in engine.reader.runs())


@pytest.mark.soak
async def test_consent_gives_each_unread_mail_one_run_and_a_crash_changes_nothing(tmp_path: Path, sandbox: Sandbox) -> None:
    data = tmp_path / "data"
    engine = await start_engine(data, sandbox.url, sandbox.token, THINKING)
    await engine.event(SyncProgress, lambda one: one.phase is SyncPhase.CURRENT)
    assert not engine.reader.runs(), "nothing is looked at before consent"
    account = engine.reader.accounts()[0]
    await engine.do(StartDrafting(account.id, 30))
    await engine.event(RunChanged)  # whatever its status: a quick run is never told as running
    await engine.kill()

    async with running_engine(data, sandbox.url, sandbox.token, THINKING) as again:
        await again.until(lambda: again.reader.runs() and not open_runs(again) and not waiting_jobs(again))
        runs = again.reader.runs()
        assert max(Counter(run.message_id for run in runs).values()) == 1
        assert not [run for run in runs if run.status is RunStatus.FAILED]
        for run in runs:
            message = again.reader.message(run.message_id)
            assert {SystemLabel.INBOX, SystemLabel.UNREAD} <= message.labels
        reviews = again.reader.review_ids()
        assert len(reviews) == sum(run.status is RunStatus.WAITING for run in runs) > 5
        kinds = Counter(again.reader.review(one).proposal.kind for one in reviews)  # type: ignore[union-attr]
        assert kinds[ReviewKind.REPLY] > 3


def waiting_jobs(engine: EngineProcess) -> bool:
    """Whether the engine said that something is still queued."""
    work = [event for event in engine.seen if isinstance(event, WorkChanged)]
    return not work or bool(work[-1].queued or work[-1].running)


async def test_a_draft_on_demand_is_approved_sent_and_its_run_ends(tmp_path: Path, sandbox: Sandbox) -> None:
    async with running_engine(tmp_path / "data", sandbox.url, sandbox.token, THINKING) as engine:
        await engine.event(SyncProgress, lambda one: one.phase is SyncPhase.CURRENT)
        delivered = sandbox.deliver(
            b"From: Ann Berg <ann@partner.org>\r\nTo: x@y.z\r\nSubject: Invoice\r\n\r\nCould you send me the invoice again?\r\n"
        )
        await engine.event(MailChanged, after=len(engine.seen))
        message = await engine.until(lambda: next(iter(_named(engine, delivered["id"])), None))
        await engine.do(DraftReply(message))
        ready = await engine.event(ReviewReady)
        review = engine.reader.review(ready.review_id)
        assert review.proposal.draft is not None
        draft = fill_slots(review.proposal.draft, ("Yes.",) * 9)
        await engine.do(Decide(review.id, review.revision, Action.EDIT, draft))
        await engine.event(RunChanged, lambda one: one.message_id == message and one.status == RunStatus.DONE)
        await engine.until(lambda: [row for row in engine.reader.outbox() if row.item.state is OutboxState.SENT])
        decided = engine.reader.review(review.id)
        assert decided.status is ReviewStatus.APPROVED


def _named(engine: EngineProcess, gmail_id: str) -> list[MessageId]:
    """Local ids of a message in the newest inbox threads."""
    threads = engine.reader.thread_ids(MailView.INBOX, limit=20)
    found = (one for thread in threads for one in engine.reader.messages(ThreadId(thread)))
    return [one.id for one in found if one.gmail_id == gmail_id]

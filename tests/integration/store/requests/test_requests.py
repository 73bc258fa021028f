"""Requests to the assistant in the store: planned, run step by step, stopped, tried again, forgotten, and read by the window."""

import pytest

from app.domain.agents.requests import (
    Capability,
    PlannedStep,
    Request,
    RequestStatus,
    StepResult,
    StepStatus,
    completion_contract,
    own_thread,
    run_of,
)
from app.domain.drafting.draft import Source, SourceKind
from app.domain.drafting.review import Proposal, ReviewKind
from app.domain.error_texts import ErrorText
from app.domain.errors import NotAllowed
from app.domain.ids import AccountId, MessageId, RequestId, ReviewId
from app.domain.mail.files import ArtifactHandle
from app.domain.protocol.assistant_commands import AskAssistant
from app.store.db.database import Database
from app.store.requests.requests import Requests, RequestSteps
from app.store.reviews.reviews import Reviews
from fakes.engine.store.values import HandClock

ID = RequestId("11111111-0000-4000-8000-00000000000a")
PLAN = (PlannedStep(Capability.RESEARCH, "Find it."), PlannedStep(Capability.GMAIL, "Send it to Ana."))
FOUND = Source(SourceKind.MESSAGE, "Order 4411", "It ships on Friday.", MessageId(7))
FILE = ArtifactHandle("a" * 64, "report.md", "a" * 64, 12)
SENT = completion_contract(Capability.GMAIL, {"action": "send", "status": "sent"})


@pytest.fixture
def requests(db: Database, clock: HandClock) -> Requests:
    """The table."""
    return Requests(db, clock)


@pytest.fixture
def steps(db: Database, clock: HandClock) -> RequestSteps:
    return RequestSteps(db, clock)


@pytest.fixture
def running(requests: Requests, account: AccountId) -> Request:
    """A request whose plan was let run."""
    requests.add(AskAssistant(ID, account, " Find the order and send it to Ana. "))
    requests.plan(ID, PLAN, "openai/gpt-4o", run=False)
    requests.run(ID)
    return requests.get(ID)


def done_first(steps: RequestSteps) -> None:
    assert steps.begin(ID, 0)
    steps.finish(ID, 0, StepResult("{}", "On Friday.", (FOUND,), (FILE,)))


def test_a_request_goes_through_its_steps(running: Request, requests: Requests, steps: RequestSteps, db: Database) -> None:
    done_first(steps)
    assert requests.get(ID).next_step is not None
    assert steps.begin(ID, 1)
    steps.wait(ID, 1, ReviewId(5))
    waiting = requests.get(ID)
    assert (waiting.status, waiting.documents, waiting.steps[0].sources) == (RequestStatus.WAITING, (FILE,), (FOUND,))
    steps.finish(ID, 1, StepResult(SENT))
    assert requests.get(ID).status is RequestStatus.DONE
    assert requests.due() == ()
    assert running.number == requests.get(ID).number


@pytest.mark.usefixtures("running")
def test_a_declined_mail_ends_the_plan_and_waits_again_when_that_is_undone(requests: Requests, steps: RequestSteps) -> None:
    done_first(steps)
    steps.begin(ID, 1)
    steps.wait(ID, 1, ReviewId(5))
    steps.decline(ID, 1, "{}")
    assert requests.get(ID).status is RequestStatus.DONE
    steps.wait(ID, 1, ReviewId(5))
    assert (requests.get(ID).status, requests.due()) == (RequestStatus.WAITING, ())


@pytest.mark.usefixtures("running")
def test_a_failed_step_holds_the_plan_until_it_is_tried_again(requests: Requests, steps: RequestSteps) -> None:
    steps.begin(ID, 0)
    steps.fail(ID, 0, ErrorText.of("The model answers nothing."))
    failed = requests.get(ID)
    assert (failed.status, failed.steps[0].error) == (RequestStatus.FAILED, ErrorText.of("The model answers nothing."))
    requests.retry(ID, 0)
    again = requests.get(ID)
    assert (again.status, again.steps[0].status, again.steps[0].attempt, again.steps[1].attempt) == (
        RequestStatus.RUNNING,
        StepStatus.OPEN,
        2,
        1,
    )


@pytest.mark.usefixtures("running")
def test_nothing_runs_again_behind_which_mail_waits_or_has_left(requests: Requests, steps: RequestSteps) -> None:
    done_first(steps)
    steps.begin(ID, 1)
    steps.wait(ID, 1, ReviewId(5))
    for _ in range(2):
        with pytest.raises(NotAllowed, match="email was sent or is waiting"):
            requests.retry(ID, 0)
        if requests.get(ID).steps[1].status is StepStatus.WAITING:
            steps.finish(ID, 1, StepResult(SENT))


@pytest.mark.usefixtures("running")
def test_a_stopped_request_starts_no_step_and_drops_the_one_that_ran(requests: Requests, steps: RequestSteps) -> None:
    steps.begin(ID, 0)
    requests.stop(ID)
    assert (requests.get(ID).status, requests.get(ID).steps[0].status) == (RequestStatus.STOPPED, StepStatus.OPEN)
    assert not steps.begin(ID, 0)
    with pytest.raises(NotAllowed):
        steps.finish(ID, 0, StepResult("{}"))
    requests.retry(ID, 0)
    assert steps.begin(ID, 0)


@pytest.mark.usefixtures("running")
def test_what_a_dead_engine_ran_is_open_again(requests: Requests, steps: RequestSteps) -> None:
    steps.begin(ID, 0)
    assert requests.due() == (ID,)
    requests.recover()
    assert (requests.get(ID).status, requests.get(ID).steps[0].status) == (RequestStatus.RUNNING, StepStatus.OPEN)


@pytest.mark.usefixtures("running")
@pytest.mark.parametrize("stopped", [False, True])
def test_a_mail_to_be_changed_is_written_again_under_its_review(requests: Requests, steps: RequestSteps, stopped: bool) -> None:
    done_first(steps)
    steps.begin(ID, 1)
    steps.wait(ID, 1, ReviewId(5))
    if stopped:
        requests.stop(ID)
    steps.again(ID, 1)
    steps.again(ID, 1)
    going = requests.get(ID)
    assert (going.status, going.steps[1].status, going.steps[1].review_id) == (RequestStatus.RUNNING, StepStatus.RUNNING, 5)


STANDS = {
    "waiting": ("pending", "superseded"),
    "declined": ("rejected", "pending"),
    "failed": ("superseded", "pending"),
    "open": ("answered", "pending"),
    "running": ("approved", ""),
    "done": ("approved", ""),
}


@pytest.mark.usefixtures("running")
@pytest.mark.parametrize("step", STANDS)
def test_steps_that_stand_otherwise_than_their_review_are_found(
    requests: Requests, steps: RequestSteps, db: Database, account: AccountId, step: str
) -> None:
    review_id = Reviews(db, HandClock()).open(proposed(account), "step")
    done_first(steps)
    steps.wait(ID, 1, review_id)
    same, other = STANDS[step]
    with db.transaction() as connection:
        connection.execute("UPDATE request_steps SET status = ? WHERE place = 1", (step,))
        connection.execute("UPDATE reviews SET status = ?", (same,))
    assert requests.unsettled() == ()
    db.write("UPDATE reviews SET status = ?", (other,))
    assert requests.unsettled() == (((ID, 1),) if other else ())


def proposed(account: AccountId) -> Proposal:
    """A mail of the second step."""
    verdict = ("respond", "other", 1.0, "You asked for it.", "m")
    return Proposal(account, run_of(ID), MessageId(0), own_thread(1, 1), ReviewKind.REPLY, *verdict)

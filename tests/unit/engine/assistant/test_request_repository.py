"""Where the assistant's graph writes: one review for a step's attempt, however often a crash makes it ask."""

import pytest

from app.domain.agents.requests import RequestStatus
from app.domain.agents.runs import RunStatus
from app.domain.drafting.review import Action, ReviewStatus
from app.domain.error_texts import Cause, ErrorText
from app.domain.errors import NotAllowed
from app.domain.ids import RequestId, ThreadId
from app.domain.protocol.assistant_commands import RequestChanged, RetryStep, StopRequest
from app.domain.protocol.events import ReviewReady
from fakes.engine.assistant_worker import SEND, AssistantBench
from fakes.engine.runner import Bench
from fakes.engine.store.values import draft, proposal, remote

pytestmark = pytest.mark.anyio


@pytest.fixture
async def sending(bench: AssistantBench) -> RequestId:
    """A request whose only step writes a mail, and runs."""
    request = await bench.ask("Send it")
    bench.parts.tables.requests.plan(request, [SEND], "rules", run=True)
    assert bench.desk.begin(request, 0)
    return request


async def test_a_mail_is_put_up_once_and_told(bench: AssistantBench, sending: RequestId) -> None:
    bench.agents.propose(sending, 0)
    bench.agents.propose(sending, 0)
    assert bench.parts.tables.reviews.pending_count() == 1
    await bench.until(lambda: bool(bench.parts.events(ReviewReady)))
    assert bench.parts.events(ReviewReady)[0] == ReviewReady(bench.review(sending).id, "reply")
    assert bench.parts.events(RequestChanged)[-1].status == "waiting"


async def test_a_crash_before_the_step_waited_leaves_one_review_as_the_owner_saw_it(
    bench: AssistantBench, sending: RequestId
) -> None:
    bench.agents.propose(sending, 0)
    first = bench.review(sending)
    with bench.parts.tables.db.transaction() as connection:
        connection.execute("UPDATE request_steps SET status = 'running', review_id = 0")
    bench.parts.tables.requests.recover()
    bench.desk.begin(sending, 0)
    bench.agents.propose(sending, 0)
    assert bench.review(sending) == first


async def test_what_was_decided_before_the_step_waited_stays_decided(bench: AssistantBench, sending: RequestId) -> None:
    bench.agents.propose(sending, 0)
    await bench.decide(sending, Action.ACCEPT)
    with bench.parts.tables.db.transaction() as connection:
        connection.execute("UPDATE request_steps SET status = 'running', review_id = 0")
    bench.agents.propose(sending, 0)
    assert bench.review(sending).status is ReviewStatus.APPROVED
    assert bench.request(sending).status is RequestStatus.WAITING


async def test_nothing_is_put_up_for_a_request_that_was_stopped_meanwhile(bench: AssistantBench, sending: RequestId) -> None:
    await bench.do(StopRequest(sending))
    with pytest.raises(NotAllowed):
        bench.agents.propose(sending, 0)
    assert bench.parts.tables.reviews.pending_count() == 0
    assert not bench.desk.begin(sending, 0)


async def test_another_attempt_has_a_review_of_its_own(bench: AssistantBench, sending: RequestId) -> None:
    bench.agents.propose(sending, 0)
    first = bench.review(sending).id
    bench.parts.tables.request_steps.fail(sending, 0, ErrorText.of(Cause.MAIL_SUPERSEDED))
    await bench.do(RetryStep(sending, 0))
    bench.desk.begin(sending, 0)
    bench.agents.propose(sending, 0)
    assert bench.review(sending).id != first


async def test_an_answer_takes_the_place_of_the_one_that_waits_in_its_conversation(
    bench: AssistantBench, sending: RequestId
) -> None:
    (mail,) = bench.parts.mail(remote("a", "t"))
    runs = Bench(bench.parts)
    run = runs.start_run(mail, RunStatus.WAITING, job=False)
    older = bench.parts.tables.reviews.open(proposal(run, thread=mail.thread_id, message=mail.id), "reply")
    answer = proposal(bench.request(sending).run_id, thread=ThreadId(mail.thread_id), message=mail.id, what=draft())
    bench.desk.propose(sending, 0, answer)
    assert bench.parts.tables.reviews.review(older).status is ReviewStatus.SUPERSEDED
    assert (bench.woken, bench.parts.tables.jobs.counts()["wake"]) == (1, 1)

"""Files that drafts and requests name, and for how long."""

from dataclasses import replace
from itertools import pairwise

from app.domain.artifacts import Handle
from app.domain.assistant import Capability, PlannedStep, StepResult
from app.domain.assistant_commands import Ask
from app.domain.commands import Decide
from app.domain.ids import AccountId, RequestId
from app.domain.outbox import OutboxState
from app.domain.review import Action, ReviewStatus
from app.store.artifact_use import documents_named_in, named_documents
from app.store.database import Database
from app.store.outbox import Outbox
from app.store.request_steps import RequestSteps
from app.store.requests import Requests
from app.store.reviews import Reviews
from fakes.stored_mail import HandClock, draft, new_outbox, proposal

REPORT, TABLE = (Handle(digit * 64, "a.md", digit * 64, 1) for digit in "12")
WITH = replace(draft(), attachments=(REPORT,))


def named(db: Database) -> frozenset[str]:
    """What is named now, read both ways."""
    with db.reading() as connection:
        found = named_documents(connection)
    assert documents_named_in(db.path) == found
    return found


def test_a_draft_that_waits_or_may_come_back_names_its_files(db: Database, clock: HandClock) -> None:
    reviews, outbox = Reviews(db, clock), Outbox(db, clock)
    review_id = reviews.open(proposal("ask-1", message=0, thread=-1, what=WITH), "step-1")
    assert named(db) == {REPORT.id}
    without = Decide(review_id, 1, Action.EDIT, replace(WITH, attachments=()))
    outbox_id = reviews.decide(without, new_outbox(review_id), ReviewStatus.APPROVED, None).outbox_id
    assert named(db) == {REPORT.id}, "an undo brings the review back, and the file can be put back"
    for old, new in pairwise(PATH):
        outbox.move(outbox_id, old, new)  # type: ignore[arg-type]
    assert named(db) == frozenset()


PATH = (OutboxState.QUEUED, OutboxState.DRAFTING, OutboxState.DRAFTED, OutboxState.SENDING, OutboxState.SENT)


def test_a_rejected_draft_names_nothing_and_feedback_keeps(db: Database, clock: HandClock) -> None:
    reviews = Reviews(db, clock)
    review_id = reviews.open(proposal("ask-1", message=0, thread=-1, what=replace(WITH, maker="openai/gpt")), "step-1")
    reviews.decide(Decide(review_id, 1, Action.RESPOND, text="shorter"), None, ReviewStatus.ANSWERED, None)
    assert named(db) == {REPORT.id}
    reviews.revise(review_id, reviews.review(review_id).proposal)
    reviews.decide(Decide(review_id, 2, Action.IGNORE), None, ReviewStatus.REJECTED, None)
    assert named(db) == frozenset()


def test_a_request_names_what_its_steps_have_made(db: Database, clock: HandClock, account: AccountId) -> None:
    request = RequestId("11111111-0000-4000-8000-00000000000a")
    requests, steps = Requests(db, clock), RequestSteps(db, clock)
    requests.add(Ask(request, account, "Write a table."))
    requests.plan(request, (PlannedStep(Capability.CREATE_DOCUMENT, "Write it."),), "rules", run=True)
    assert steps.begin(request, 0)
    steps.finish(request, 0, StepResult("{}", documents=(TABLE,)))
    assert named(db) == {TABLE.id}

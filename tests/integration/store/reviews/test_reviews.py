"""Reviews: decided once, undone while nothing has left, superseded without losing an edit."""

import threading

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from app.domain.drafting.draft import Span, SpanKind
from app.domain.drafting.review import ALLOWED, Action, FlagKind, RedFlag, ReviewKind, ReviewStatus
from app.domain.errors import ExpectedError, NotAllowed, NotFound, OpenSlots, StaleDecision
from app.domain.ids import AccountId, OutboxId, ReviewId, ThreadId
from app.domain.mail.outbox import UNDOABLE, OutboxKind, OutboxState
from app.domain.ports.agents import ReviewDecision
from app.domain.protocol.commands import Decide
from app.domain.record import replace
from app.store.db.database import Database
from app.store.db.jobs import Jobs
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from app.store.outbox import Outbox
from app.store.reviews.reviews import Reviews
from fakes.engine.store.rows import all_drafts
from fakes.engine.store.state_machine import StoreMachine
from fakes.engine.store.values import ANA, NOON, HandClock, draft, new_outbox, proposal, remote

EDITED = draft("Dear Ana, on Monday.")
SLOTTED = replace(draft(), spans=(Span(9, 9, SpanKind.OPEN_SLOT, "which day"),))


def tables(db: Database) -> list[list[tuple[object, ...]]]:
    """Everything a decision may touch."""
    names = ("reviews", "review_revisions", "decisions", "kept_drafts", "outbox", "outbox_mime", "outbox_steps", "jobs")
    return [[tuple(row) for row in db.read(f"SELECT * FROM {name}")] for name in names]


def accept(review: ReviewId, revision: int = 1) -> Decide:
    """The draft as shown."""
    return Decide(review, revision, Action.ACCEPT)


@pytest.fixture
def reviews(db: Database, clock: HandClock) -> Reviews:
    return Reviews(db, clock)


def test_open_once_per_run_and_key(reviews: Reviews) -> None:
    """A node that runs twice opens one review; another key of the run opens another."""
    first = reviews.open(proposal(), "reply")
    assert reviews.open(proposal(what=EDITED), "reply") == first
    assert reviews.open(proposal(kind=ReviewKind.QUESTION), "call-2") != first
    assert reviews.pending_count() == 2
    review = reviews.review(first)
    assert (review.status, review.revision, review.created_at) == (ReviewStatus.PENDING, 1, NOON)
    assert review.proposal == proposal()
    assert review.allowed == ALLOWED[ReviewKind.REPLY]
    assert reviews.decision(first) is None


def test_a_newer_run_supersedes(reviews: Reviews) -> None:
    """A review of a newer mail closes the older one of the thread; its revisions stay, other threads too."""
    other_thread = reviews.open(proposal("run-0", thread=2), "reply")
    old = reviews.open(proposal("run-1"), "reply")
    reviews.revise(old, proposal("run-1", what=EDITED))
    new = reviews.open(proposal("run-2"), "reply")
    assert reviews.review(old).status is ReviewStatus.SUPERSEDED
    assert all_drafts(reviews, old) == [draft(), EDITED]
    assert reviews.pending_for_thread(ThreadId(1)) == (new,)
    assert reviews.review(other_thread).status is ReviewStatus.PENDING
    with pytest.raises(StaleDecision):
        reviews.decide(accept(old, 2), None, ReviewStatus.APPROVED, None)
    assert [reviews.standing(one) for one in (old, new)] == [(ReviewStatus.SUPERSEDED, 2), (ReviewStatus.PENDING, 1)]
    assert reviews.supersede(ThreadId(1)) == (new,)
    assert reviews.decision(new) is None
    with pytest.raises(NotFound):
        reviews.standing(ReviewId(99))


def test_approve_is_one_transaction(db: Database, clock: HandClock, reviews: Reviews) -> None:
    """Status, outbox row with the exact bytes, memory job and decision stand together."""
    review = reviews.open(proposal(), "reply")
    decided = reviews.decide(accept(review), new_outbox(), ReviewStatus.APPROVED, '{"review": 1}')
    assert decided.action == Action.ACCEPT
    item = Outbox(db, clock).get(OutboxId(decided.outbox_id))
    assert (item.review_id, item.state, item.mime) == (review, OutboxState.QUEUED, new_outbox().mime)
    assert reviews.review(review).status is ReviewStatus.APPROVED
    assert reviews.review(review).decided_at == NOON
    assert reviews.decision(review) == decided
    assert Jobs(db, clock).counts() == {"memory": 1}


def test_edit_keeps_both_drafts(db: Database, clock: HandClock, account: AccountId) -> None:
    """The edited draft is a revision of its own beside the proposed one, and the difference is kept."""
    Messages(db).apply(account, SyncPage(messages=(remote("a"),)))
    reviews = Reviews(db, clock)
    review = reviews.open(proposal(), "reply")
    reviews.decide(Decide(review, 1, Action.EDIT, EDITED), new_outbox(), ReviewStatus.APPROVED, None)
    stored = reviews.review(review)
    assert (stored.revision, stored.proposal.draft, stored.proposed) == (2, EDITED, draft())
    kept = db.read("SELECT * FROM kept_drafts")[0]
    assert (kept["outcome"], kept["sender"], kept["category"]) == ("edited", ANA.email, "inquiry")
    assert 0 < kept["kept"] < 1
    assert "-Dear Ana, on Friday." in kept["diff"]
    assert "+Dear Ana, on Monday." in kept["diff"]
    assert db.read("SELECT count(*) FROM kept_drafts")[0][0] == 1


def test_a_double_click_counts_once(db: Database, reviews: Reviews) -> None:
    """Two threads decide the same revision: one wins, the other is stale, one row leaves."""
    review = reviews.open(proposal(), "reply")
    outcomes: list[str] = []

    def click(marker: str) -> None:
        try:
            reviews.decide(accept(review), new_outbox(marker=marker), ReviewStatus.APPROVED, None)
            outcomes.append("decided")
        except StaleDecision:
            outcomes.append("stale")

    threads = [threading.Thread(target=click, args=(f"<{at}@x>",)) for at in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["decided", "stale", "stale", "stale"]
    assert db.read("SELECT count(*) FROM outbox")[0][0] == 1


@pytest.mark.parametrize(
    ("decide", "status", "error"),
    [
        (Decide(ReviewId(1), 2, Action.ACCEPT), ReviewStatus.APPROVED, StaleDecision),
        (Decide(ReviewId(9), 1, Action.ACCEPT), ReviewStatus.APPROVED, NotFound),
        (Decide(ReviewId(1), 1, Action.ACCEPT, SLOTTED), ReviewStatus.APPROVED, OpenSlots),
        (Decide(ReviewId(1), 1, Action.EDIT, SLOTTED), ReviewStatus.APPROVED, OpenSlots),
        (Decide(ReviewId(1), 1, Action.EDIT, draft("  \n")), ReviewStatus.APPROVED, NotAllowed),
        (Decide(ReviewId(1), 1, Action.IGNORE), ReviewStatus.PENDING, NotAllowed),
        (Decide(ReviewId(1), 1, Action.IGNORE), ReviewStatus.SUPERSEDED, NotAllowed),
    ],
)
def test_a_refused_decision_changes_nothing(
    db: Database, decide: Decide, status: ReviewStatus, error: type[ExpectedError], reviews: Reviews
) -> None:
    """Whatever is wrong, every table stays as it was."""
    reviews.open(proposal(), "reply")
    before = tables(db)
    with pytest.raises(error):
        reviews.decide(decide, new_outbox(), status, "{}")
    assert tables(db) == before


def test_open_slots_name_their_prompts_and_may_be_saved(reviews: Reviews) -> None:
    """Approval is refused with the prompts; saving as a draft is not."""
    review = reviews.open(proposal(what=SLOTTED), "reply")
    with pytest.raises(OpenSlots) as caught:
        reviews.decide(accept(review), new_outbox(), ReviewStatus.APPROVED, None)
    assert caught.value.slots == ("which day",)
    row = new_outbox(kind=OutboxKind.GMAIL_DRAFT)
    reviews.decide(Decide(review, 1, Action.SAVE_DRAFT), row, ReviewStatus.SAVED_AS_DRAFT, None)
    assert reviews.review(review).status is ReviewStatus.SAVED_AS_DRAFT


def test_a_full_disk_while_deciding(db: Database, reviews: Reviews) -> None:
    """Nothing of a decision that did not fit is left, and it can be repeated."""
    review = reviews.open(proposal(), "reply")
    before = tables(db)
    with db.transaction() as connection:
        size = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {size}")
    big = replace(new_outbox(), mime=b"x" * 500_000)
    with pytest.raises(ExpectedError, match="grow"):
        reviews.decide(accept(review), big, ReviewStatus.APPROVED, "{}")
    assert tables(db) == before
    db.write("PRAGMA max_page_count = 1000000")
    reviews.decide(accept(review), big, ReviewStatus.APPROVED, "{}")


def test_undo_brings_the_review_back(db: Database, clock: HandClock, reviews: Reviews) -> None:
    """Item and memory job are cancelled, the edit is the new pending revision, and it can be decided again."""
    review = reviews.open(proposal(), "reply")
    first = reviews.decide(Decide(review, 1, Action.EDIT, EDITED), new_outbox(), ReviewStatus.APPROVED, "{}")
    assert reviews.undo(review) == (first.outbox_id, 3)
    stored = reviews.review(review)
    assert (stored.status, stored.revision, stored.proposal.draft) == (ReviewStatus.PENDING, 3, EDITED)
    assert stored.decided_at is None
    assert reviews.decision(review) is None
    assert Outbox(db, clock).get(OutboxId(first.outbox_id)).state is OutboxState.CANCELLED
    assert Jobs(db, clock).counts() == {}
    assert db.read("SELECT count(*) FROM kept_drafts")[0][0] == 0
    with pytest.raises(StaleDecision):
        reviews.decide(accept(review, 1), None, ReviewStatus.APPROVED, None)
    second = reviews.decide(accept(review, 3), new_outbox(marker="<2@x>"), ReviewStatus.APPROVED, "{}")
    assert second.outbox_id != first.outbox_id
    assert reviews.decision(review) == second


def test_undo_is_refused_once_it_left(db: Database, clock: HandClock) -> None:
    """A sender that took the first step has the last word."""
    reviews, outbox = Reviews(db, clock), Outbox(db, clock)
    review = reviews.open(proposal(), "reply")
    item = OutboxId(reviews.decide(accept(review), new_outbox(), ReviewStatus.APPROVED, "{}").outbox_id)
    outbox.move(item, OutboxState.QUEUED, OutboxState.DRAFTING)
    before = tables(db)
    with pytest.raises(NotAllowed):
        reviews.undo(review)
    assert tables(db) == before


def test_nothing_to_undo(reviews: Reviews) -> None:
    """A pending review, one undone already, feedback, and an approval that was acted upon."""
    review = reviews.open(proposal(), "reply")
    with pytest.raises(NotAllowed):
        reviews.undo(review)
    reviews.decide(Decide(review, 1, Action.IGNORE), None, ReviewStatus.REJECTED, None)
    assert reviews.undo(review) == (0, 2)
    with pytest.raises(NotAllowed):
        reviews.undo(review)
    reviews.decide(Decide(review, 2, Action.RESPOND, text="shorter"), None, ReviewStatus.ANSWERED, None)
    with pytest.raises(NotAllowed):
        reviews.undo(review)
    plan = reviews.open(proposal("run-9", kind=ReviewKind.PLAN, thread=9), "plan")
    reviews.decide(accept(plan), None, ReviewStatus.APPROVED, None)
    with pytest.raises(NotAllowed):
        reviews.undo(plan)


def test_feedback_and_the_next_revision(reviews: Reviews) -> None:
    """An answered review comes back with the new draft; a decided one does not."""
    review = reviews.open(proposal(), "reply")
    reviews.decide(Decide(review, 1, Action.RESPOND, text="shorter"), None, ReviewStatus.ANSWERED, None)
    assert reviews.decision(review) == ReviewDecision(1, "respond", "shorter", 0)
    flagged = replace(proposal(what=EDITED), flags=(RedFlag(FlagKind.BCC, "x@y"),))
    assert reviews.revise(review, flagged) == 2
    assert reviews.decision(review) is None
    stored = reviews.review(review)
    assert (stored.status, stored.proposal, stored.proposed) == (ReviewStatus.PENDING, flagged, draft())
    reviews.decide(accept(review, 2), new_outbox(), ReviewStatus.APPROVED, None)
    with pytest.raises(StaleDecision):
        reviews.revise(review, proposal())


class ReviewMachine(StoreMachine):
    """Any order of the user's, the runs' and the sender's steps; the rules hold after each."""

    def __init__(self) -> None:
        super().__init__()
        self.reviews = Reviews(self.db, self.clock)
        self.outbox = Outbox(self.db, self.clock)
        self.marker = 0
        self.seen: dict[ReviewId, list[object]] = {}

    def _any(self, number: int) -> ReviewId | None:
        ids = sorted(self.seen)
        return ids[number % len(ids)] if ids else None

    @rule(run=st.sampled_from(["r1", "r2", "r3"]), key=st.sampled_from(["a", "b"]), thread=st.integers(1, 2))
    def open(self, run: str, key: str, thread: int) -> None:
        """A run puts something up."""
        before = set(self.seen)
        review = self.reviews.open(proposal(run, thread=thread), key)
        self.seen.setdefault(review, [])
        if review not in before:
            others = self.reviews.pending_for_thread(ThreadId(thread))
            assert {self.reviews.review(one).proposal.run_id for one in others} == {run}

    @rule(
        which=st.integers(0, 5),
        revision=st.integers(-1, 0),
        action=st.sampled_from([Action.ACCEPT, Action.EDIT, Action.IGNORE, Action.RESPOND]),
        body=st.sampled_from(["one", "two"]),
    )
    def decide(self, which: int, revision: int, action: Action, body: str) -> None:
        """The user decides, now and then on an old revision."""
        review = self._any(which)
        if review is None:
            return
        stored = self.reviews.review(review)
        sends = action in (Action.ACCEPT, Action.EDIT)
        status = {Action.IGNORE: ReviewStatus.REJECTED, Action.RESPOND: ReviewStatus.ANSWERED}.get(action, ReviewStatus.APPROVED)
        self.marker += 1
        outbox = new_outbox(marker=f"<{self.marker}@x>") if sends else None
        told = Decide(review, stored.revision + revision, action, draft(body) if action is Action.EDIT else None, "text")
        fits = stored.status is ReviewStatus.PENDING and revision == 0
        try:
            decided = self.reviews.decide(told, outbox, status, "{}")
        except StaleDecision:
            assert not fits
        else:
            assert fits
            assert bool(decided.outbox_id) == sends

    @rule(which=st.integers(0, 5))
    def undo(self, which: int) -> None:
        """The user takes it back."""
        review = self._any(which)
        if review is None:
            return
        item = self.outbox.for_review(review)
        status = self.reviews.review(review).status
        try:
            self.reviews.undo(review)
        except NotAllowed:
            left = item is not None and item.state not in (*UNDOABLE, OutboxState.CANCELLED)
            assert left or status not in (ReviewStatus.APPROVED, ReviewStatus.REJECTED)
        else:
            assert self.reviews.review(review).status is ReviewStatus.PENDING

    @rule(which=st.integers(0, 5))
    def revise(self, which: int) -> None:
        """The run has a new draft."""
        review = self._any(which)
        if review is not None and self.reviews.review(review).status in (ReviewStatus.PENDING, ReviewStatus.ANSWERED):
            self.reviews.revise(review, replace(self.reviews.review(review).proposal, draft=draft("revised")))

    @rule(new=st.sampled_from([OutboxState.DRAFTING, OutboxState.HELD, OutboxState.SENT]))
    def send(self, new: OutboxState) -> None:
        """The sender takes a step."""
        item = self.outbox.claim_due("w", 0)
        if item is not None and item.state is OutboxState.QUEUED:
            self.outbox.move(item.id, item.state, new)

    @invariant()
    def one_live_item_per_review(self) -> None:
        """No review has two items that may leave; a pending one has none."""
        live = self.db.read("SELECT review_id FROM outbox WHERE state <> 'cancelled'")
        ids = [row[0] for row in live]
        assert len(ids) == len(set(ids))
        for one in ids:
            assert self.reviews.review(one).status is ReviewStatus.APPROVED

    @invariant()
    def revisions_are_never_lost(self) -> None:
        """Every draft ever stored is still there, in its place."""
        for review, known in self.seen.items():
            drafts = all_drafts(self.reviews, review)
            assert drafts[: len(known)] == known
            self.seen[review] = drafts

    @invariant()
    def one_decision_in_force(self) -> None:
        """A decision in force exists exactly for what was decided."""
        for review in self.seen:
            decided = self.reviews.review(review).status not in (ReviewStatus.PENDING, ReviewStatus.SUPERSEDED)
            assert (self.reviews.decision(review) is not None) == decided


TestReviewSteps = ReviewMachine.TestCase
TestReviewSteps.settings = settings(max_examples=15, stateful_step_count=25, deadline=None)

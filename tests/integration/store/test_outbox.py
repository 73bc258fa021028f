"""The outbox: listed steps only, one holder at a time, one item a review, history kept."""

import itertools
from datetime import timedelta
from itertools import product

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from app.domain.errors import NotAllowed, NotFound
from app.domain.ids import AccountId, GmailDraftId, GmailId, OutboxId, ReviewId
from app.domain.mail.outbox import TRANSITIONS, OutboxKind, OutboxState
from app.store.db.database import Database
from app.store.outbox import Outbox, ReachableAccounts
from fakes.engine.store.state_machine import StoreMachine
from fakes.engine.store.values import NOON, HandClock, new_outbox


@pytest.fixture
def outbox(db: Database, clock: HandClock) -> Outbox:
    return Outbox(db, clock)


def test_an_item_comes_back_as_it_went_in(outbox: Outbox) -> None:
    """Every field and the exact bytes."""
    new = new_outbox(review=3, due=NOON + timedelta(seconds=10))
    item = outbox.get(outbox.add(new))
    for name in ("account_id", "review_id", "kind", "thread_id", "gmail_thread_id", "to", "subject", "mime", "marker"):
        assert getattr(item, name) == getattr(new, name)
    assert (item.expected_tip, item.created_at, item.not_before) == ("a", NOON, NOON + timedelta(seconds=10))
    assert (item.state, item.attempts, item.reason, item.draft_id) == (OutboxState.QUEUED, 0, "", "")
    assert outbox.for_review(ReviewId(3)) == item
    assert outbox.for_review(ReviewId(4)) is None
    with pytest.raises(NotFound):
        outbox.get(OutboxId(99))


def test_one_item_per_review_and_marker(db: Database, outbox: Outbox) -> None:
    """A second item of a review, or a marker used before, is refused; a cancelled one makes room."""
    first = outbox.add(new_outbox(review=1, marker="<1@x>"))
    for again in (new_outbox(review=1, marker="<2@x>"), new_outbox(review=2, marker="<1@x>")):
        with pytest.raises(NotAllowed):
            outbox.add(again)
    assert db.read("SELECT count(*) FROM outbox_mime")[0][0] == 1
    outbox.move(first, OutboxState.QUEUED, OutboxState.SENT)
    with pytest.raises(NotAllowed):
        outbox.add(new_outbox(review=1, marker="<3@x>"))
    third = outbox.add(new_outbox(review=3, marker="<4@x>"))
    outbox.move(third, OutboxState.QUEUED, OutboxState.CANCELLED)
    outbox.add(new_outbox(review=3, marker="<5@x>"))


def test_due_in_order_and_by_lease(clock: HandClock, outbox: Outbox) -> None:
    """Nothing before its time; nobody takes a leased item until the lease runs out."""
    assert outbox.next_due() is None
    late = outbox.add(new_outbox(marker="<1@x>", due=NOON + timedelta(seconds=10)))
    early = outbox.add(new_outbox(marker="<2@x>", due=NOON + timedelta(seconds=5)))
    assert outbox.claim_due("w1", 60) is None
    assert outbox.next_due() == NOON + timedelta(seconds=5)
    clock.pass_s(10)
    taken = [outbox.claim_due("w1", 60), outbox.claim_due("w2", 60), outbox.claim_due("w3", 60)]
    assert [item and item.id for item in taken] == [early, late, None]
    assert taken[0] is not None
    assert taken[0].attempts == 1
    assert outbox.next_due() == NOON + timedelta(seconds=70)
    outbox.release(late, clock.now + timedelta(seconds=20))
    assert outbox.next_due() == NOON + timedelta(seconds=30)
    clock.pass_s(60)
    again = [outbox.claim_due("w4", 60), outbox.claim_due("w4", 60)]
    assert [item and (item.id, item.attempts) for item in again] == [(early, 2), (late, 2)]
    outbox.release_leases()
    assert outbox.claim_due("w5", 60) is not None


def test_what_cannot_be_reached_is_neither_claimed_nor_waited_for(outbox: Outbox) -> None:
    """An account that is signed out or rests; a meeting that may stand in a calendar which is not open."""
    mail = outbox.add(new_outbox(marker="<1@x>"))
    meeting = outbox.add(new_outbox(marker="<2@x>", kind=OutboxKind.CALENDAR))
    outbox.move(meeting, OutboxState.QUEUED, OutboxState.DRAFTING)
    for reach in (ReachableAccounts((), ()), ReachableAccounts((AccountId(2),), (AccountId(2),))):
        assert outbox.claim_due("w", 60, reach) is None
        assert outbox.next_due(reach) is None
    connected = ReachableAccounts((AccountId(1), AccountId(2)), ())
    taken = [outbox.claim_due("w", 60, connected), outbox.claim_due("w", 60, connected)]
    assert [item and item.id for item in taken] == [mail, None]
    assert outbox.next_due(connected) == NOON + timedelta(seconds=60)
    found = outbox.claim_due("w", 60, ReachableAccounts((AccountId(1),), (AccountId(1),)))
    assert (found.id, found.attempts) == (meeting, 1)


def test_after_a_crash_a_half_done_item_is_claimed(db: Database, outbox: Outbox) -> None:
    """Every state between queued and sent is found again; held and final ones are not."""
    for at, state in enumerate(OutboxState):
        number = outbox.add(new_outbox(marker=f"<{at}@x>"))
        db.write("UPDATE outbox SET state = ? WHERE id = ?", (state, number))
    found = set()
    while (item := outbox.claim_due("w", 60)) is not None:
        found.add(item.state)
    assert found == {OutboxState.QUEUED, OutboxState.DRAFTING, OutboxState.DRAFTED, OutboxState.SENDING, OutboxState.UNCERTAIN}


def test_only_listed_steps(db: Database, outbox: Outbox) -> None:
    """Each pair of states: done and noted when listed, refused without a trace otherwise."""
    for at, (old, new) in enumerate(product(OutboxState, OutboxState)):
        number = outbox.add(new_outbox(marker=f"<{at}@x>"))
        db.write("UPDATE outbox SET state = ? WHERE id = ?", (old, number))
        before = outbox.steps(number)
        if new in TRANSITIONS[old]:
            assert outbox.move(number, old, new, reason="why").state is new
            assert (outbox.steps(number)[-1].old, outbox.steps(number)[-1].reason) == (old, "why")
        else:
            with pytest.raises(NotAllowed):
                outbox.move(number, old, new)
            assert outbox.get(number).state is old
            assert outbox.steps(number) == before


def test_compare_and_set(outbox: Outbox) -> None:
    """A step from a state the item left is refused; ids from Google are kept until told."""
    number = outbox.add(new_outbox())
    outbox.move(number, OutboxState.QUEUED, OutboxState.DRAFTING)
    with pytest.raises(NotAllowed, match="drafting, not queued"):
        outbox.move(number, OutboxState.QUEUED, OutboxState.CANCELLED)
    outbox.move(number, OutboxState.DRAFTING, OutboxState.DRAFTED, draft_id=GmailDraftId("r1"))
    outbox.move(number, OutboxState.DRAFTED, OutboxState.SENDING)
    item = outbox.move(number, OutboxState.SENDING, OutboxState.SENT, sent_gmail_id=GmailId("s1"))
    assert (item.draft_id, item.sent_gmail_id) == ("r1", "s1")
    assert [step.new for step in outbox.steps(number)] == ["queued", "drafting", "drafted", "sending", "sent"]
    with pytest.raises(NotFound):
        outbox.move(OutboxId(99), OutboxState.QUEUED, OutboxState.HELD)


def test_a_held_item_goes_on_when_the_user_says(outbox: Outbox) -> None:
    """Holding gives the lease back; the item is due again once it is queued."""
    number = outbox.add(new_outbox())
    assert outbox.claim_due("w", 600) is not None
    outbox.move(number, OutboxState.QUEUED, OutboxState.HELD, reason="newer_mail")
    assert outbox.claim_due("w", 600) is None
    outbox.set_expected_tip(number, GmailId("newer"))
    outbox.set_not_before(number, NOON - timedelta(seconds=1))
    outbox.move(number, OutboxState.HELD, OutboxState.QUEUED)
    item = outbox.claim_due("w", 600)
    assert (item.expected_tip, item.reason) == ("newer", "")


class SenderMachine(StoreMachine):
    """Several senders, crashes and users: an item has one holder, and its history is a path of listed steps."""

    def __init__(self) -> None:
        super().__init__()
        self.outbox = Outbox(self.db, self.clock)
        self.items: list[OutboxId] = []
        self.held_until: dict[OutboxId, float] = {}

    @rule(delay=st.sampled_from([0, 5]))
    def add(self, delay: int) -> None:
        """The user approves."""
        due = self.clock.now + timedelta(seconds=delay)
        self.items.append(self.outbox.add(new_outbox(marker=f"<{len(self.items)}@x>", due=due)))

    @rule(new=st.sampled_from(list(OutboxState)), crash=st.booleans())
    def work(self, new: OutboxState, crash: bool) -> None:
        """A sender claims, steps, and gives back or dies."""
        item = self.outbox.claim_due("w", 30)
        if item is None:
            return
        now = self.clock.now.timestamp()
        assert self.held_until.get(item.id, 0) <= now
        self.held_until[item.id] = now + 30
        if new in TRANSITIONS[item.state]:
            moved = self.outbox.move(item.id, item.state, new)
            if moved.state in (OutboxState.HELD, OutboxState.SENT, OutboxState.CANCELLED):
                self.held_until[item.id] = 0
        if not crash:
            self.outbox.release(item.id, self.clock.now)
            self.held_until[item.id] = 0

    @rule(seconds=st.sampled_from([1, 30]))
    def wait(self, seconds: int) -> None:
        """Let time pass."""
        self.clock.pass_s(seconds)

    @invariant()
    def histories_are_paths(self) -> None:
        """Each step starts where the one before ended, ends at the state, and is listed."""
        for item in self.items:
            steps = self.outbox.steps(item)
            assert (steps[0].old, steps[0].new) == ("", "queued")
            for before, after in itertools.pairwise(steps):
                assert after.old == before.new
                assert OutboxState(after.new) in TRANSITIONS[OutboxState(after.old)]
            assert steps[-1].new == self.outbox.get(item).state


TestSenders = SenderMachine.TestCase
TestSenders.settings = settings(max_examples=15, stateful_step_count=25, deadline=None)

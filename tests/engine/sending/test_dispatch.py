"""The sender's steps against any order of lost requests, lost answers, crashes, lag and the owner's own hands: one copy at most.

A small Gmail stands behind the port, so that thousands of orders can be tried; the real one and real processes are tried by
tests/flows/test_send_*.py.
"""

import asyncio
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, cast

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from app.domain.errors import ExpectedError, NotFound, Offline, QuotaReached, ServerTrouble
from app.domain.ids import AccountId, GmailDraftId, GmailId, GmailThreadId, OutboxId, ReviewId, ThreadId
from app.domain.mail import SystemLabel
from app.domain.outbox import HoldReason, OutboxItem, OutboxKind, OutboxState, check_transition
from app.domain.ports.gmail import MailServer, RemoteDraft, ThreadMessage
from app.domain.syncing import Listed, ListPage
from app.engine.sending.dispatch import Dispatch
from app.engine.sending.steps import Steps

NOW = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
THREAD = GmailThreadId("t1")
ASKED = ThreadMessage(GmailId("q1"), frozenset({"INBOX"}), "<q1@x>", "ann@x.example", NOW, "")
ITEM = OutboxItem(
    OutboxId(1), AccountId(1), ReviewId(1), OutboxKind.SEND, OutboxState.QUEUED, ThreadId(1), THREAD, "ann@x.example", "Hi",
    b"", "", "<m1@x>", GmailId("q1"), NOW, NOW,
)  # fmt: skip
RESTING = frozenset({OutboxState.SENT, OutboxState.HELD, OutboxState.CANCELLED})
TROUBLE: dict[str, type[ExpectedError]] = {"offline": Offline, "5xx": ServerTrouble, "quota": QuotaReached}


class Crash(BaseException):
    """The process ends here."""


@dataclass
class SmallGmail:
    """Drafts and sent mail of one thread. `plan` says what happens to the next requests: fine, lost before or after it took
    effect, crashed before or after. `blind` is how often a search still misses a new draft."""

    drafts: dict[str, str] = field(default_factory=dict)
    thread: list[ThreadMessage] = field(default_factory=lambda: [ASKED])
    plan: list[str] = field(default_factory=list)
    blind: int = 0
    sends: int = 0
    made: int = 0

    def begin(self) -> str:
        """What happens to this request; raises what happens before it takes effect."""
        fate = self.plan.pop(0) if self.plan else "fine"
        if fate == "crash-before":
            raise Crash
        if fate.endswith("-before"):
            raise TROUBLE[fate.removesuffix("-before")]
        return fate

    def end(self, fate: str) -> None:
        """What happens after it."""
        if fate == "crash-after":
            raise Crash
        if fate.endswith("-after"):
            raise ServerTrouble if fate == "quota-after" else TROUBLE[fate.removesuffix("-after")]

    async def thread_state(self, gmail_thread_id: str) -> tuple[ThreadMessage, ...]:
        self.end(self.begin())
        drafts = [
            replace(ASKED, gmail_id=GmailId(f"m-{one}"), labels=frozenset({"DRAFT"}), marker=m) for one, m in self.drafts.items()
        ]
        return (*self.thread, *drafts)

    async def create_draft(self, mime: bytes, gmail_thread_id: str) -> RemoteDraft:
        fate = self.begin()
        self.made += 1
        draft = f"d{self.made}"
        self.drafts[draft] = ITEM.marker
        self.end(fate)
        return self._draft(draft)

    async def get_draft(self, draft_id: str) -> RemoteDraft:
        self.end(self.begin())
        if draft_id not in self.drafts:
            raise NotFound("no such draft")
        return self._draft(draft_id)

    async def find_drafts(self, marker: str) -> tuple[RemoteDraft, ...]:
        self.end(self.begin())
        if self.blind:
            self.blind -= 1
            return ()
        return tuple(self._draft(one) for one, held in self.drafts.items() if held == marker)

    async def send_draft(self, draft_id: str) -> GmailId:
        fate = self.begin()
        if draft_id not in self.drafts:
            raise NotFound("no such draft")
        self.sends += 1
        self._deliver(self.drafts.pop(draft_id))
        self.end(fate)
        return self.thread[-1].gmail_id

    async def list_messages(self, query: str = "", label_ids: tuple[str, ...] = (), page_token: str = "") -> ListPage:
        """Everything lies in one thread."""
        return ListPage(tuple(Listed(one.gmail_id, THREAD) for one in self.thread if "SENT" in one.labels), "", 0)

    async def delete_draft(self, draft_id: str) -> None:
        fate = self.begin()
        self.drafts.pop(draft_id, None)
        self.end(fate)

    def _deliver(self, marker: str) -> None:
        sent = frozenset({SystemLabel.SENT.value})
        number = len(self.thread)
        self.thread.append(ThreadMessage(GmailId(f"s{number}"), sent, f"<s{number}@x>", "me@x.example", NOW, marker))

    def _draft(self, draft_id: str) -> RemoteDraft:
        return RemoteDraft(GmailDraftId(draft_id), GmailId(f"m-{draft_id}"), THREAD)

    @property
    def copies(self) -> int:
        """Sent mails that carry the item's marker."""
        return sum(one.marker == ITEM.marker for one in self.thread)


class PaperSteps:
    """`Steps` whose row outlives a crash, and whose memory does not."""

    def __init__(self, row: OutboxItem) -> None:
        self.row = row
        self.forget()

    def forget(self) -> None:
        """As after a restart."""
        self._misses: Counter[str] = Counter()
        self._is_fresh = False

    async def move(
        self, item: OutboxItem, new: OutboxState, *, reason: str = "", draft_id: Any = None, sent_gmail_id: Any = None
    ) -> OutboxItem:
        assert item.state is self.row.state
        check_transition(item.state, new)
        known = {"draft_id": draft_id, "sent_gmail_id": sent_gmail_id}
        self.row = replace(item, state=new, reason=reason, **{name: value for name, value in known.items() if value is not None})
        self._misses.clear()
        return self.row

    async def hold(self, item: OutboxItem, reason: HoldReason) -> OutboxItem:
        return await self.move(item, OutboxState.HELD, reason=reason)

    def doubt(self, item: OutboxItem) -> None:
        """Sweeping is tried with the real server."""

    def missed(self, item: OutboxItem) -> int:
        self._misses[item.state] += 1
        return self._misses[item.state]

    def old(self, item: OutboxItem) -> bool:
        return False

    def fresh(self, item: OutboxItem) -> None:
        self._is_fresh = True

    def take_fresh(self, item: OutboxItem) -> bool:
        was, self._is_fresh = self._is_fresh, False
        return was

    async def sweep(self, item: OutboxItem) -> None:
        """Sweeping is tried with the real server."""


FATES = st.sampled_from(["fine", "fine", *(f"{kind}-{when}" for kind in (*TROUBLE, "crash") for when in ("before", "after"))])


class Sending(RuleBasedStateMachine):
    """One approved answer on its way."""

    def __init__(self) -> None:
        super().__init__()
        self.gmail = SmallGmail()
        self.steps = PaperSteps(ITEM)
        self.dispatch = Dispatch(cast(MailServer, self.gmail), cast(Steps, self.steps))
        self.by_hand = 0

    def carry(self) -> None:
        """One step; a crash forgets what only the process knew."""
        try:
            asyncio.run(self.dispatch.advance(self.steps.row))
        except Crash:
            self.steps.forget()
        except ExpectedError:
            return

    @precondition(lambda self: self.steps.row.state not in RESTING)
    @rule(fates=st.lists(FATES, max_size=4))
    def step(self, fates: list[str]) -> None:
        """The sender goes on, with trouble at its next requests."""
        self.gmail.plan = fates
        self.carry()
        self.gmail.plan = []

    @rule(times=st.integers(1, 2))
    def search_lags(self, times: int) -> None:
        """Drafts made lately are not found yet, but before the sender gives up."""
        self.gmail.blind = times if self.steps.row.state is not OutboxState.DRAFTING else 0

    @precondition(lambda self: self.gmail.drafts and self.steps.row.state is OutboxState.HELD)
    @rule()
    def the_owner_sends_the_draft_by_hand(self) -> None:
        """In Gmail, while ours waits for a word."""
        draft = next(iter(self.gmail.drafts))
        self.gmail._deliver(self.gmail.drafts.pop(draft))
        self.by_hand += 1

    @rule()
    def the_owner_answers_from_the_phone(self) -> None:
        """Another answer in the thread."""
        self.gmail._deliver("")

    @invariant()
    def never_two_copies(self) -> None:
        """Whatever happened so far."""
        assert self.gmail.copies <= 1
        assert self.gmail.sends + self.by_hand == self.gmail.copies

    @invariant()
    def what_is_called_sent_is_sent(self) -> None:
        """And carries the server's id."""
        if self.steps.row.state is OutboxState.SENT:
            assert self.gmail.copies == 1
            assert self.steps.row.sent_gmail_id in {one.gmail_id for one in self.gmail.thread if one.marker}

    def teardown(self) -> None:
        """With no more trouble it comes to rest, and what rests unsent was not sent behind anybody's back."""
        for _ in range(30):
            if self.steps.row.state in RESTING:
                break
            self.carry()
        assert self.steps.row.state in RESTING
        self.never_two_copies()
        self.what_is_called_sent_is_sent()
        assert self.steps.row.state is OutboxState.SENT or self.gmail.copies == self.by_hand


TestSending = Sending.TestCase
TestSending.settings = settings(max_examples=120, stateful_step_count=25, deadline=None)


def _to_rest(gmail: SmallGmail, steps: PaperSteps) -> OutboxItem:
    dispatch = Dispatch(cast(MailServer, gmail), cast(Steps, steps))
    for _ in range(20):
        if steps.row.state in RESTING:
            break
        asyncio.run(dispatch.advance(steps.row))
    return steps.row


def test_an_answer_whose_draft_had_to_be_found_leaves_only_after_its_thread_was_read_again() -> None:
    """The computer slept for a day between the draft and the send: somebody wrote, or the owner answered from the phone."""
    gmail, steps = SmallGmail(), PaperSteps(replace(ITEM, state=OutboxState.DRAFTING))
    gmail.drafts["d1"] = ITEM.marker
    gmail._deliver("")
    rested = _to_rest(gmail, steps)
    assert (rested.state, rested.reason, gmail.sends) == (OutboxState.HELD, HoldReason.ANSWERED_ELSEWHERE, 0)


def test_an_answer_whose_draft_was_found_leaves_when_nothing_happened_meanwhile() -> None:
    """The usual case."""
    gmail, steps = SmallGmail(), PaperSteps(replace(ITEM, state=OutboxState.DRAFTING))
    gmail.drafts["d1"] = ITEM.marker
    assert (_to_rest(gmail, steps).state, gmail.sends) == (OutboxState.SENT, 1)


def test_a_new_mail_that_was_found_nowhere_and_is_sent_anyway_is_looked_for_once_more() -> None:
    """Its draft was gone, and the list of sent mail was not up to date: by the time the owner says so it is."""
    gmail, steps = SmallGmail(), PaperSteps(replace(ITEM, gmail_thread_id=GmailThreadId(""), draft_id=GmailDraftId("d1")))
    gmail._deliver(ITEM.marker)
    assert _to_rest(gmail, steps).state is OutboxState.SENT
    assert gmail.copies == 1

"""The sender's steps against any order of lost requests, lost answers, crashes, lag and the owner's own hands: one copy at most.

The real server and real processes are tried by tests/end_to_end/sending.
"""

import asyncio
from typing import Any, cast

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from app.domain.errors import ExpectedError, QuotaReached, TemporarilyRejected
from app.domain.ids import GmailDraftId, GmailId, GmailThreadId
from app.domain.mail.message import SystemLabel
from app.domain.mail.outbox import HoldReason, OutboxItem, OutboxKind, OutboxState
from app.domain.ports.gmail import MailServer, ReadDraft, RemoteDraft, ThreadMessage
from app.domain.record import replace
from app.engine.outbox.mail_sender import LOOK_AGAIN_S, MailSender, RetryLater
from app.engine.outbox.outbox_writer import OutboxWriter
from fakes.gmail.gmail_port import ASKED, ITEM, REFUSALS, RESTING, THREAD, TROUBLE, Crash, PaperSteps, SmallGmail

FATES = st.sampled_from(["fine", "fine", *(f"{kind}-{when}" for kind in (*TROUBLE, "crash") for when in ("before", "after"))])


class Sending(RuleBasedStateMachine):
    """One approved answer on its way."""

    def __init__(self) -> None:
        super().__init__()
        self.gmail = SmallGmail()
        self.steps = PaperSteps(ITEM)
        self.dispatch = MailSender(cast(MailServer, self.gmail), cast(OutboxWriter, self.steps))
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

    @precondition(lambda self: self.gmail.drafts)
    @rule()
    def the_owner_sends_the_draft_by_hand(self) -> None:
        """In Gmail, whatever ours is about to do."""
        draft = next(iter(self.gmail.drafts))
        self.gmail.deliver(self.gmail.drafts.pop(draft))
        self.by_hand += 1

    @rule()
    def the_owner_answers_from_the_phone(self) -> None:
        """Another answer in the thread."""
        self.gmail.deliver("")

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
            assert self.steps.swept == [ITEM.marker], "a draft that was made twice goes"
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
TestSending.settings = settings(max_examples=2 * settings.default.max_examples, stateful_step_count=25, deadline=None)


def _to_rest(gmail: SmallGmail, steps: PaperSteps) -> OutboxItem:
    dispatch = MailSender(cast(MailServer, gmail), cast(OutboxWriter, steps))
    for _ in range(20):
        if steps.row.state in RESTING:
            break
        asyncio.run(dispatch.advance(steps.row))
    return steps.row


def test_an_answer_whose_draft_had_to_be_found_leaves_only_after_its_thread_was_read_again() -> None:
    """The computer slept for a day between the draft and the send: somebody wrote, or the owner answered from the phone."""
    gmail, steps = SmallGmail(), PaperSteps(replace(ITEM, state=OutboxState.DRAFTING))
    gmail.drafts["d1"] = ITEM.marker
    gmail.deliver("")
    rested = _to_rest(gmail, steps)
    assert (rested.state, rested.reason, gmail.sends) == (OutboxState.HELD, HoldReason.ANSWERED_ELSEWHERE, 0)


def test_an_answer_whose_draft_was_found_leaves_when_nothing_happened_meanwhile() -> None:
    """The usual case."""
    gmail, steps = SmallGmail(), PaperSteps(replace(ITEM, state=OutboxState.DRAFTING))
    gmail.drafts["d1"] = ITEM.marker
    assert (_to_rest(gmail, steps).state, gmail.sends) == (OutboxState.SENT, 1)


def answer_of(state: OutboxState = OutboxState.QUEUED, **known: Any) -> tuple[SmallGmail, PaperSteps]:
    """An approved answer in some state, and Gmail."""
    return SmallGmail(), PaperSteps(replace(ITEM, state=state, **known))


@pytest.mark.parametrize(("own", "reason"), [(True, HoldReason.ANSWERED_ELSEWHERE), (False, HoldReason.NEWER_MAIL)])
def test_whatever_came_since_the_approval_holds_an_answer_before_anything_is_made_of_it(own: bool, reason: HoldReason) -> None:
    gmail, steps = answer_of()
    labels = frozenset({SystemLabel.SENT.value if own else SystemLabel.INBOX.value})
    gmail.thread.append(replace(ASKED, gmail_id=GmailId("q2"), labels=labels))
    rested = _to_rest(gmail, steps)
    assert (rested.state, rested.reason, gmail.made) == (OutboxState.HELD, reason, 0)


def test_a_draft_whose_answer_was_lost_and_which_the_search_misses_at_first_is_not_made_twice() -> None:
    gmail, steps = answer_of(OutboxState.DRAFTING)
    gmail.drafts["d1"] = ITEM.marker
    gmail.blind = 1
    assert (_to_rest(gmail, steps).state, gmail.made, gmail.copies) == (OutboxState.SENT, 0, 1)


@pytest.mark.parametrize("thread", [THREAD, GmailThreadId("")], ids=["answer", "new mail"])
def test_a_draft_whose_answer_was_lost_and_which_the_owner_sent_by_hand_is_sent(thread: GmailThreadId) -> None:
    gmail, steps = answer_of(OutboxState.DRAFTING, gmail_thread_id=thread)
    gmail.deliver(ITEM.marker)
    assert (_to_rest(gmail, steps).state, gmail.made, gmail.sends) == (OutboxState.SENT, 0, 0)


def test_of_two_drafts_of_one_answer_one_is_left_and_sent() -> None:
    """A doubled request made the other."""
    gmail, steps = answer_of(OutboxState.DRAFTING)
    gmail.drafts |= {"d1": ITEM.marker, "d2": ITEM.marker}
    assert (_to_rest(gmail, steps).state, gmail.copies, gmail.drafts) == (OutboxState.SENT, 1, {})


def test_a_draft_that_the_owner_changed_in_gmail_is_not_what_was_approved() -> None:
    gmail, steps = answer_of(OutboxState.DRAFTED, draft_id=GmailDraftId("d1"))
    gmail.drafts["d1"] = "<somebody-else@x>"
    rested = _to_rest(gmail, steps)
    assert (rested.state, rested.reason, gmail.sends) == (OutboxState.HELD, HoldReason.DRAFT_EDITED, 0)


@pytest.mark.parametrize(
    ("mark", "message"), [("", "m-d1"), ("<another@x>", "m-d1"), (ITEM.marker, "m-before")], ids=["none", "another's", "edited"]
)
def test_no_draft_is_sent_that_is_not_the_one_that_was_approved(mark: str, message: str) -> None:
    """The answer to its creation may name any draft."""
    gmail, steps = answer_of(OutboxState.DRAFTED, draft_id=GmailDraftId("d1"), draft_message=GmailId(message))
    gmail.drafts["d1"] = mark
    rested = _to_rest(gmail, steps)
    assert (rested.state, rested.reason, gmail.sends) == (OutboxState.HELD, HoldReason.DRAFT_EDITED, 0)
    assert rested.theirs == ("d1",), "no sweep takes it"


def test_a_draft_of_another_in_place_of_the_one_that_was_made_is_not_called_done() -> None:
    gmail, steps = answer_of(kind=OutboxKind.GMAIL_DRAFT)
    gmail.drafts["d7"] = "<the owner's@x>"

    async def another(_mime: bytes, _thread: str) -> RemoteDraft:
        return RemoteDraft(GmailDraftId("d7"), GmailId("m-d7"), THREAD)

    setattr(gmail, "create_draft", another)  # noqa: B010 - a method of this one server
    rested = _to_rest(gmail, steps)
    assert (rested.state, rested.reason, rested.theirs) == (OutboxState.HELD, HoldReason.DRAFT_EDITED, ("d7",))


def test_an_answer_that_stands_in_its_thread_beside_its_draft_is_sent() -> None:
    """The server took the draft away a little later than it sent it."""
    gmail, steps = answer_of(OutboxState.DRAFTED, draft_id=GmailDraftId("d1"))
    gmail.drafts["d1"] = ITEM.marker
    gmail.deliver(ITEM.marker)
    assert (_to_rest(gmail, steps).state, gmail.sends) == (OutboxState.SENT, 0)


def test_a_draft_that_does_not_show_at_once_is_looked_for_again_in_its_thread() -> None:
    """By then somebody may have written."""
    gmail, steps = answer_of(OutboxState.DRAFTED, draft_id=GmailDraftId("d1"))
    dispatch = MailSender(cast(MailServer, gmail), cast(OutboxWriter, steps))
    assert asyncio.run(dispatch.advance(steps.row)) == RetryLater(LOOK_AGAIN_S)
    gmail.drafts["d1"] = ITEM.marker
    gmail.thread.append(replace(ASKED, gmail_id=GmailId("q2")))
    rested = _to_rest(gmail, steps)
    assert (rested.state, rested.reason, gmail.sends) == (OutboxState.HELD, HoldReason.NEWER_MAIL, 0)


@pytest.mark.parametrize("by_hand", [True, False])
def test_a_draft_that_is_gone_was_sent_by_hand_or_the_user_is_asked(by_hand: bool) -> None:
    gmail, steps = answer_of(OutboxState.DRAFTED, draft_id=GmailDraftId("d1"))
    if by_hand:
        gmail.deliver(ITEM.marker)
    rested = _to_rest(gmail, steps)
    wanted = (OutboxState.SENT, "") if by_hand else (OutboxState.HELD, HoldReason.DRAFT_DELETED)
    assert (rested.state, rested.reason, gmail.sends, gmail.made) == (*wanted, 0, 0)


@pytest.mark.parametrize("kind", [OutboxKind.SEND, OutboxKind.GMAIL_DRAFT])
@pytest.mark.parametrize("place", ["draft", "sent", "nowhere"])
def test_what_a_restored_database_is_not_sure_of_never_leaves_by_itself(kind: OutboxKind, place: str) -> None:
    gmail, steps = answer_of(OutboxState.UNCERTAIN, kind=kind)
    if place == "draft":
        gmail.drafts["d1"] = ITEM.marker
    elif place == "sent":
        gmail.deliver(ITEM.marker)
    rested = _to_rest(gmail, steps)
    done = place == "sent" or (place == "draft" and kind is OutboxKind.GMAIL_DRAFT)
    assert rested.state is (OutboxState.SENT if done else OutboxState.HELD)
    assert done or rested.reason == HoldReason.FROM_COPY
    assert (gmail.sends, gmail.made) == (0, 0)


@pytest.mark.parametrize("draft_id", ["d1", ""], ids=["sending", "restored"])
@pytest.mark.parametrize("late", [1, 2])
def test_a_mail_that_shows_up_in_sent_a_little_later_is_sent(late: int, draft_id: str) -> None:
    """Neither draft nor sent for a moment is no reason to ask the user."""
    gmail, steps = answer_of(OutboxState.UNCERTAIN, draft_id=GmailDraftId(draft_id))
    dispatch = MailSender(cast(MailServer, gmail), cast(OutboxWriter, steps))
    for _ in range(late):
        asyncio.run(dispatch.advance(steps.row))
    gmail.deliver(ITEM.marker)
    assert (_to_rest(gmail, steps).state, gmail.sends) == (OutboxState.SENT, 0)


def test_a_draft_whose_fate_is_unknown_is_doubted_and_no_other() -> None:
    for trouble, doubts in (("5xx-after", [OutboxState.DRAFTING]), ("offline-before", [OutboxState.DRAFTING]), ("fine", [])):
        gmail, steps = answer_of()
        gmail.plan = ["fine", trouble]
        assert _to_rest(gmail, steps).state is OutboxState.SENT
        assert steps.doubts == doubts


def test_a_server_that_names_a_time_is_asked_again_then(monkeypatch: pytest.MonkeyPatch) -> None:
    gmail, steps = answer_of(OutboxState.DRAFTED, draft_id=GmailDraftId("d1"))
    gmail.drafts["d1"] = ITEM.marker

    async def too_much(_draft: ReadDraft) -> GmailId:
        raise QuotaReached("Too many at once.", retry_after_s=40.0)

    monkeypatch.setattr(gmail, "send_draft", too_much)
    dispatch = MailSender(cast(MailServer, gmail), cast(OutboxWriter, steps))
    assert asyncio.run(dispatch.advance(steps.row)) == RetryLater(40.0)
    assert steps.row.state is OutboxState.DRAFTED


@pytest.mark.parametrize("trouble", ["quota-before", "login-before"])
def test_a_draft_that_was_surely_not_made_is_made_later(trouble: str) -> None:
    gmail, steps = answer_of()
    dispatch = MailSender(cast(MailServer, gmail), cast(OutboxWriter, steps))
    gmail.plan = ["fine", trouble]
    with pytest.raises((TROUBLE | REFUSALS)[trouble.removesuffix("-before")]):
        asyncio.run(dispatch.advance(steps.row))
    assert steps.row.state is OutboxState.QUEUED
    assert (_to_rest(gmail, steps).state, gmail.made, gmail.copies) == (OutboxState.SENT, 1, 1)


@pytest.mark.parametrize(
    ("error", "reason"), [("rejected", HoldReason.REJECTED_BY_SERVER), ("refused", HoldReason.PERMISSION_MISSING)]
)
@pytest.mark.parametrize("request_", ["drafts.create", "drafts.send"])
def test_what_the_server_refuses_is_held_with_its_reason(error: str, reason: HoldReason, request_: str) -> None:
    created = request_ == "drafts.send"
    gmail, steps = answer_of(
        OutboxState.DRAFTED if created else OutboxState.QUEUED, draft_id=GmailDraftId("d1" if created else "")
    )
    if created:
        gmail.drafts["d1"] = ITEM.marker
    gmail.plan = ["fine", "fine", f"{error}-before"][not created :]
    rested = _to_rest(gmail, steps)
    assert (rested.state, rested.reason, gmail.sends) == (OutboxState.HELD, reason, 0)


class Elsewhere(SmallGmail):
    """Everything that was sent lies in a thread of its own."""

    async def thread_state(self, gmail_thread_id: str) -> tuple[ThreadMessage, ...]:
        return await super().thread_state(gmail_thread_id) if gmail_thread_id == THREAD else ()


@pytest.mark.parametrize("thread", ["", "another"], ids=["new mail", "answer under another subject"])
def test_a_mail_that_was_found_nowhere_and_is_sent_anyway_is_looked_for_once_more(thread: str) -> None:
    """Its draft was gone, and the list of sent mail was not up to date: by the time the owner says so it is."""
    about = {"gmail_thread_id": GmailThreadId(thread), "draft_id": GmailDraftId("d1"), "expected_tip": GmailId("")}
    gmail, steps = Elsewhere(), PaperSteps(replace(ITEM, **about))
    gmail.deliver(ITEM.marker)
    assert _to_rest(gmail, steps).state is OutboxState.SENT
    assert gmail.copies == 1


@pytest.mark.parametrize("ahead", [["fine"], ["fine"] * 4], ids=["creating", "sending"])
def test_what_gmail_refuses_for_a_moment_leaves_all_the_same_and_once(ahead: list[str]) -> None:
    gmail, steps = answer_of()
    gmail.plan = [*ahead, "not now-before"]
    assert (_to_rest(gmail, steps).state, gmail.sends) == (OutboxState.SENT, 1)


@pytest.mark.parametrize("ahead", [["fine"], ["fine"] * 4], ids=["creating", "sending"])
def test_what_gmail_refuses_again_and_again_is_shown_to_the_user(ahead: list[str]) -> None:
    gmail, steps = answer_of()
    original = gmail.send_draft if len(ahead) == 4 else gmail.create_draft

    async def refused(*_: object) -> None:
        raise TemporarilyRejected("400")

    setattr(gmail, original.__name__, refused)
    rested = _to_rest(gmail, steps)
    assert (rested.state, rested.reason, gmail.sends) == (OutboxState.HELD, HoldReason.REJECTED_BY_SERVER, 0)

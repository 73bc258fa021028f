"""The tool table and the auto-approve decision: every reason, and what no input can change."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.drafting.draft import Draft, Span, SpanKind
from app.domain.drafting.review import FlagKind, RedFlag
from app.domain.mail.files import ArtifactHandle
from app.domain.mail.message import Address
from app.domain.mail.triage import Category, Decision, Triage
from app.domain.policy.policy import (
    AutoApprove,
    Budget,
    BudgetSpent,
    CallFacts,
    Effect,
    PolicyReason,
    ReplyFacts,
    Ruling,
    Verdict,
    judge_call,
    judge_reply,
    overspent,
)
from app.domain.record import replace

ANN = Address("Ann@x.org")
DRAFT = Draft((ANN,), (), (), "Re: x", "Hello", "m")
TRIAGE = Triage(Decision.RESPOND, Category.INQUIRY, 0.8, "r", "m")
ON = AutoApprove(frozenset({Category.INQUIRY, Category.COMPLAINT}), daily_cap=3)
SEEN = ReplyFacts("ann@x.org", written_to=True, approved_today=2)
FLAG = RedFlag(FlagKind.BCC, "x")
FILE = ArtifactHandle("d" * 64, "a.pdf", "d" * 64, 3)


@pytest.mark.parametrize(
    ("setting", "triage", "draft", "flags", "seen", "why"),
    [
        (ON, TRIAGE, DRAFT, (), SEEN, PolicyReason.APPROVED_BY_RULE),
        (AutoApprove(), TRIAGE, DRAFT, (), SEEN, PolicyReason.AUTO_OFF),
        (ON, replace(TRIAGE, confidence=0.7999999), DRAFT, (), SEEN, PolicyReason.LOW_CONFIDENCE),
        (ON, replace(TRIAGE, confidence=float("nan")), DRAFT, (), SEEN, PolicyReason.LOW_CONFIDENCE),
        (ON, replace(TRIAGE, category=Category.COMPLAINT, confidence=1.0), DRAFT, (), SEEN, PolicyReason.COMPLAINT),
        (ON, replace(TRIAGE, category=Category.OTHER), DRAFT, (), SEEN, PolicyReason.CATEGORY_NOT_ALLOWED),
        (ON, TRIAGE, replace(DRAFT, body=" "), (), SEEN, PolicyReason.INCOMPLETE),
        (ON, TRIAGE, replace(DRAFT, spans=(Span(0, 0, SpanKind.OPEN_SLOT, "x"),)), (), SEEN, PolicyReason.INCOMPLETE),
        (ON, TRIAGE, replace(DRAFT, spans=(Span(0, 2, SpanKind.UNSUPPORTED, "x"),)), (), SEEN, PolicyReason.UNSUPPORTED_CLAIM),
        (ON, TRIAGE, DRAFT, (FLAG,), SEEN, PolicyReason.RED_FLAG),
        (ON, TRIAGE, DRAFT, (RedFlag(FlagKind.REPLIES_ELSEWHERE, "x"),), SEEN, PolicyReason.APPROVED_BY_RULE),
        (ON, TRIAGE, replace(DRAFT, attachments=(FILE,)), (), SEEN, PolicyReason.RED_FLAG),
        (ON, TRIAGE, replace(DRAFT, cc=(Address("bob@x.org"),)), (), SEEN, PolicyReason.NOT_TO_SENDER_ONLY),
        (ON, TRIAGE, replace(DRAFT, bcc=(Address("bob@x.org"),)), (), SEEN, PolicyReason.NOT_TO_SENDER_ONLY),
        (ON, TRIAGE, replace(DRAFT, to=(Address("bob@x.org"),)), (), SEEN, PolicyReason.NOT_TO_SENDER_ONLY),
        (ON, TRIAGE, DRAFT, (), replace(SEEN, answers=""), PolicyReason.NOT_TO_SENDER_ONLY),
        (ON, TRIAGE, DRAFT, (), replace(SEEN, written_to=False), PolicyReason.UNKNOWN_SENDER),
        (ON, TRIAGE, DRAFT, (), replace(SEEN, approved_today=3), PolicyReason.DAILY_CAP),
    ],
)
def test_every_reason(
    setting: AutoApprove, triage: Triage, draft: Draft, flags: tuple[RedFlag, ...], seen: ReplyFacts, why: PolicyReason
) -> None:
    wanted = Verdict.ALLOW if why is PolicyReason.APPROVED_BY_RULE else Verdict.ASK
    assert judge_reply(setting, triage, draft, flags, seen) == Ruling(wanted, why)


@settings(max_examples=2 * settings.default.max_examples)
@given(st.floats(0, 1), st.floats(0, 1), st.sampled_from(Category), st.booleans(), st.booleans(), st.booleans())
def test_confidence_never_helps_where_something_is_wrong(
    low: float, high: float, category: Category, on: bool, flagged: bool, known: bool
) -> None:
    setting = AutoApprove(frozenset(Category)) if on else AutoApprove()
    flags = (FLAG,) if flagged else ()
    seen = replace(SEEN, written_to=known)

    def allowed(confidence: float) -> bool:
        judged = replace(TRIAGE, category=category, confidence=confidence)
        return judge_reply(setting, judged, DRAFT, flags, seen).verdict is Verdict.ALLOW

    if allowed(min(low, high)):
        assert allowed(max(low, high))
    if flagged or not on or not known or category is Category.COMPLAINT:
        assert not allowed(high)


ROOM = CallFacts(Effect.DELETE, listed=True)


@pytest.mark.parametrize(
    ("call", "ruling"),
    [
        (replace(ROOM, paused=True, denial=PolicyReason.BAD_RECIPIENT), Ruling(Verdict.DENY, PolicyReason.PAUSED)),
        (replace(ROOM, listed=False), Ruling(Verdict.DENY, PolicyReason.NOT_LISTED)),
        (
            replace(ROOM, denial=PolicyReason.BAD_RECIPIENT, typed=True, owner_allows=True),
            Ruling(Verdict.DENY, PolicyReason.BAD_RECIPIENT),
        ),
        (ROOM, Ruling(Verdict.ASK, PolicyReason.EFFECT_ASKS)),
        (replace(ROOM, typed=True), Ruling(Verdict.ALLOW, PolicyReason.TYPED_BY_USER)),
        (replace(ROOM, owner_allows=True), Ruling(Verdict.ALLOW, PolicyReason.OWNER_ALLOWS)),
        (replace(ROOM, effect=Effect.READ), Ruling(Verdict.ALLOW, PolicyReason.READS_ONLY)),
        (replace(ROOM, effect=Effect.READ_MARKS, done=True), Ruling(Verdict.ALLOW, PolicyReason.AFTER_DONE)),
        (replace(ROOM, effect=Effect.READ_MARKS), Ruling(Verdict.ASK, PolicyReason.EFFECT_ASKS)),
        (replace(ROOM, effect=Effect.LOCAL_WRITE, asks=True), Ruling(Verdict.ASK, PolicyReason.TOOL_ASKS)),
        (replace(ROOM, effect=Effect.NET, net_clean=True), Ruling(Verdict.ALLOW, PolicyReason.NET_WITHIN_RULES)),
        (replace(ROOM, effect=Effect.NET), Ruling(Verdict.ASK, PolicyReason.EFFECT_ASKS)),
        (replace(ROOM, effect=Effect.NET, net_clean=True, asks=True), Ruling(Verdict.ASK, PolicyReason.TOOL_ASKS)),
        (
            replace(ROOM, effect=Effect.SEND, typed=True, owner_allows=True, done=True),
            Ruling(Verdict.ASK, PolicyReason.SEND_ASKS),
        ),
        (replace(ROOM, effect=Effect.SEND, denial=PolicyReason.BAD_RECIPIENT), Ruling(Verdict.DENY, PolicyReason.BAD_RECIPIENT)),
    ],
)
def test_each_reason_of_a_registered_call(call: CallFacts, ruling: Ruling) -> None:
    assert judge_call(call) == ruling


CALLS = st.builds(CallFacts, st.sampled_from(Effect), *[st.booleans()] * 7, st.none() | st.sampled_from(PolicyReason))


@settings(max_examples=2 * settings.default.max_examples)
@given(CALLS)
def test_what_is_forbidden_never_asks_and_what_sends_is_never_allowed(call: CallFacts) -> None:
    verdict = judge_call(call).verdict
    assert (verdict is Verdict.DENY) == (call.paused or not call.listed or call.denial is not None)
    assert verdict is not Verdict.ALLOW or call.effect is not Effect.SEND
    if verdict is Verdict.ALLOW and call.asks:
        assert call.typed or call.owner_allows or call.effect is Effect.READ_MARKS


@pytest.mark.parametrize(
    ("effect", "spent", "why"),
    [
        (Effect.READ, BudgetSpent(iterations=10, tokens=200_000, sends=9, sends_this_hour=99), None),
        (Effect.READ, BudgetSpent(iterations=11), PolicyReason.ITERATIONS_SPENT),
        (Effect.READ, BudgetSpent(tokens=200_001), PolicyReason.TOKENS_SPENT),
        (Effect.SEND, BudgetSpent(), None),
        (Effect.SEND, BudgetSpent(sends=1), PolicyReason.SENDS_SPENT),
        (Effect.SEND, BudgetSpent(sends_this_hour=20), PolicyReason.SENDS_THIS_HOUR),
    ],
)
def test_a_budget_ends(effect: Effect, spent: BudgetSpent, why: PolicyReason | None) -> None:
    assert overspent(effect, Budget(), spent) is why

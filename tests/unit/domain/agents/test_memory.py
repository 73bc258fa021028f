"""Rules about senders: when a decision makes one, and what it does to a verdict.

Numbers of past work: backtests of limits, and runs by day.
"""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.agents.backtest import CHOICES, STANDARD, BacktestRow, TriageLimits, figures, limits_for
from app.domain.agents.memory import (
    EDITABLE,
    MAKER,
    NOT_WANTED,
    SETTLED_FOR_GOOD,
    Lesson,
    Preference,
    PreferenceRule,
    RejectionReason,
    RuleKind,
    SenderIdentity,
    learn_from_rejection,
    learn_from_wish,
    lesson_of,
    sender_of,
    sentence,
    settle_by_rules,
    with_value,
)
from app.domain.agents.runs import DailyWork, every_day
from app.domain.ids import MessageId, ReviewId, ThreadId
from app.domain.mail.message import Address
from app.domain.mail.triage import Category, Decision, Triage
from app.domain.record import replace
from fakes.engine.store.accounts import message

SHOP = SenderIdentity("deals@offers.example", "", written_to=False)
ONE, TWO = ReviewId(1), ReviewId(2)
ASKS = Triage(Decision.RESPOND, Category.INQUIRY, 0.8, "Asks.", "local:118")


def preference(rule: PreferenceRule, number: int = 7) -> Preference:
    """A row with a rule."""
    lesson = lesson_of(rule)
    return Preference(number, lesson.namespace, lesson.text, ONE, datetime(2026, 11, 1, tzinfo=UTC), 0, rule)


def rule_of(lesson: Lesson | None) -> PreferenceRule:
    assert lesson.rule is not None
    return lesson.rule


def test_one_rejection_makes_no_rule_and_two_do() -> None:
    assert learn_from_rejection(SHOP, RejectionReason.NONE, (ONE,)) is None
    lesson = learn_from_rejection(SHOP, RejectionReason.NONE, (ONE, TWO))
    assert rule_of(lesson) == PreferenceRule(RuleKind.SENDER, "sender:deals@offers.example", "ignore")
    assert lesson.evidence == (ONE, TWO)
    assert learn_from_rejection(SHOP, RejectionReason.NONE, (ONE, ONE)) is None


def test_the_users_choice_makes_a_rule_at_once() -> None:
    assert rule_of(learn_from_rejection(SHOP, RejectionReason.NEVER_SENDER, (ONE,))).scope == "sender:deals@offers.example"
    assert rule_of(learn_from_rejection(SHOP, RejectionReason.NEVER_DOMAIN, (ONE,))).scope == "domain:offers.example"
    listed = replace(SHOP, list_id="weekly.offers.example")
    assert rule_of(learn_from_rejection(listed, RejectionReason.NEVER_SENDER, (ONE,))).scope == "list:weekly.offers.example"


def test_a_domain_that_strangers_share_is_never_silenced() -> None:
    stranger = SenderIdentity("somebody@gmail.com", "", written_to=False)
    assert rule_of(learn_from_rejection(stranger, RejectionReason.NEVER_DOMAIN, (ONE,))).scope == "sender:somebody@gmail.com"


@pytest.mark.parametrize("reason", [RejectionReason.TONE, RejectionReason.FACTS, RejectionReason.OWN_WORDS])
def test_a_reason_about_the_draft_says_nothing_of_the_sender(reason: RejectionReason) -> None:
    assert learn_from_rejection(SHOP, reason, (ONE, TWO, ReviewId(3))) is None


def test_somebody_the_owner_writes_to_is_never_hidden() -> None:
    friend = replace(SHOP, written_to=True)
    for reason in (*NOT_WANTED, RejectionReason.NONE):
        lesson = learn_from_rejection(friend, reason, (ONE, TWO))
        assert rule_of(lesson).value == Decision.NOTIFY
    taught, _ = settle_by_rules(
        ASKS, message(), True, [preference(PreferenceRule(RuleKind.SENDER, "sender:bob@example.org", "ignore"))]
    )
    assert taught.decision is Decision.NOTIFY


def test_wanting_an_answer_twice_makes_a_rule_for_a_person_but_not_for_a_list() -> None:
    assert learn_from_wish(SHOP, (ONE,)) is None
    assert rule_of(learn_from_wish(SHOP, (ONE, TWO))).value == Decision.RESPOND
    assert learn_from_wish(replace(SHOP, list_id="weekly.offers.example"), (ONE, TWO)) is None


def test_the_most_particular_rule_wins() -> None:
    mail = message(sender=Address("Ann@Offers.example"), headers=(("List-Id", "Weekly <weekly.offers.example>"),))
    everywhere = preference(PreferenceRule(RuleKind.SENDER, "domain:offers.example", "ignore"), 1)
    listed = preference(PreferenceRule(RuleKind.SENDER, "list:weekly.offers.example", "notify"), 2)
    ann = preference(PreferenceRule(RuleKind.SENDER, "sender:ann@offers.example", "respond"), 3)
    for known, decision, by in (
        ([everywhere], Decision.IGNORE, 1),
        ([everywhere, listed], Decision.NOTIFY, 2),
        ([everywhere, ann, listed], Decision.RESPOND, 3),
    ):
        taught, number = settle_by_rules(ASKS, mail, False, known)
        assert (taught.decision, number, taught.maker, taught.confidence) == (decision, by, MAKER, 1.0)
        assert "offers.example" in taught.reason


def test_mail_of_others_is_left_alone() -> None:
    other = [preference(PreferenceRule(RuleKind.SENDER, "sender:ann@offers.example", "ignore"))]
    assert settle_by_rules(ASKS, message(), False, other) == (ASKS, 0)


@given(st.sampled_from(sorted(SETTLED_FOR_GOOD)), st.sampled_from(list(Decision)))
def test_no_rule_overturns_what_protects(maker: str, wanted: Decision) -> None:
    verdict = Triage(Decision.IGNORE, Category.SPAM, 0.95, "False.", maker)
    known = [preference(PreferenceRule(RuleKind.SENDER, "sender:bob@example.org", wanted))]
    assert settle_by_rules(verdict, message(), False, known) == (verdict, 0)


def test_a_machine_is_not_answered_because_a_person_was() -> None:
    bounce = Triage(Decision.NOTIFY, Category.OTHER, 0.97, "Bounced.", "rule:delivery-status")
    known = [preference(PreferenceRule(RuleKind.SENDER, "sender:bob@example.org", "respond"))]
    assert settle_by_rules(bounce, message(), False, known) == (bounce, 0)


@pytest.mark.parametrize("kind", list(RuleKind))
def test_only_words_of_the_user_can_be_edited(kind: RuleKind) -> None:
    corrected = PreferenceRule(kind, "message:1 bob@example.org Hi", "spam")
    rule = corrected if kind is RuleKind.CORRECTION else PreferenceRule(kind, "en", "ignore")
    assert "  " not in sentence(rule)
    if kind in EDITABLE:
        assert with_value(rule, " Hi, ").value == "Hi,"
    else:
        with pytest.raises(ValueError, match="kept or deleted"):
            with_value(rule, "Hi,")


def test_the_sender_of_a_list_is_known_by_its_id() -> None:
    listed = sender_of(message(headers=(("list-id", "Weekly news <Weekly.Offers.example>"),)), written_to=False)
    assert (listed.email, listed.domain, listed.list_id) == ("bob@example.org", "example.org", "weekly.offers.example")
    assert sender_of(message(headers=(("List-Id", "plain.example"),)), False).list_id == "plain.example"


def row(number: int, respond: float, answered: bool | None, ignore: float = 0.0, settled: str = "") -> BacktestRow:
    return BacktestRow(MessageId(number), ThreadId(number), respond, ignore, settled, answered)


ANSWERED = [row(at, at / 100, True) for at in range(1, 101)]
OTHERS = [row(200 + at, at / 200, False) for at in range(100)]


@pytest.mark.parametrize("misses", CHOICES)
def test_no_more_are_missed_than_chosen_and_no_lower_limit_is_needed(misses: int) -> None:
    limits = limits_for(ANSWERED + OTHERS, misses)
    found = figures(ANSWERED + OTHERS, limits)
    assert found.missed <= misses
    assert limits.respond_from == 0.02 or found.missed >= misses - 1


def test_lower_limits_mark_more() -> None:
    marked = [figures(ANSWERED + OTHERS, limits_for(ANSWERED + OTHERS, misses)).marked for misses in CHOICES]
    assert marked == sorted(marked, reverse=True)


def test_counts_leave_out_what_is_too_new_to_know() -> None:
    rows = [row(1, 0.9, True), row(2, 0.9, None), row(3, 0.1, True, ignore=0.8), row(4, 0.9, False, settled="ignore")]
    found = figures(rows, STANDARD)
    assert (found.received, found.answered, found.marked, found.right) == (3, 2, 1, 1)
    assert (found.missed, found.hidden, found.ignored) == (1, 1, 2)


def test_hiding_is_limited_to_one_in_a_hundred() -> None:
    rows = [row(at, 0.1, True, ignore=0.7) for at in range(100)] + [row(200 + at, 0.9, True) for at in range(100)]
    limits = limits_for(rows, 50)
    assert figures(rows, limits).hidden <= 2
    assert limits.ignore_from > 0.7


def test_what_headers_settle_stays_and_nothing_answered_changes_nothing() -> None:
    assert row(1, 0.99, True, settled="notify").decision(TriageLimits(0.02)) is Decision.NOTIFY
    assert limits_for(OTHERS, 2) == STANDARD
    assert figures([], STANDARD).received == 0
    bounces = [row(at, 0.0, True, settled="notify") for at in range(10)]
    assert 0.02 <= limits_for(bounces, 2).respond_from <= 0.95


LAST = date(2026, 3, 1)


def test_days_without_work_are_there_with_zeros() -> None:
    busy = DailyWork(date(2026, 2, 28), (("inquiry", 2), ("", 1)), 40.0)
    days = every_day([busy, DailyWork(date(2026, 1, 1), (("spam", 9),))], LAST, 3)
    assert [one.day.isoformat() for one in days] == ["2026-02-27", "2026-02-28", "2026-03-01"]
    assert [one.mails for one in days] == [0, 3, 0]
    assert (days[1].of("inquiry"), days[1].of("spam")) == (2, 0)

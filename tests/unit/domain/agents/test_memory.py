"""Rules about senders: when a decision makes one, and what it does to a verdict."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from app.domain.ids import ReviewId
from app.domain.mail.message import Address
from app.domain.mail.triage import Category, Decision, Triage
from fakes.engine.store.accounts import message

SHOP = SenderIdentity("deals@offers.example", "", written_to=False)
ONE, TWO = ReviewId(1), ReviewId(2)
ASKS = Triage(Decision.RESPOND, Category.INQUIRY, 0.8, "Asks.", "local:118")


def preference(rule: PreferenceRule, number: int = 7) -> Preference:
    """A row with a rule."""
    lesson = lesson_of(rule)
    return Preference(number, lesson.namespace, lesson.text, ONE, datetime(2026, 11, 1, tzinfo=UTC), 0, rule)


def rule_of(lesson: Lesson | None) -> PreferenceRule:
    """The rule that a lesson sets."""
    assert lesson is not None
    assert lesson.rule is not None
    return lesson.rule


def test_one_rejection_makes_no_rule_and_two_do() -> None:
    assert learn_from_rejection(SHOP, RejectionReason.NONE, (ONE,)) is None
    lesson = learn_from_rejection(SHOP, RejectionReason.NONE, (ONE, TWO))
    assert rule_of(lesson) == PreferenceRule(RuleKind.SENDER, "sender:deals@offers.example", "ignore")
    assert lesson is not None
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

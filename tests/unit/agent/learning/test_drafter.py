"""Drafts as the user would write them.

Marks stay with their words, and no open slot is lost.
"""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.drafting.template_draft import draft_without_model
from app.agent.learning.drafter import ReplyContext, TaughtDrafter, apply_preferences, occasion_of, splice
from app.agent.learning.edits import ReplyEdit, learn_from_edit
from app.domain.agents.memory import Namespace, Preference, PreferenceRule, RuleKind, sentence
from app.domain.drafting.draft import Draft, Span, SpanKind
from app.domain.ids import ReviewId
from app.domain.mail.message import Address
from app.domain.mail.triage import Category, Decision, Triage
from fakes.engine.store.accounts import ACCOUNT, message

BODY = "Hello Ann,\n\nThank you for your message.\n\n> When?\n\n\nBest regards,\nMia"
SLOT = BODY.index("\n\nBest")
ANN = ReplyContext("ann@partner.org", "en", "Ann", "")
TRIAGE = Triage(Decision.RESPOND, Category.INQUIRY, 0.9, "Asks.", "local:118")


def row(rule: PreferenceRule, number: int = 1) -> Preference:
    """A preference with a rule."""
    return Preference(number, Namespace.RESPONSE, sentence(rule), ReviewId(1), datetime(2026, 11, 1, tzinfo=UTC), 0, rule)


def draft(body: str = BODY) -> Draft:
    """A template's draft with an open slot."""
    return Draft((), (), (), "", body, "template", spans=(Span(SLOT, SLOT, SpanKind.OPEN_SLOT, "Your answer"),))


def applied(*rules: PreferenceRule, occasion: ReplyContext = ANN, body: str = BODY) -> str:
    """The body after the rules."""
    made, _ = apply_preferences(draft(body), [row(one, n) for n, one in enumerate(rules, 1)], occasion)
    return made.body


def test_greeting_and_sign_off_are_the_users() -> None:
    rules = (PreferenceRule(RuleKind.GREETING, "en", "Hi {first},"), PreferenceRule(RuleKind.SIGN_OFF, "en", "Cheers,\nM"))
    made, used = apply_preferences(draft(), [row(one, n) for n, one in enumerate(rules, 5)], ANN)
    assert made.body == BODY.replace("Hello", "Hi").replace("Best regards,\nMia", "Cheers,\nM")
    assert used == (5, 6)
    slot = made.spans[0]
    assert made.body[slot.start :].startswith("\n\nCheers")


def test_the_persons_own_rule_comes_first_and_others_do_not_count() -> None:
    rules = (
        PreferenceRule(RuleKind.SIGN_OFF, "en", "Cheers"),
        PreferenceRule(RuleKind.SIGN_OFF, "person:ann@partner.org", "Love"),
        PreferenceRule(RuleKind.SIGN_OFF, "cs", "Ahoj"),
        PreferenceRule(RuleKind.GREETING, "person:ben@other.org", "Yo,"),
    )
    assert applied(*rules).endswith("\n\nLove")
    assert applied(*rules).startswith("Hello Ann,")


def test_a_greeting_without_a_name_to_put_in() -> None:
    nobody = ReplyContext("info@shop.example", "en", "", "")
    assert applied(PreferenceRule(RuleKind.GREETING, "en", "Hi {first},"), occasion=nobody).startswith("Hi,\n")


def test_no_sign_off_and_no_signature() -> None:
    assert applied(PreferenceRule(RuleKind.SIGN_OFF, "en", "")).endswith("> When?")
    signed = ReplyContext("ann@partner.org", "en", "Ann", "<p>Mia</p>")
    assert applied(PreferenceRule(RuleKind.SIGNATURE, "", ""), occasion=signed).endswith("Best regards,")
    assert applied(PreferenceRule(RuleKind.SIGNATURE, "", "")) == BODY


def test_czech_templates_in_both_forms_of_address() -> None:
    polite = "Dobrý den,\n\n> Dobrý den, kdy?\n\nS pozdravem"
    czech = ReplyContext("petr@example.org", "cs", "Petr", "")
    familiar = applied(PreferenceRule(RuleKind.FORM_OF_ADDRESS, "person:petr@example.org", "ty"), occasion=czech, body=polite)
    assert familiar.startswith("Ahoj,\n\n> Dobrý den, kdy?")
    assert (
        applied(PreferenceRule(RuleKind.FORM_OF_ADDRESS, "person:petr@example.org", "vy"), occasion=czech, body=familiar)
        == polite
    )


def test_the_template_learns_from_the_edit_of_the_last_one() -> None:
    """Edit one real template, and the next for somebody else carries it, with its slots."""
    first = message(body_text="Could you tell me when the order arrives?\n\nBob")
    made, _ = draft_without_model(first, (), ACCOUNT, None, (), None, TRIAGE)
    edited = made.body.replace("Best regards", "Cheers")
    edit = ReplyEdit(made.body, edited, first.sender.email, "Bob", ACCOUNT.signature)
    rows = [row(one.rule) for one in learn_from_edit(edit, ()) if one.rule]
    used: list[int] = []
    taught = TaughtDrafter(draft_without_model, lambda: rows, used.extend)
    second = message(sender=Address("cleo@third.example", "Cleo Dunn"), body_text="Are you open on Sunday?\n\nCleo")
    changed, _ = taught(second, (), ACCOUNT, None, (), None, TRIAGE)
    plain, _ = draft_without_model(second, (), ACCOUNT, None, (), None, TRIAGE)
    assert "Best regards" in plain.body
    assert changed.body == plain.body.replace("Best regards", "Cheers")
    assert changed.open_slots == plain.open_slots
    assert used == [1]
    assert occasion_of(second, ACCOUNT) == ReplyContext("cleo@third.example", "en", "Cleo", "")


@pytest.mark.parametrize("kind", list(RuleKind))
@given(st.text("ab ,\n", max_size=40), st.text("Hi {first},\n", max_size=12))
def test_no_rule_breaks_a_draft(kind: RuleKind, body: str, value: str) -> None:
    """Whatever stands in it: the marks stay inside, and applying twice changes nothing more."""
    fixed = {RuleKind.SENDER: ("", "ignore"), RuleKind.CORRECTION: ("message:1 ann@partner.org Hi", "spam")}
    rule = row(PreferenceRule(kind, *fixed.get(kind, ("", value.strip()))))
    end = len(body)
    made = Draft((), (), (), "", body, "template", spans=(Span(end, end, SpanKind.OPEN_SLOT, "x"),))
    once, _ = apply_preferences(made, [rule], ANN)
    assert len(once.open_slots) == 1
    assert all(0 <= span.start <= len(once.body) for span in once.spans)


@st.composite
def drafts(make: st.DrawFn) -> Draft:
    """A draft with marks anywhere."""
    body = make(st.text("ab\n", max_size=30))
    spans = []
    for _ in range(make(st.integers(0, 4))):
        start = make(st.integers(0, len(body)))
        if make(st.booleans()):
            spans.append(Span(start, start, SpanKind.OPEN_SLOT, "say"))
        elif start < len(body):
            spans.append(Span(start, make(st.integers(start + 1, len(body))), SpanKind.FROM_SOURCE))
    return Draft((), (), (), "", body, "template", spans=tuple(spans))


@given(drafts(), st.data())
def test_marks_follow_their_words(draft: Draft, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(draft.body)))
    end = data.draw(st.integers(start, len(draft.body)))
    changed = splice(draft, start, end, "xyz")
    assert changed.body == draft.body[:start] + "xyz" + draft.body[end:]
    assert len(changed.open_slots) == len(draft.open_slots)
    for span in changed.spans:
        assert 0 <= span.start <= span.end <= len(changed.body)
        if span.kind is not SpanKind.OPEN_SLOT:
            assert (
                "x" not in changed.body[span.start : span.end]
                or any(one.start < start and one.end > end for one in draft.spans)
                or start == end
            )
    outside = [one for one in draft.spans if one.kind is SpanKind.FROM_SOURCE and (one.end <= start or one.start >= end)]
    kept = [changed.body[one.start : one.end] for one in changed.spans if one.kind is SpanKind.FROM_SOURCE]
    for one in outside:
        assert draft.body[one.start : one.end] in kept


def test_a_slot_inside_moves_to_the_beginning() -> None:
    draft = Draft((), (), (), "", "Hello,\nBest,\nMia", "template", spans=(Span(10, 10, SpanKind.OPEN_SLOT, "say"),))
    assert splice(draft, 7, 16, "Bye").spans[0].start == 7

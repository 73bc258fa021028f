"""Drafts as the user would write them.

Marks stay with their words, and no open slot is lost.

The owner's voice and facts come from sent mail, and nobody else's names, addresses or numbers.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.drafting.template_draft import draft_without_model
from app.agent.learning.drafter import ReplyContext, TaughtDrafter, apply_preferences, occasion_of, splice
from app.agent.learning.edits import ReplyEdit, learn_from_edit
from app.agent.learning.sent_mail import read_sent_mail
from app.domain.agents.memory import Namespace, Preference, PreferenceRule, RuleKind, sentence
from app.domain.agents.owner_profile import OwnerFacts, Voice, profile_rules, profile_text, with_closings
from app.domain.drafting.draft import Draft, Span, SpanKind
from app.domain.ids import AccountId, ReviewId
from app.domain.mail.message import Account, Address, Message
from app.domain.mail.triage import Category, Decision, Triage
from app.domain.record import replace
from fakes.engine.store.accounts import ACCOUNT, message
from fakes.gmail.messages import stored_message

BODY = "Hello Ann,\n\nThank you for your message.\n\n> When?\n\n\nBest regards,\nMia"
SLOT = BODY.index("\n\nBest")
ANN = ReplyContext("ann@partner.org", "en", "Ann", "")
TRIAGE = Triage(Decision.RESPOND, Category.INQUIRY, 0.9, "Asks.", "local:118")


def row(rule: PreferenceRule, number: int = 1) -> Preference:
    return Preference(number, Namespace.RESPONSE, sentence(rule), ReviewId(1), datetime(2026, 11, 1, tzinfo=UTC), 0, rule)


def draft(body: str = BODY) -> Draft:
    """A template's draft with an open slot."""
    return Draft((), (), (), "", body, "template", spans=(Span(SLOT, SLOT, SpanKind.OPEN_SLOT, "Your answer"),))


def applied(*rules: PreferenceRule, occasion: ReplyContext = ANN, body: str = BODY) -> str:
    made, _ = apply_preferences(draft(body), [row(one, n) for n, one in enumerate(rules, 1)], occasion)
    return made.body


def test_greeting_and_sign_off_are_the_users() -> None:
    rules = (PreferenceRule(RuleKind.GREETING, "en", "Hi {first},"), PreferenceRule(RuleKind.SIGN_OFF, "en", "Cheers,\nM"))
    made, used = apply_preferences(draft(), [row(one, n) for n, one in enumerate(rules, 5)], ANN)
    assert made.body == BODY.replace("Hello", "Hi").replace("Best regards,\nMia", "Cheers,\nM")
    assert used == (5, 6)
    slot = made.spans[0]
    assert made.body[slot.start :].startswith("\n\nCheers")


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


EVA = Account(AccountId(1), "eva.mala@firma.cz", "Eva Malá", (), "", "#fff")
PRAGUE = ZoneInfo("Europe/Prague")
FOOT = "\n\n-- \nEva Malá\nobchodní ředitelka\nKolo s.r.o., Dlouhá 12, 110 00 Praha\nTel.: +420 601 222 333\nwww.kolo.cz"
READERS = ("petr@novak.cz", "jana@svoboda.cz", "ota@cerny.cz")


def sent(texts: Sequence[str], start: datetime = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)) -> list[Message]:
    made = []
    for at, text in enumerate(texts):
        date, to = start + timedelta(days=at % 5, hours=at % 7), (Address(READERS[at % 3], "Somebody Else"),)
        made.append(stored_message(at, text, to=to, date=date, labels=frozenset({"SENT"})))
    return made


def polite(at: int) -> str:
    return (
        f"Dobrý den, pane Nováku,\n\nposílala jsem vám nabídku číslo {at} a ráda bych věděla, zda vám vyhovuje. "
        f"Volejte kolegovi na +420 777 888 {at}99, jeho adresa je kolega@jinde.cz.\n\nS pozdravem\nEva Malá{FOOT}"
    )


def familiar(at: int) -> str:
    return f"Ahoj Petře,\n\nmáš {at} ještě ten klíč? Potřebovala bych ho od tebe v pátek.\n\nMěj se\nEva{FOOT}"


def english(at: int) -> str:
    return f"Hi Bob,\n\nthank you for the {at} wheels, they are great and I will order more.\n\nBest regards,\nEva{FOOT}"


MAILS = [polite(at) for at in range(8)] + [familiar(at) for at in range(5)] + [english(at) for at in range(4)]


def learned(texts: Sequence[str] = MAILS, account: Account = EVA) -> tuple[Voice, OwnerFacts]:
    return read_sent_mail(sent(texts), account, PRAGUE)


def test_each_language_and_form_has_its_own_phrases() -> None:
    voice, _ = learned()
    told = [(one.language, one.formal, one.greeting, one.closing) for one in voice.styles]
    assert told == [
        ("cs", True, "Dobrý den, pane/paní {first},", "S pozdravem\nEva Malá"),
        ("cs", False, "Ahoj {first},", "Měj se\nEva"),
        ("en", False, "Hi {first},", "Best regards,\nEva"),
    ]
    assert (voice.mails, voice.gender, voice.plural) == (17, "f", False)
    assert 20 <= voice.styles[0].words <= 40


def test_the_signature_tells_who_the_owner_is() -> None:
    _, facts = learned()
    assert facts.names == ("Eva Malá", "Eva")
    assert (facts.role, facts.phone, facts.website) == ("obchodní ředitelka", "+420 601 222 333", "www.kolo.cz")
    assert facts.address == "Kolo s.r.o., Dlouhá 12, 110 00 Praha"
    assert facts.languages == (("cs", 76), ("en", 24))
    assert facts.hours is not None and 8 <= facts.hours[0] < facts.hours[1] <= 17 and not facts.weekends


def test_nothing_of_other_people_is_kept() -> None:
    told = "\n".join(profile_text(rule) for _, rule in profile_rules(EVA.id, *learned()))
    for words in ("Novák", "Petř", "Bob", "777 888", "kolega", "novak", "Somebody"):
        assert words not in told, told
    forwarded = [f"Hello,\n\nhere is his card.\n\nRegards,\nEva\n\nOta Cerny, manager\n+420 111 222 33{at}" for at in range(4)]
    _, facts = learned(forwarded)
    assert facts.phone == "", "a number that stands once is nobody's signature"
    one_reader = [replace(one, to=(Address("ota@cerny.cz"),)) for one in sent([english(at) for at in range(4)])]
    assert read_sent_mail(one_reader, EVA, PRAGUE)[1].phone == "", "what went to one person may be that person's"


def test_closings_serve_drafts_without_a_model() -> None:
    namespace, rule = profile_rules(EVA.id, *learned())[0]
    row = Preference(7, namespace, "x", ReviewId(0), datetime(2026, 1, 1, tzinfo=UTC), 0, rule)
    told = {one.rule.scope: one.rule.value for one in with_closings((row,), EVA.id)[:-1] if one.rule is not None}
    assert told == {"cs": "S pozdravem\nEva Malá", "en": "Best regards,\nEva"}
    taught = replace(row, id=8, rule=PreferenceRule(RuleKind.SIGN_OFF, "cs", "Díky"))
    assert [one.id for one in with_closings((row, taught), EVA.id) if one.rule and one.rule.scope == "cs"] == [8]
    assert with_closings((replace(row, typed=True),), EVA.id) == (replace(row, typed=True),)
    assert with_closings((row,), AccountId(2)) == (row,)

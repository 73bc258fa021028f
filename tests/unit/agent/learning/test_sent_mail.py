"""The owner's voice and facts come from sent mail, and nobody else's names, addresses or numbers."""

import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from app.agent.learning.sent_mail import read_sent_mail
from app.domain.agents.memory import Preference, PreferenceRule, RuleKind
from app.domain.agents.owner_profile import OwnerFacts, Voice, profile_rules, profile_text, with_closings
from app.domain.ids import AccountId, ReviewId
from app.domain.mail.message import Account, Address, Message
from fakes.gmail.messages import stored_message

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


def test_the_text_is_short_and_plain() -> None:
    voice, facts = (profile_text(rule) for _, rule in profile_rules(EVA.id, *learned()))
    assert voice.splitlines()[0] == (
        "Czech, formal: begins with “Dobrý den, pane/paní …,”, ends with “S pozdravem / Eva Malá”, about 30 words."
    )
    assert "Phone: +420 601 222 333" in facts and len(voice) + len(facts) < 700


def test_too_little_mail_tells_nothing() -> None:
    voice, facts = learned(MAILS[:2])
    assert [profile_text(rule) for _, rule in profile_rules(EVA.id, voice, facts)] == ["", ""]


def test_closings_serve_drafts_without_a_model() -> None:
    namespace, rule = profile_rules(EVA.id, *learned())[0]
    row = Preference(7, namespace, "x", ReviewId(0), datetime(2026, 1, 1, tzinfo=UTC), 0, rule)
    told = {one.rule.scope: one.rule.value for one in with_closings((row,), EVA.id)[:-1] if one.rule is not None}
    assert told == {"cs": "S pozdravem\nEva Malá", "en": "Best regards,\nEva"}
    taught = replace(row, id=8, rule=PreferenceRule(RuleKind.SIGN_OFF, "cs", "Díky"))
    assert [one.id for one in with_closings((row, taught), EVA.id) if one.rule and one.rule.scope == "cs"] == [8]
    assert with_closings((replace(row, typed=True),), EVA.id) == (replace(row, typed=True),)
    assert with_closings((row,), AccountId(2)) == (row,)


def test_a_thousand_messages_take_milliseconds() -> None:
    mails = sent(MAILS * 20)
    read_sent_mail(mails, EVA, PRAGUE)
    begun = time.process_time()
    read_sent_mail(mails, EVA, PRAGUE)
    assert time.process_time() - begun < 0.5

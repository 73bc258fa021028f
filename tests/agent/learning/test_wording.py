"""What an edited reply says about how its owner writes."""

from datetime import UTC, datetime

import pytest

from app.agent.learning.parts import form_of_address, parts_of, signature_lines
from app.agent.learning.wording import Edit, learn_from_edit
from app.domain.ids import ReviewId
from app.domain.memory import Lesson, Namespace, Preference, Rule, RuleKind, sentence

PROPOSED = "Hello Ann,\n\nThank you for your message.\n\nIt arrives on Friday.\n\nBest regards,\nMia"
CZECH = "Dobrý den,\n\nděkuji za vaši zprávu.\n\nZboží vám přijde v pátek.\n\nS pozdravem,\nMia"
ANN, BEN = "ann@partner.org", "ben@other.org"


def learned(proposed: str, approved: str, *known: Rule, person: str = ANN, name: str = "Ann", signature: str = "") -> list[Rule]:
    """The rules of one edit."""
    rows = [
        Preference(n, Namespace.RESPONSE, sentence(one), ReviewId(n), datetime(2026, 11, 1, tzinfo=UTC), 0, one)
        for n, one in enumerate(known, 1)
    ]
    lessons: tuple[Lesson, ...] = learn_from_edit(Edit(proposed, approved, person, name, signature), rows)
    return [one.rule for one in lessons if one.rule is not None]


def test_a_changed_sign_off_holds_for_the_language() -> None:
    assert learned(PROPOSED, PROPOSED.replace("Best regards", "Cheers")) == [Rule(RuleKind.SIGN_OFF, "en", "Cheers,\nMia")]
    assert learned(CZECH, CZECH.replace("S pozdravem", "Hezký den")) == [Rule(RuleKind.SIGN_OFF, "cs", "Hezký den,\nMia")]


def test_words_that_no_pattern_knows_are_seen_where_the_old_ones_stood() -> None:
    approved = PROPOSED.replace("Best regards", "Onwards and upwards").replace("Hello Ann", "Howdy Ann")
    assert learned(PROPOSED, approved) == [
        Rule(RuleKind.SIGN_OFF, "en", "Onwards and upwards,\nMia"),
        Rule(RuleKind.GREETING, f"person:{ANN}", "Howdy {first},"),
    ]


def test_a_left_out_sign_off_is_a_wish_only_while_the_text_is_kept() -> None:
    short = PROPOSED.replace("\n\nBest regards,\nMia", "")
    assert learned(PROPOSED, short) == [Rule(RuleKind.SIGN_OFF, "en", "")]
    assert learned(PROPOSED, "No, and please do not ask me again about this order.") == []


def test_another_sign_off_to_one_person_stays_with_that_person_until_a_second_gets_it() -> None:
    everybody = Rule(RuleKind.SIGN_OFF, "en", "Cheers,\nMia")
    approved = PROPOSED.replace("Best regards", "Love")
    ann = Rule(RuleKind.SIGN_OFF, f"person:{ANN}", "Love,\nMia")
    assert learned(PROPOSED, approved, everybody) == [ann]
    assert learned(PROPOSED, approved, everybody, ann) == [ann]
    assert learned(PROPOSED, approved, everybody, ann, person=BEN) == [Rule(RuleKind.SIGN_OFF, "en", "Love,\nMia")]


def test_a_greeting_holds_for_the_person_and_from_the_second_on_for_the_language() -> None:
    ann = Rule(RuleKind.GREETING, f"person:{ANN}", "Hi {first},")
    assert learned(PROPOSED, PROPOSED.replace("Hello", "Hi")) == [ann]
    ben = PROPOSED.replace("Ann", "Ben")
    assert learned(ben, ben.replace("Hello", "Hi"), ann, person=BEN, name="Ben") == [Rule(RuleKind.GREETING, "en", "Hi {first},")]


@pytest.mark.parametrize("greeting", ["Dear Ms Berg,", "Dobrý den, paní Bergová,"])
def test_a_name_is_never_carried_over(greeting: str) -> None:
    """A title with a surname stays with the person, whoever else gets the same words."""
    ann = Rule(RuleKind.GREETING, f"person:{ANN}", greeting)
    (rule,) = learned(PROPOSED, PROPOSED.replace("Hello Ann,", greeting), ann, person=BEN, name="Ann")
    assert rule.scope == f"person:{BEN}"


def test_czech_forms_of_address_are_heard() -> None:
    approved = CZECH.replace("vaši", "tvou").replace("vám", "ti").replace("Dobrý den", "Ahoj")
    rules = learned(CZECH, approved, name="")
    assert Rule(RuleKind.FORM_OF_ADDRESS, f"person:{ANN}", "ty") in rules
    assert Rule(RuleKind.GREETING, f"person:{ANN}", "Ahoj,") in rules
    assert [one.value for one in learned(approved, CZECH, name="") if one.kind is RuleKind.FORM_OF_ADDRESS] == ["vy"]


def test_lines_of_the_signature_are_left_out() -> None:
    signature = "<div>Mia Example<br>Workshop &amp; Sons</div>"
    proposed = "Hello Ann,\n\nIt arrives on Friday.\n\nBest regards,\nMia Example\nWorkshop & Sons"
    approved = "Hello Ann,\n\nIt arrives on Friday.\n\nBest regards,"
    assert learned(proposed, approved, signature=signature) == [Rule(RuleKind.SIGNATURE, "", "")]
    assert [one.kind for one in learned(proposed, approved)] == [RuleKind.SIGN_OFF]


def test_nothing_is_learned_from_other_words_between() -> None:
    assert learned(PROPOSED, PROPOSED.replace("Friday", "Monday")) == []
    assert learned(PROPOSED, PROPOSED) == []
    other = "Guten Tag,\n\nich danke für die Nachricht. Die Ware ist am Freitag bei Ihnen und nicht später.\n\nGruß\nMia"
    assert learned(other, other.replace("Gruß", "Viele Grüße")) == []


def test_parts_and_forms() -> None:
    assert parts_of("Hi,\n\nyes.\n\nCheers\nM").sign_off == "Cheers\nM"
    assert form_of_address("> můžete přijít?\nAno, můžeš přijít.") == "ty"
    assert form_of_address("Ano, můžete; a ty bys mohl též.") == ""
    assert signature_lines("<p>Ján&nbsp;Novák</p><p></p>") == {"jan novak"}


def test_a_single_new_word_of_farewell_is_a_sign_off_and_not_a_removal() -> None:
    plain = PROPOSED.replace("\nMia", "").replace("regards,", "regards")
    assert learned(plain, plain.replace("Best regards", "Cheerio")) == [Rule(RuleKind.SIGN_OFF, "en", "Cheerio")]
    assert learned(plain, plain.replace("Best regards", "I will call you tomorrow.")) == []

"""Words, sentences and languages.

Common words of two texts.

Rules in one sentence, in three languages.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.agents.routing import HeaderPattern, RuleAction, RuleMatch
from app.domain.agents.runs import Route
from app.domain.language.rule_words import SentenceGap, gap_of, rule_of
from app.domain.language.words import (
    Language,
    PhraseTable,
    alike,
    clear_language,
    fold,
    language,
    sentences,
    words,
)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Could you tell me when the library opens?", Language.EN),
        ("Dobrý den, kdy máte otevřeno?", Language.CS),
        ("dobry den, kdy mate otevreno a kolik to stoji", Language.CS),
        ("Bonjour, je voudrais savoir le prix pour une semaine, merci", Language.OTHER),
        ("Guten Tag, können Sie mir bitte den Preis nennen? Vielen Dank", Language.DE),
        ("Coffee?", Language.EN),
        ("", Language.EN),
        ("Dzien dobry, czy moga Panstwo potwierdzic termin dostawy? Pozdrawiam", Language.OTHER),
        ("Dobrý deň, kedy mi môžete poslať zmluvu? Ďakujem", Language.OTHER),
        ("Beste, kunt u mij de factuur nog een keer sturen?", Language.OTHER),
        ("Olá, a fatura de março já foi paga? Obrigada", Language.OTHER),
        ("Hej, kommer du på mötet i morgon? Tack", Language.OTHER),
        ("Koennen Sie mir das Angebot fuer das Lager schicken?", Language.DE),
        ("Muzes mi poslat tu fakturu do zitra?", Language.CS),
        ("Om is in Delft?", Language.EN),
    ],
)
def test_language(text: str, wanted: Language) -> None:
    assert language(text) is wanted


def test_sentences_survive_abbreviations_and_czech_dates() -> None:
    text = "Přijdu dne 14. 5. v osm. Stačí to? Mr. Holm agrees.\n\nBye"
    assert sentences(text) == ["Přijdu dne 14. 5. v osm.", "Stačí to?", "Mr. Holm agrees.", "Bye"]


@given(st.text(max_size=200))
def test_folding_is_stable_and_words_are_folded(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert all(word == fold(word) for word in words(text))


@pytest.mark.parametrize("unit", ["1. ", "tel. ", "\n\u2003", "\u2003\n", '."', "- \n"])
def test_a_letter_made_to_stall_the_reader_is_read(unit: str) -> None:
    """Each of these took minutes when every piece looked at all that came before it."""
    text = unit * 60_000
    assert " ".join(sentences(text)).split() == text.split()


def test_endings_are_forgiven() -> None:
    assert not alike("otevreno", "otec")
    assert alike("zaruka", "zaruku")
    assert alike("parking", "park")
    assert alike("voucher", "vouchers")
    assert not alike("price", "prize")


@given(st.text(alphabet="abcde", max_size=9), st.text(alphabet="abcde", max_size=9))
def test_alike_is_symmetric_and_reflexive(first: str, second: str) -> None:
    assert alike(first, second) == alike(second, first)
    assert alike(first, first)


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("can you call me", True),
        ("and (could you) call", True),
        ("so what is it", False),
        ("what is it", True),
        ("scan you", False),
        ("a|b", True),
        ("", False),
    ],
)
def test_a_phrase_is_found_where_a_word_or_the_text_begins(text: str, there: bool) -> None:
    table = PhraseTable(r"\b(?:can|could) you\b|^what (?:is|was)\b", r"\ba[|]b")
    assert table.within(text) is there


def test_a_table_finds_parts_of_words_and_phrases_after_a_lead() -> None:
    assert PhraseTable(r"\w*-?karten").within("geschenkkarten") and not PhraseTable(r"karten").within("geschenkkarten")
    led = PhraseTable(r"^(?:[\w'-]+\s*[,:]\s*){0,2}(?:send|give) me\b", r"^(?:hi|hey)\b")
    assert [led.within(one) for one in ("ann, send me it", "give me", "i send me", "hey you", "oh hey")] == [
        True, True, False, True, False,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("What is the price of a service, and when can you do it?", Language.EN),
        ("Dobrý den, děkuji za dotaz. Kolo je hotové a můžete si pro něj přijít ve středu.", Language.CS),
        ("Guten Tag, das Rad ist fertig und Sie können es am Mittwoch bei uns abholen.", Language.DE),
        ("Dzień dobry, ile kosztuje przegląd roweru i kiedy mogę przyjechać?", None),
        ("Dzień dobry, przegląd kosztuje 300 zł, proszę przyjechać we wtorek.", None),
        ("Buongiorno, la revisione costa 80 euro. A presto", None),
        ("Dobrý deň, koľko stojí servis bicykla?", None),
        ("Platí to zítra?", None),
        ("Hello", None),
        ("", None),
    ],
)
def test_a_language_is_clear_or_none(text: str, wanted: Language | None) -> None:
    assert clear_language(text) is wanted


ARCHIVE, READ, STAR, SPAM = RuleAction.ARCHIVE, RuleAction.MARK_READ, RuleAction.STAR, RuleAction.SPAM
BULK = HeaderPattern("List-Unsubscribe", ".")


@pytest.mark.parametrize(
    ("sentence", "match", "actions", "label"),
    [
        (
            "archive newsletters from shop.com and mark them read",
            RuleMatch(sender_domain="shop.com", header_match=(BULK,)),
            (ARCHIVE, READ),
            "",
        ),
        ("Star everything from Ana@Example.org.", RuleMatch(sender_email="ana@example.org"), (STAR,), ""),
        ("label mail about invoices as Accounting", RuleMatch(subject_contains="invoices"), (), "Accounting"),
        ('label "Accounts 2026" emails from billing@shop.com', RuleMatch(sender_email="billing@shop.com"), (), "Accounts 2026"),
        ("block anna-b@spam.test", RuleMatch(sender_email="anna-b@spam.test"), (SPAM,), ""),
        ("archive mail from John Doe", RuleMatch(header_match=(HeaderPattern("From", r"John\ Doe"),)), (ARCHIVE,), ""),
        (
            "archivuj newslettery od shop.cz a označ je jako přečtené",
            RuleMatch(sender_domain="shop.cz", header_match=(BULK,)),
            (ARCHIVE, READ),
            "",
        ),
        (
            'poště od Jana Nováková přidej štítek "Účty"',
            RuleMatch(header_match=(HeaderPattern("From", r"Jana\ Nováková"),)),
            (),
            "Účty",
        ),
        ("zprávy od jana@example.cz do spamu", RuleMatch(sender_email="jana@example.cz"), (SPAM,), ""),
        (
            "Newsletter von laden.de archivieren und als gelesen markieren",
            RuleMatch(sender_domain="laden.de", header_match=(BULK,)),
            (ARCHIVE, READ),
            "",
        ),
        ("mark all emails as read", RuleMatch(all=True), (READ,), ""),
        ("when the subject contains invoice label it Accounting", RuleMatch(subject_contains="invoice"), (), "Accounting"),
        ("star anything from ana@example.org", RuleMatch(sender_email="ana@example.org"), (STAR,), ""),
        ("archive mail about delete requests", RuleMatch(subject_contains="delete requests"), (ARCHIVE,), ""),
    ],
)
def test_a_sentence_becomes_a_rule(sentence: str, match: RuleMatch, actions: tuple[RuleAction, ...], label: str) -> None:
    rule = rule_of(sentence)
    assert rule.match == match
    assert (rule.actions, rule.label) == (actions, label)
    assert (rule.route is Route.SORT) == bool({ARCHIVE, READ, SPAM} & {*actions}), "other mail still gets a draft"


@pytest.mark.parametrize(
    ("sentence", "gap", "words"),
    [
        ("delete anything from forgehub", SentenceGap.IMPOSSIBLE, "delete"),
        ("Notify me when Nora writes", SentenceGap.IMPOSSIBLE, "Notify"),
        ("archive newsletters and forward them to ana@example.org", SentenceGap.IMPOSSIBLE, "forward"),
        ("newsletters older than two weeks go to trash", SentenceGap.IMPOSSIBLE, "trash"),
        ("archive", SentenceGap.MESSAGES, ""),
        ("mail from ana@example.org", SentenceGap.DEED, ""),
        ("hello there", SentenceGap.BOTH, ""),
        ("archive newsletters older than 30 days", SentenceGap.AGE, "older than 30 days"),
        ("archive mail from shop.com after 7 days", SentenceGap.AGE, "after 7 days"),
        ("archivuj newslettery starší než 2 týdny", SentenceGap.AGE, "starší než 2 týdny"),
        ("archiviere Newsletter, die älter als 30 Tage sind", SentenceGap.AGE, "älter als 30 Tage"),
    ],
)
def test_what_keeps_a_sentence_from_being_a_rule_is_named(sentence: str, gap: SentenceGap, words: str) -> None:
    assert gap_of(sentence) == (gap, words)
    assert rule_of(sentence) is None

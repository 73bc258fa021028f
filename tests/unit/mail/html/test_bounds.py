"""Bounds on nesting and attributes: parsers get only what they read in linear time, and no text is lost."""

import time

import pytest

from app.mail.html.bounds import HARMLESS_LENGTH, MOST_ATTRIBUTES, bounded
from app.mail.html.clean import clean_html
from app.mail.html.visible import visible_text

MANY = 10_000
PLAIN = " ".join(f"a{number}=x" for number in range(MANY))
QUOTED = " ".join(f'a{number}="<x>"' for number in range(MANY))


@pytest.mark.parametrize(
    "tag",
    [
        f"<div {PLAIN}>",
        f"<div {QUOTED}>",
        f'<div class=">" {PLAIN}>',
        f"<img src='<' {PLAIN}/>",
        "<div " + " ".join(f"b{number}" for number in range(MANY)) + ">",
        f"<div {'= ' * 3 * MANY}>",
    ],
)
def test_a_tag_keeps_only_its_first_attributes(tag: str) -> None:
    page = bounded(f"<p>Before</p>{tag}After")
    assert len(page) < MOST_ATTRIBUTES * 20
    assert visible_text(page).split() == ["Before", "After"]


def test_ordinary_mail_is_not_changed() -> None:
    page = "<td style='color:red' width=5 data-x=\"a > b\">Row</td>\n" * 1000
    assert len(page) > HARMLESS_LENGTH
    assert bounded(page) == page


def test_unclosed_tags_and_quotes_keep_their_text() -> None:
    page = "Text first " + "<a b='" * MANY
    assert bounded(page).startswith("Text first")


HOSTILE = {
    "attributes": "<div " + " ".join(f"a{number}=x" for number in range(54_000)) + ">Text</div>",
    "depth": "<div>" * 54_000 + "Text",
    "tables": "<table><tr><td>" * 54_000 + "Text",
    "quotes": "Text<a b='" * 54_000,
    "brackets": "Text" + "<" * 54_000,
    "comments": "Text" + "<!--" * 54_000,
    "styles": "<p style='" + "color:red;" * 54_000 + "'>Text</p>",
    "hidden": "Text" + "<span style='display:none'>" * 54_000,
    "sheet": "<style>" + "a{color:red}" * 54_000 + "</style>Text",
    "selectors": "<style>" + ",".join(["a b c d"] * 14_000) + "{display:none}</style>Text" + "<a>x</a>" * 100,
}
MOST_S = 2.5
"""Processor time; the slowest takes 0.7 s, and one tag with 54,000 attributes took 5.4 s before it was bounded."""


@pytest.mark.parametrize("name", HOSTILE)
def test_no_page_takes_more_time_than_its_length(name: str) -> None:
    begun = time.process_time()
    assert "Text" in visible_text(bounded(HOSTILE[name]))
    clean_html(HOSTILE[name])
    assert time.process_time() - begun < MOST_S

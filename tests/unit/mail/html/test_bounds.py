"""Bounds on nesting and attributes: parsers get only what they read in linear time, and no text is lost."""

import pytest

from app.mail.html.bounds import HARMLESS_LENGTH, MOST_ATTRIBUTES, bounded
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

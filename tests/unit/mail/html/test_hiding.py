"""HTML to what a reader sees, what hides text, links, colours, styles and depth."""

import re
from collections.abc import Callable
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.mail.html import bounds
from app.mail.html.bounds import bounded
from app.mail.html.clean import clean_html
from app.mail.html.css import clean_sheet, clean_style
from app.mail.html.links import host_of, safe_image, safe_link
from app.mail.html.visible import visible_text
from fakes.clock.growth import grows_with_size
from fakes.gmail.hidden_text import HIDDEN
from fakes.gmail.hostile_html import vectors

CANARY = "canary"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<p>One</p><p>Two</p>", "One\n\nTwo"),
        ("<div>One</div><div>Two</div>", "One\nTwo"),
        ("One<br>Two<br><br>Three", "One\nTwo\n\nThree"),
        ("  a \n  b <b> c </b>d", "a b c d"),
        ("a&nbsp;&nbsp;b", "a  b"),
        ("<ul><li>one</li><li>two<ul><li>inner</li></ul></li></ul>", "- one\n- two\n\n  - inner"),
        ("<ol start=3><li>three<li>four</ol>", "3. three\n4. four"),
        ("<table><tr><th>Name<th>Sum<tr><td>A<td>1</table>", "Name | Sum\nA | 1"),
        ("<table><tr><td></td><td>alone</td></tr></table>", "alone"),
        ("<pre>a\n  b\n\nc</pre>", "a\n  b\n\nc"),
        ("<p>a</p><blockquote>b<p>c</p></blockquote><p>d</p>", "a\n\n> b\n>\n> c\n\nd"),
        ("x<blockquote>y<blockquote>z</blockquote></blockquote>w", "x\n> y\n> > z\nw"),
        ("<a href='https://www.example.org/x'>here</a>", "here (www.example.org)"),
        ("<a href='https://example.org/x'>example.org/x</a>", "example.org/x"),
        ("<a href='mailto:a@b.example?subject=x'>write</a>", "write (a@b.example)"),
        ("<a href='javascript:alert(1)'>text</a>", "text"),
        ("<a href='https://evil.example/'>https://bank.example/</a>", "https://bank.example/ (evil.example)"),
        ("<a href='https://example.org/'><img src=x></a>", ""),
        ("<img alt='Chart of sales' src=x>", "[Chart of sales]"),
        ("<h1>Title</h1>text<hr>more", "Title\n\ntext\nmore"),
        ("a<script>b</script><style>c</style><title>d</title><textarea>e</textarea>f<!-- g -->", "af"),
        ("<select><option>x</select><input value=y>z", "z"),
        ("&lt;b&gt; &amp; &#x41;", "<b> & A"),
        ("a<span>b</span>c", "abc"),
        ("&gt; not a quote", "> not a quote"),
        ("", ""),
    ],
)
def test_html_reads_as_its_reader_sees_it(source: str, text: str) -> None:
    assert visible_text(source) == text


HIDES = (
    ' style="display:none"', ' style="font-size:0"', ' style="visibility:hidden"', " hidden", ' style="opacity:0"',
    ' class="x y"', " style='display:none'", ' STYLE="DISPLAY:NONE"', ' style="display:none" style="display:block"',
    ' style="&#100;isplay:none"', ' style="position:absolute;left:-9999px"', " style=display:none",
)  # fmt: skip
SHOWS = (
    "", ' class="xy"', ' style="color:#333"', ' style="background:#fff"', ' title="a>b"', ' style="background:url(a.png)"',
    ' style="display:none;display:block"', ' bgcolor="#eeeeee"', ' data-style="display:none"',
)  # fmt: skip


@st.composite
def nested(draw: st.DrawFn) -> tuple[str, list[str], list[str]]:
    """HTML with the words that are shown and those that are hidden."""
    pieces, shown, hidden = ["<style>.x{display:none}</style>"], list[str](), list[str]()
    open_elements: list[tuple[str, bool]] = []
    for number in range(draw(st.integers(1, 14))):
        kind = draw(st.integers(0, 4))
        if kind == 0:
            hides = draw(st.integers(0, 2)) == 0
            name = draw(st.sampled_from(("div", "span", "section", "blockquote", "center")))
            pieces.append(f"<{name}{draw(st.sampled_from(HIDES if hides else SHOWS))}>")
            open_elements.append((name, hides))
        elif kind == 1 and open_elements:
            pieces.append(f"</{open_elements.pop()[0]}>")
        elif kind == 2:
            pieces.append(draw(st.sampled_from(("<!-- gone -->", "&nbsp;", "<br>", "<!--[if mso]>gone<![endif]-->", "\n"))))
        else:
            (hidden if any(hides for _, hides in open_elements) else shown).append(f"word{number}x")
            pieces.append(f"word{number}x ")
    return "".join(pieces), shown, hidden


@settings(max_examples=2 * settings.default.max_examples)
@given(nested())
def test_every_shown_word_is_read_and_no_hidden_one(made: tuple[str, list[str], list[str]]) -> None:
    source, shown, hidden = made
    text = visible_text(source)
    assert re.findall(r"word\d+x", text) == shown
    assert "gone" not in text and not any(word in text for word in hidden)


@pytest.mark.parametrize("source", HIDDEN)
def test_hidden_text_reaches_nobody(source: str) -> None:
    assert CANARY not in visible_text(f"<p>Seen</p>{source}<p>too</p>")
    assert visible_text(f"<p>Seen</p>{source}<p>too</p>").replace("\n", "") == "Seentoo"


SEEN = [
    "<p style='display:block'>canary</p>",
    "<p style='color:#333'>canary</p>",
    "<p style='color:#fff;background:#000'>canary</p>",
    "<div style='background-color:navy'><p style='color:white'>canary</p></div>",
    "<table bgcolor='#000'><tr><td style='color:#fff'>canary</table>",
    "<td style=\"background:url('x.png');color:#fff\">canary</td>",
    "<p style='font-size:12px'>canary</p>",
    "<div style='font-size:0'><span style='font-size:14px'>canary</span></div>",
    "<style>@media (max-width:600px){.x{display:none}}</style><p class=x>canary</p>",
    "<style>.y{display:none}</style><p class=x>canary</p>",
    "<p style='opacity:0.9'>canary</p>",
    "<p style='height:0'>canary</p>",
    "<p style='margin-left:-5px'>canary</p>",
    "<p style='display:none;display:block'>canary</p>",
    "<p style='color:no-such-colour'>canary</p>",
]


@pytest.mark.parametrize("source", SEEN)
def test_text_that_can_be_seen_is_kept(source: str) -> None:
    assert CANARY in visible_text(source)


@settings(max_examples=2 * settings.default.max_examples)
@given(st.lists(st.one_of(st.sampled_from(vectors()), st.text(max_size=20)), max_size=5).map("".join))
def test_no_html_fails_and_all_of_it_can_be_stored(source: str) -> None:
    visible_text(source).encode("utf-8")


def test_deep_markup_is_made_shallow_and_keeps_its_text() -> None:
    source = "".join(f"<div>{number}" for number in range(2000))
    flat = bounded(source)
    assert flat.count("<div>") == 400
    assert "".join(visible_text(flat).split("\n")) == "".join(str(number) for number in range(2000))
    assert bounded("<p>" * 3000 + "x") == "<p>" * 3000 + "x", "paragraphs end by themselves"
    even = "<div><b>x</b></div>" * 1000
    assert bounded(even) == even


@pytest.mark.parametrize(
    ("address", "link"),
    [
        ("https://example.org/a", "https://example.org/a"),
        (" HTTPS://Example.org ", "https://Example.org"),
        ("https://example.org/a b", "https://example.org/a%20b"),
        ("https://example.org/a\r\n b", "https://example.org/a%20b"),
        ("http://[::1]:80/", "http://[::1]:80/"),
        ("http://bücher.example/", "http://bücher.example/"),
        ("mailto:a@b.example?subject=x y", "mailto:a@b.example?subject=x%20y"),
        ("ftp://example.org/", None),
        ("https:example.org", None),
        ("https://", None),
        ("https://user@example.org/", None),
        ("https://exa\\mple.org/", None),
        ("ht\ttps://example.org/", None),
        ("h1ttp://example.org/", None),
        ("https://example.org/" + "a" * 20_000, None),
        ("example.org", None),
        ("https://example.org/\u202egpj.exe", None),
        ("https://example.org/a\x01b", None),
        ("mailto:a@b.example\x7f", None),
    ],
)
def test_links_are_plain_or_nothing(address: str, link: str | None) -> None:
    assert safe_link(address) == link


def test_hosts_and_images() -> None:
    assert host_of("https://WWW.Example.org:8080/x?y#z") == "www.example.org"
    assert host_of("mailto:a@b.example") == ""
    assert safe_image("https://example.org/a.png") == "https://example.org/a.png"
    assert safe_image("mailto:a@b.example") is None


@pytest.mark.parametrize("deep", ["a{", "(", "[", "calc(", "@media all{"])
def test_styles_that_lie_in_each_other_without_end_stop_nobody(deep: str) -> None:
    sheet = f".b{{opacity:0}} .a{{display:none;width:{deep * 5000}"
    source = f"<style>{sheet}</style><p>Seen</p><p class=b>{CANARY}</p><p style='width:{deep * 3000}'>too</p>"
    assert visible_text(source) == "Seen\n\ntoo"
    assert "Seen" in clean_html(source)
    assert clean_sheet(sheet).startswith(".b { opacity: 0 }")
    assert clean_sheet(f"@media {deep * 5000}{{p{{color:red}}}}") == ""


@pytest.mark.parametrize(
    ("style", "kept"),
    [
        ("color:red;margin:0 auto", "color: red; margin: 0 auto"),
        ("COLOR:Red !IMPORTANT", "color: Red !important"),
        ("font-family:'Segoe UI',Arial", 'font-family: "Segoe UI",Arial'),
        ("width:calc(100% - 10px)", "width: calc(100% - 10px)"),
        ("margin:-5px;padding:5px", "padding: 5px"),
        ("background:#fff url(x) no-repeat", "background-color: #fff"),
        ("position:fixed;color:red", "color: red"),
        ("color:expression(alert(1))", ""),
        ("line-height:1.50;opacity:.5", "line-height: 1.5; opacity: 0.5"),
        ("letter-spacing:-0.00001em", "letter-spacing: 0em"),
        ("width:1e9px", ""),
        ("x" * 30_000, ""),
    ],
)
def test_styles_are_written_anew(style: str, kept: str) -> None:
    assert clean_style(style) == kept
    assert clean_style(kept) == kept


def test_sheets_keep_plain_rules_and_plain_media() -> None:
    sheet = "@import 'x'; a:hover{color:red} .a, #b > p{color:red} @media (max-width:600px){.a{width:100%}}"
    sheet += "@media print{@page{margin:0}}"
    assert clean_sheet(sheet) == ".a, #b > p { color: red }\n@media (max-width:600px) { .a { width: 100% } }"


SIBLINGS = "".join(f"p:nth-child({number}n+1) ~ p i{{display:none}}" for number in range(50))


@pytest.mark.parametrize(
    ("make", "size"),
    [(lambda size: f"<style>{SIBLINGS}</style>{'<p><i>x</i></p>' * size}", 500), (lambda size: "a&" * size, 60_000)],
)
def test_no_mail_holds_the_reader_for_long(make: Callable[[int], str], size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MAIL_S", inf)
    assert grows_with_size(make, lambda mail: (visible_text(mail), clean_html(mail)), size)

"""Reading without a tree gives the words that the tree gives, or stands back: nothing hidden is read, nothing shown lost."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.mail.html import paint, rows
from app.mail.html.flat import flat_text
from app.mail.html.visible import visible_text, walked_text

STYLES = (
    "", ' style="display:none"', ' style="color:#fff"', ' style="color:#ffffff;background:#1a73e8"', ' style="background:#fff"',
    ' style="font-size:0"', ' style="font-size:14px;color:#333"', ' style="visibility:hidden"', " hidden", ' class="x"',
    ' class="X y"',
    ' bgcolor="#000000"', ' color="black"', ' style="color:rgba(0,0,0,0.01)"', ' style="background:url(a.png)"', ' id="one"',
    ' style="opacity:0"', " style='display:none", ' title="a>b"', ' style=display:none', ' STYLE="DISPLAY:NONE"',
    ' style="display:none" style="display:block"', ' style="&#100;isplay:none"', ' style="position:absolute;left:-9999px"',
)  # fmt: skip
NAMES = (
    "div", "span", "p", "b", "a", "table", "tr", "td", "ul", "li", "blockquote", "h1", "font", "center", "br", "img", "hr",
    "tbody", "body", "html", "head", "style", "title", "script", "textarea", "select", "option", "noscript", "template", "svg",
    "ol", "pre", "form", "input", "button", "iframe", "nobr", "dd", "dl", "meta",
)  # fmt: skip
SHEETS = ("<style>.x{display:none}</style>", "<style>.x,b{color:#fff}</style>", "<style>div .x{display:none}</style>")
ODDITIES = (
    "<!-- word{}x -->", "<!--[if mso]>word{}x<![endif]-->", "<![if !mso]>word{}x<![endif]>", "<!-->word{}x-->", "<!doctype html>",
    "<", "&lt;b&gt;", "&nbsp;", "&amp;#115;", "&#115;", "</", "<3", "\n", "  ", "<?xml:o ?>", "<!", "-->", "</br>", "&copy", '"',
    "'>",
)  # fmt: skip


@st.composite
def soup(draw: st.DrawFn) -> str:
    """Tags, texts and oddities in any order, mostly closed where they should be."""
    words = iter(range(1000))
    pieces: list[str] = [draw(st.sampled_from(SHEETS))] if draw(st.integers(0, 5)) == 0 else []
    open_names: list[str] = []
    for _ in range(draw(st.integers(1, 14))):
        kind = draw(st.integers(0, 9))
        if kind < 4:
            pieces.append(f"word{next(words)}x ")
        elif kind < 7:
            name = draw(st.sampled_from(NAMES[:16] if draw(st.integers(0, 3)) else NAMES))
            pieces.append(f"<{name}{draw(st.sampled_from(STYLES)) if draw(st.booleans()) else ''}>")
            open_names.append(name)
        elif kind < 9 and open_names:
            pieces.append(f"</{open_names.pop()}>" if draw(st.integers(0, 7)) else f"</{draw(st.sampled_from(NAMES))}>")
        else:
            pieces.append(draw(st.sampled_from(ODDITIES)).replace("{}", str(next(words))))
    return "".join([*pieces, *(f"</{name}>" for name in reversed(open_names) if draw(st.integers(0, 9)))])


@settings(max_examples=600, deadline=None)
@given(soup())
def test_the_words_are_those_of_the_tree(source: str) -> None:
    flat = flat_text(source)
    if flat is not None:
        assert words(flat) == words(walked_text(source)), source


@pytest.mark.parametrize(
    "source",
    [
        '<div>Hello,<br><br>see you.</div><div><br></div><div dir="ltr">Bye<div>Jan</div></div>',
        "<p>One</p><p>Two</p><h2>Three</h2><ul><li>four</li><li>five</li></ul>six",
        "<div>On Monday wrote:<br></div><blockquote><div>old</div><blockquote>older</blockquote><p>end</p></blockquote>after",
        "<table><tr><td>a</td><td></td><td>b</td></tr><tr><td>c</td></tr></table>",
        '<p>See <a href="https://example.org/x">the page</a> or <a href="https://example.org">example.org</a></p>',
        '<div>a<img src="x" alt="Logo">b</div><img alt="Alone">',
        "<html><head><title>No</title><style>.a{color:#fff}</style></head><body>x &amp; y&nbsp;&lt;z&gt;</body></html>",
        '<div style="display:none">Preview</div><p>Shown</p>',
        "<p>a&Tab;b&NewLine;c &#39;d&#39; &amp;lt; AT&T;</p>\r\n<div> e</div>",
        "<p>&am<b>p;</b>lt; <b> x</b> y</p>",
        '<img alt="a &lt; b &amp;amp; c">one<style>.q > b{top:0}</style><title>t > u</title><!-- > --><p>two > three</p>',
        '<a href="https://a.org/">x</a><a href="https://b.org/"></a> <a href="https://a.org/1">y</a>',
        '<p>a</p> <div style="display:none">x</div>\r\n  <span hidden>&nbsp;</span><p hidden></p> b<img hidden alt="no"> c',
        "<table>\n <tr>\n  <td> a</td><td>b</td>\n </tr></table><div>c</div>",
        "<blockquote><div>a</div><blockquote>b<br><br>c</blockquote></blockquote><div>d</div><blockquote>e</blockquote>",
        "<blockquote>" * 22 + "<p>deep</p><p>deeper</p>" + "</blockquote>" * 22 + "<p>out</p>",
        '<div style="color:#fff;background:#00f">a</div><b style="color:#fff;background:#00f"></b><u>b</u>',
        "<p>a -> b</p>> <i>c</i>> d",
        """<p><a href="https://a.org/x?b=1&amp;c=2&d=3#e">go</a> <img alt='b src="https://c.org/d"' src="https://e.org/f"></p>""",
        '<a href="https://a.org&sol;b/c">d</a> <a href="https://a.org/&NewLine;b">e</a>',
        "<p>a</p><!-- b --><p>c</p><!-- <p>d</p> --><!-- e > f --><!--><p>g</p><!---->" + "<!-- h ><i -->" + "<b>j</b>",
        "<p>" + "a " * 400 + "</p><style>p{top:0}</style><title>b</title><!-- c -->d",
        "text first <b>and</b> <i>then</i>\n tags <br> ",
    ],
)
def test_lines_are_those_of_the_tree(source: str) -> None:
    assert flat_text(source) == walked_text(source)


@pytest.mark.parametrize(
    "source",
    [
        '<span style="display:none"><div></span>secret</div>',
        '<table style="display:none">shown</table>',
        '<td hidden>shown</td>',
        '<div style="display:none">a', '<p>a</p><div style="display:none">b<i>c</i></div>',
        '<p style="color:#fff;background:#00f">a<i>b</i></p>',
        "<p>a</p>&emsp;<p>b</p>", "<p>&Tab;a</p>",
        '<div style="color:#fff">white</div>',
        '<div style="background:#000">black</div>',
        '<div style="color:#fff;background:#00f">ok <i style="background:white">lost</i></div>',
        "<p>\ue000</p>", "<p>&#57344;</p>", "<p>a</p><!-- b", "<!-- <style>p{top:0}</style><p>a</p>",
        "<script>x</script>", "<textarea>x</textarea>", "<div title='>'>x</div>", "<pre> x </pre>", "a < b", "x\x00y",
        '<style>div > b {color: #fff}</style>x',
    ],
)  # fmt: skip
def test_what_takes_a_tree_is_left_to_it(source: str) -> None:
    assert flat_text(source) is None


@settings(max_examples=300, deadline=None)
@given(soup())
def test_what_was_read_before_changes_nothing(source: str) -> None:
    first = flat_text(source)
    for cache in (rows._remembered, rows._pathless, rows.marked, paint._remembered):
        cache.cache_clear()
    assert flat_text(source) == first


def test_a_white_word_on_its_own_button_is_read_and_on_white_is_not() -> None:
    button = '<a style="color:#fff;background:#1a73e8">Go</a>'
    assert flat_text(f'<div style="background:#fff">{button}</div>') == "Go"
    assert visible_text(f'{button}<span style="color:#fff">canary</span>') == "Go"


def words(text: str) -> set[str]:
    return set(re.findall(r"word\d+x", text))

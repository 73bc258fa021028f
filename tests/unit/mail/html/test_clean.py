"""The HTML cleaner against hostile vectors, against itself, and for the mail people really read."""

import re
from collections.abc import Callable
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from app.mail.html import bounds
from app.mail.html.bounds import MOST_ATTRIBUTES, bounded
from app.mail.html.clean import ATTRIBUTES, TAGS, clean_html
from app.mail.html.links import safe_link
from app.mail.html.visible import visible_text
from fakes.clock.growth import grows_with_size
from fakes.gmail.generated_html import shapes
from fakes.gmail.hostile_html import vectors

VECTORS = [*vectors(), *shapes()]
FORBIDDEN_CSS = re.compile(r"url|image-set|@(?!media )|expression|position|behavio|binding|\\|<|attr\(|var\(|src", re.IGNORECASE)


def check_harmless(cleaned: str) -> None:
    """Nothing in it runs, loads or leaves by itself."""
    tree = LexborHTMLParser(cleaned)
    for node in tree.css("*"):
        tag = node.tag or ""
        if tag in {"html", "head", "body"}:
            assert not node.attributes
            continue
        assert tag in TAGS or tag == "style", tag
        for name, value in node.attributes.items():
            check_attribute(tag, name, value or "")
    for sheet in tree.css("style"):
        assert not FORBIDDEN_CSS.search(sheet.text() or ""), sheet.text()
    assert not re.search("[\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f\ud800-\udfff\x00]", cleaned)


def check_attribute(tag: str, name: str, value: str) -> None:
    """An attribute that survived."""
    assert name in ATTRIBUTES["*"] | ATTRIBUTES.get(tag, frozenset()), (tag, name)
    if name == "src":
        assert value.lower().startswith("cid:")
    elif name in {"href", "data-remote-src"}:
        assert re.match(r"https?://[^/?#\\@]|mailto:.", value)
        assert safe_link(value) == value
    elif name == "style":
        assert not FORBIDDEN_CSS.search(value), value


def test_hostile_vectors_are_harmless_and_stay_as_they_are() -> None:
    for vector in VECTORS:
        cleaned = clean_html(vector)
        try:
            check_harmless(cleaned)
            assert clean_html(cleaned) == cleaned
        except AssertionError as error:
            raise AssertionError(f"{vector!r} became {cleaned!r}") from error


@pytest.mark.parametrize(
    "frame",
    ["<table><tr><td>{}</td></tr></table>", "<p><b>{}</b> after</p>", "<div title='x'>{}</div><svg>{}</svg>", "<!-- {} -->"],
)
def test_a_vector_inside_other_markup_is_harmless(frame: str) -> None:
    for vector in VECTORS[::3]:
        cleaned = clean_html(frame.replace("{}", vector))
        check_harmless(cleaned)
        assert clean_html(cleaned) == cleaned


PIECES = st.sampled_from(
    [*VECTORS, "<p>", "</p>", "<b>", "</i>", "<a href=http://a.example/>", "</a>", "<table>", "<td>", "</table>", "<pre>\n"]
)


@settings(max_examples=2 * settings.default.max_examples)
@given(st.lists(st.one_of(PIECES, st.text(max_size=20)), max_size=6).map("".join))
def test_any_mixture_is_harmless_and_cleaning_twice_changes_nothing(source: str) -> None:
    cleaned = clean_html(source)
    check_harmless(cleaned)
    assert clean_html(cleaned) == cleaned


@settings(max_examples=2 * settings.default.max_examples)
@given(st.text(alphabet="<>/=\"' abpsdiv&;#x-!\n", max_size=120))
def test_any_broken_markup_is_harmless_and_stays_as_it_is(source: str) -> None:
    cleaned = clean_html(source)
    check_harmless(cleaned)
    assert clean_html(cleaned) == cleaned


@settings(max_examples=2 * settings.default.max_examples)
@given(st.text(alphabet=":;(){}!,./*\\'\"#%-+ urlabcpx0123456789@", max_size=80))
def test_any_style_is_harmless_and_stays_as_it_is(style: str) -> None:
    quoted = style.replace('"', "&quot;")
    cleaned = clean_html(f'<style>p{{{style}}}</style><p style="{quoted}">x</p>')
    check_harmless(cleaned)
    assert clean_html(cleaned) == cleaned


def test_what_people_write_survives() -> None:
    source = (
        "<html><head><title>t</title><style>.box{color:#333;padding:4px 8px}"
        "@media (max-width:600px){.box{width:100% !important}}"
        "</style></head><body><div class='box' style='font-family:Arial, sans-serif; font-size:14px'>Dear <b>Jan</b>,<br>"
        "<a href='https://example.org/a?b=1&amp;c=2'>link</a> <a href='mailto:x@example.org'>mail</a>"
        "<ul><li>one</li></ul><table width='100%' bgcolor='#ffffff'><tr><td colspan=2>cell</td></tr></table></div></body></html>"
    )
    cleaned = clean_html(source)
    assert ".box { color: #333; padding: 4px 8px }" in cleaned
    assert "@media (max-width:600px)" in cleaned
    assert "font-family: Arial, sans-serif; font-size: 14px" in cleaned
    assert 'href="https://example.org/a?b=1&amp;c=2"' in cleaned
    assert 'href="mailto:x@example.org"' in cleaned
    assert '<td colspan="2">cell</td>' in cleaned
    assert 'bgcolor="#ffffff"' in cleaned


def test_remote_images_wait_for_the_users_word_and_inline_ones_stay() -> None:
    cleaned = clean_html(
        "<img src='https://example.org/a.png' alt='A' width=10><img src=cid:part1@x><img src='//cdn.example/b.png'>"
    )
    assert cleaned == (
        '<img alt="A" width="10" data-remote-src="https://example.org/a.png"><img src="cid:part1@x">'
        '<img data-remote-src="https://cdn.example/b.png">'
    )


@pytest.mark.expects_warnings
def test_an_attribute_that_breaks_its_filter_goes_and_is_quoted_nowhere(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    def breaks(style: str) -> str:
        raise ValueError(style)

    monkeypatch.setattr("app.mail.html.clean.clean_style", breaks)
    assert clean_html('<p style="color:zanzibar" title="t">Hello</p>') == '<p title="t">Hello</p>'
    assert caplog.messages
    assert "zanzibar" not in "".join((*caplog.messages, *capfd.readouterr()))


def test_the_ground_of_light_words_stays_dark() -> None:
    """The body element goes, its colours do not; a gradient becomes its first colour."""
    assert clean_html("<body bgcolor='#111' text='#eee' onload=x>a</body>") == (
        '<div style="background-color: #111; color: #eee">a</div>'
    )
    assert clean_html("<body style='margin:0'>a</body>") == "a"
    gradient = "<p style='color:#fff;background:linear-gradient(90deg, #123456, red)'>a</p>"
    assert clean_html(gradient) == '<p style="color: #fff; background-color: #123456">a</p>'
    named = "<p style='background-image:radial-gradient(red, blue);background-color:#000'>a</p>"
    assert clean_html(named) == '<p style="background-color: #000">a</p>'


def test_hidden_text_stays_hidden() -> None:
    cleaned = clean_html("<p hidden>a</p><p style='display:none'>b</p>")
    assert cleaned == '<p hidden="">a</p><p style="display: none">b</p>'


@pytest.mark.parametrize(
    "source",
    [
        "<div>" * 50_000 + "deep",
        "<p><b>" * 20_000 + "deep",
        "<a <a <a " * 50_000,
        "<" * 100_000,
        "&" * 100_000,
        "<table><tr><td>" * 9_000 + "deep",
    ],
)
def test_monsters_are_cleaned_too(source: str) -> None:
    cleaned = clean_html(source)
    assert len(cleaned) < 1_000_000
    if "deep" in source:
        assert "deep" in cleaned


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


HOSTILE: dict[str, Callable[[int], str]] = {
    "attributes": lambda size: "<div " + " ".join(f"a{number}=x" for number in range(size)) + ">Text</div>",
    "depth": lambda size: "<div>" * size + "Text",
    "tables": lambda size: "<table><tr><td>" * size + "Text",
    "quotes": lambda size: "Text<a b='" * size,
    "brackets": lambda size: "Text" + "<" * size,
    "comments": lambda size: "Text" + "<!--" * size,
    "styles": lambda size: "<p style='" + "color:red;" * size + "'>Text</p>",
    "hidden": lambda size: "Text" + "<span style='display:none'>" * size,
    "sheet": lambda size: "<style>" + "a{color:red}" * size + "</style>Text",
    "selectors": lambda size: f"<style>{','.join(['a b c d'] * (size // 4))}{{display:none}}</style>Text{'<a>x</a>' * 100}",
}


def read(page: str) -> None:
    assert "Text" in visible_text(bounded(page))
    clean_html(page)


@pytest.mark.parametrize("name", HOSTILE)
def test_no_page_takes_more_time_than_its_length(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MAIL_S", inf)
    assert grows_with_size(HOSTILE[name], read, 2_000)

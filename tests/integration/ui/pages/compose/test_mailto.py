"""`mailto:` addresses: the examples of RFC 6068, and whatever a web page may think of."""

import unicodedata
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ui.pages.compose.new_letter import LONGEST, Mailto, is_mailto, parse

ROOT = Path(__file__).resolve().parents[5]
CHRIS = "chris@example.com"


def asked(address: str) -> Mailto:
    found = parse(address)
    assert found is not None
    return found


def emails(address: str) -> list[str]:
    return [one.email for one in asked(address).to]


@pytest.mark.parametrize(
    ("address", "to"),
    [
        ("mailto:chris@example.com", [CHRIS]),
        ("MAILTO:chris@example.com", [CHRIS]),
        ("mailto:?to=chris@example.com", [CHRIS]),
        ("mailto:addr1@an.example,addr2@an.example", ["addr1@an.example", "addr2@an.example"]),
        ("mailto:a1@an.example?to=a2@an.example,a3@an.example", ["a1@an.example", "a2@an.example", "a3@an.example"]),
        ("mailto:?to=addr1@an.example%2C%20addr2@an.example", ["addr1@an.example", "addr2@an.example"]),
        ("mailto:chris@example.com?to=CHRIS@example.com", [CHRIS]),
        ("mailto:gorby%25kremvax@example.com", ["gorby%kremvax@example.com"]),
        ("mailto:unlikely%3Faddress@example.com?blat=foop", ["unlikely?address@example.com"]),
        ("mailto:Mike%26family@example.org", ["mike&family@example.org"]),
        ("mailto:user@example.org#part", ["user@example.org"]),
        ("mailto:user+tag@example.org", ["user+tag@example.org"]),
        ("mailto:%22Boss%20boss@bank.example%22%20%3Ceve@x.example%3E", ["eve@x.example"]),
        ("mailto:user@%E7%B4%8D%E8%B1%86.example.org", ["user@納豆.example.org"]),
        ("mailto:", []),
        ("mailto:?", []),
        ("mailto:%FF%FE", ["\ufffd\ufffd"]),
    ],
)
def test_recipients(address: str, to: list[str]) -> None:
    assert emails(address) == to
    assert all(not one.name for one in asked(address).to)


@pytest.mark.parametrize(
    ("query", "subject", "body"),
    [
        ("subject=current-issue", "current-issue", ""),
        ("body=send%20current-issue%0D%0Asend%20index", "", "send current-issue\nsend index"),
        ("Subject=caf%C3%A9&BODY=x%0Ay", "café", "x\ny"),
        ("%73ubject=hello", "hello", ""),
        ("subject=1+1=2", "1+1=2", ""),
        ("subject=one&subject=two&body=a&body=b", "one", "a\nb"),
        ("subject=a%0D%0ABcc:%20eve@x.example", "a Bcc: eve@x.example", ""),
        ("subject=a%00b%E2%80%AEc%E2%80%A8d", "a bc d", ""),
        ("body=tab%09bell%07", "", "tab\tbell"),
        ("subject", "", ""),
        ("=x&&&", "", ""),
    ],
)
def test_subject_and_body(query: str, subject: str, body: str) -> None:
    found = asked(f"mailto:{CHRIS}?{query}")
    assert (found.subject, found.body) == (subject, body)


def test_nothing_else_is_taken() -> None:
    fields = "attach attachment from sender reply-to in-reply-to references x-y content-type resent-to"
    query = "&".join(f"{name}=/etc/passwd" for name in fields.split())
    assert asked(f"mailto:?{query}") == Mailto()
    found = asked("mailto:a@b.example?cc=c@d.example,e@f.example&bcc=g@h.example")
    assert [one.email for one in (*found.cc, *found.bcc)] == ["c@d.example", "e@f.example", "g@h.example"]


def test_what_is_no_such_address_or_too_long_is_refused_whole() -> None:
    assert parse("http://example.org") is None
    assert parse("") is None
    assert parse("mailto:?body=" + "x" * LONGEST) is None
    assert asked("mailto:?body=" + "x" * (LONGEST - 13)).body == "x" * (LONGEST - 13)
    assert is_mailto("MailTo:x")
    assert not is_mailto("mailt")


WORDS = st.text(st.characters(exclude_categories=("Cs",)), max_size=60)


@given(WORDS)
def test_anything_at_all_gives_a_letter_without_hidden_signs(text: str) -> None:
    found = asked("mailto:" + text)
    lines = [found.subject, *(one.email for one in (*found.to, *found.cc, *found.bcc))]
    assert not any(unicodedata.category(char) in ("Cc", "Zl", "Zp") for line in lines for char in line)
    assert not any(unicodedata.category(char) == "Cc" and char not in "\n\t" for char in found.body)


@given(WORDS, WORDS, WORDS)
def test_encoded_fields_stay_in_their_place(to: str, subject: str, body: str) -> None:
    found = asked(f"mailto:?to={quote(to, safe='')}&subject={quote(subject, safe='')}&body={quote(body, safe='')}")
    assert (found.cc, found.bcc) == ((), ())
    if subject.isalnum() and subject.isascii():
        assert found.subject == subject
    if body.isprintable():
        assert found.body == body


def test_the_desktop_hands_such_addresses_over() -> None:
    entry = (ROOT / "packaging" / "linux" / "replyroom.desktop").read_text(encoding="utf-8").splitlines()
    assert entry[0] == "[Desktop Entry]"
    keys = dict(line.split("=", 1) for line in entry[1:] if line)
    assert keys["Exec"] == "replyroom %u"
    assert keys["MimeType"] == "x-scheme-handler/mailto;"
    assert keys["StartupWMClass"] == "replyroom"

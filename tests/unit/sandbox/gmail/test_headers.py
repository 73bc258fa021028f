"""Heads: splitting, decoding, comparing subjects, and changing one header without touching the rest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.sandbox.gmail.headers import (
    addresses_in,
    base_subject,
    decode_value,
    facts_of,
    header_fields,
    is_reply_subject,
    rewrite_head,
    split_head,
)

RAW = b"From: Bob <b@x.example>\r\nSubject: long\r\n folded\r\nReceived: a\r\nReceived: b\r\n\r\nbody: no header\r\n"


def test_split_at_the_first_blank_line() -> None:
    head, at = split_head(RAW)
    assert RAW[at:] == b"body: no header\r\n"
    assert header_fields(head)[1] == ("Subject", "long folded")
    assert split_head(b"\nbody") == (b"", 1)
    assert split_head(b"A: b") == (b"A: b", 4)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (b"=?utf-8?q?Caf=C3=A9_x?=", "Café x"),
        (b"=?utf-8?b?xI0=?= =?iso-8859-2?q?=E8?=", "čč"),
        (b"=?utf-8?b?broken", "=?utf-8?b?broken"),
        (b"=?nonsense?q?abc?=", "abc"),
        ("surové ř".encode(), "surové ř"),
        (b"old \xe9", "old é"),
    ],
)
def test_values_are_decoded(value: bytes, text: str) -> None:
    assert decode_value(value) == text


@pytest.mark.parametrize(
    "subject", ["Re: Bike", "RE: Fwd: bike", "Re[2]: Bike", "AW: WG: Bike", "  bike ", "Odp: Bike", "SV: BIKE"]
)
def test_prefixes_do_not_count(subject: str) -> None:
    assert base_subject(subject) == "bike"


def test_reply_subjects() -> None:
    assert is_reply_subject("Re: x")
    assert not is_reply_subject("Repair: x")


def test_facts() -> None:
    head = b"Message-ID: <a@b>\nReferences: <x@y>\n <z@w>\nIn-Reply-To: re <z@w>\n"
    facts = facts_of(head + b"Date: Sat, 21 Nov 2026 10:00:00 +0100\n\n")
    assert (facts.message_id, facts.references, facts.in_reply_to) == ("<a@b>", ("<x@y>", "<z@w>"), ("<z@w>",))
    assert facts.date_s == 1795251600.0
    assert facts_of(b"Date: Thu, 99 Foo 2026 99:99:99\n\n").date_s is None


def test_addresses() -> None:
    assert addresses_in('"A, B" <A@x.example>, c@y.example', "a@x.example") == ["a@x.example", "c@y.example"]


def test_rewriting_keeps_the_rest() -> None:
    changed = rewrite_head(RAW, {"Subject": "new", "Bcc": None, "Date": "d"})
    assert changed == b"Date: d\r\n" + RAW.replace(b"long\r\n folded", b"new")
    assert rewrite_head(b"Subject: a\nBcc: x,\n y\n\nb", {"Bcc": None}) == b"Subject: a\n\nb"
    assert rewrite_head(b"\nbody", {"Date": "d"}) == b"Date: d\n\nbody"


@given(st.binary(max_size=200))
def test_rewriting_never_loses_the_body(raw: bytes) -> None:
    _, at = split_head(raw)
    changed = rewrite_head(raw, {"Date": "d"})
    assert changed.endswith(raw[at:])
    assert facts_of(changed) is not None


def test_thousands_of_open_comments_hide_no_address() -> None:
    assert addresses_in(f"{'(' * 5000} Ann@Partner.org", "b@example.com") == ["ann@partner.org", "b@example.com"]

"""Composing: the bytes that leave, read back by the standard library and by our own parser."""

import base64
import email
import email.policy
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.drafting.draft import Draft, Span, SpanKind
from app.domain.errors import NotAllowed, OpenSlots
from app.domain.ids import MessageId
from app.domain.mail.message import Address
from app.domain.mail.quotes import newest_part
from app.domain.record import replace
from app.mail.compose.letter import compose_draft
from app.mail.html.render import render
from app.mail.mime.headers import decode_words, parse_addresses
from app.mail.mime.parts import choose, parts_of
from fakes.engine.store.accounts import ACCOUNT, message, read

MARKER = "<outbox-7.abc@replyroom.local>"
NOW = datetime(2026, 11, 4, 9, 30, tzinfo=timezone(timedelta(hours=1)))


def draft(**changes: object) -> Draft:
    """An answer to Bob."""
    made = Draft((Address("bob@example.org", "Bob Dvořák"),), (), (), "Re: Plans", "On Friday.\n\nOlga", "template", MessageId(5))
    return replace(made, **changes)  # type: ignore[arg-type]


def bodies(data: bytes) -> tuple[str, str]:
    """The text and the HTML part."""
    text, rich = read(data).iter_parts()
    return text.get_content().replace("\r\n", "\n"), rich.get_content().replace("\r\n", "\n")


def test_a_reply_carries_what_keeps_it_in_its_thread() -> None:
    found = read(compose_draft(draft(), ACCOUNT, message(), MARKER, NOW))
    assert found["Message-ID"] == MARKER
    assert found["X-Replyroom-Outbox"] == MARKER
    assert found["In-Reply-To"] == "<m5@example.org>"
    assert found["References"].split() == ["<m1@example.org>", "<m3@example.org>", "<m5@example.org>"]
    assert found["Subject"] == "Re: Plans"
    assert found["From"].addresses[0].display_name == "Olga Nováková"
    assert found["To"].addresses[0].display_name == "Bob Dvořák"
    assert found["Date"].datetime == NOW


def test_the_original_is_quoted_below_as_gmail_does() -> None:
    text, rich = bodies(compose_draft(draft(), ACCOUNT, message(), MARKER, NOW))
    assert text == (
        "On Friday.\n\nOlga\n\nOn Tue, 3 Nov 2026 at 10:00, Bob Dvořák <bob@example.org> wrote:\n"
        "> When do we meet?\n>\n>> earlier\n"
    )
    assert '<blockquote class="gmail_quote" style=' in rich
    assert "Bob Dvořák &lt;bob@example.org&gt; wrote:" in rich
    assert newest_part(text) == "On Friday.\n\nOlga"


def test_references_are_capped_and_keep_the_first_and_the_newest() -> None:
    ids = tuple(f"<{number}@example.org>" for number in range(300))
    found = read(compose_draft(draft(), ACCOUNT, message(references=ids), MARKER, NOW))["References"].split()
    assert len(found) == 20
    assert (found[0], found[-1], found[-2]) == ("<0@example.org>", "<m5@example.org>", "<299@example.org>")


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("Subject", {"subject": "Hi\r\nBcc: eve@evil.example"}),
        ("Subject", {"subject": "Hi\x00"}),
        ("To", {"to": (Address("bob@example.org", "Bob\nBcc: eve@evil.example"),)}),
        ("To", {"to": (Address("bob@example.org\r\nBcc: eve@evil.example"),)}),
        ("Cc", {"cc": (Address("bob@example.org>, <eve@evil.example"),)}),
        ("Cc", {"cc": (Address("bob@example.org, eve@evil.example"),)}),
        ("Bcc", {"bcc": (Address("nobody"),)}),
        ("Bcc", {"bcc": (Address("a@b@c.example"),)}),
        ("To", {"to": (Address("bo b@example.org"),)}),
        ("To", {"to": (Address("bob@exa mple.org"),)}),
        ("To", {"to": (Address("bob@-example.org"),)}),
        ("To", {"to": (Address("bob..x@example.org"),)}),
        ("To", {"to": (Address("a" * 70 + "@example.org"),)}),
        ("To", {"to": (Address("bob@" + "a." * 130 + "org"),)}),
        ("To", {"to": (Address("bob@example\u2028.org"),)}),
        ("To", {"to": ()}),
        ("To", {"to": (Address("bob@localhost"),)}),
    ],
)
def test_what_would_break_a_header_or_is_no_address_is_refused_by_name(field: str, changes: dict[str, object]) -> None:
    with pytest.raises(NotAllowed) as refused:
        compose_draft(draft(**changes), ACCOUNT, None, MARKER, NOW)
    assert refused.value.detail.startswith(field)


@pytest.mark.parametrize("marker", ["x", "<x>", "<a@b>\r\nBcc: eve@evil.example", "<a b@c>"])
def test_a_marker_that_is_no_message_id_is_refused(marker: str) -> None:
    with pytest.raises(NotAllowed):
        compose_draft(draft(), ACCOUNT, None, marker, NOW)


def test_a_thread_id_that_would_break_out_is_left_out() -> None:
    made = compose_draft(draft(), ACCOUNT, message(rfc822_id="<x@y>\r\nBcc: eve@evil.example"), MARKER, NOW)
    assert b"evil.example" not in made.partition(b"\r\n\r\n")[0]
    assert read(made)["Bcc"] is None


def test_open_slots_never_leave() -> None:
    with pytest.raises(OpenSlots):
        compose_draft(draft(spans=(Span(0, 0, SpanKind.OPEN_SLOT, "your answer"),)), ACCOUNT, None, MARKER, NOW)


CONTROL_FREE = st.characters(blacklist_categories=["Cs", "Cc"], blacklist_characters="\u2028\u2029")
SUBJECTS = st.text(CONTROL_FREE, max_size=200)
LINES = st.text(st.characters(blacklist_categories=["Cs", "Cc"]) | st.just("\t"), max_size=200)
BODIES = st.lists(LINES, max_size=12).map("\n".join)
ATOMS = st.text("abcxyz019_+-", min_size=1, max_size=20)
LABELS = st.text("abcxyz019", min_size=1, max_size=12)
LOCALS = st.lists(ATOMS, min_size=1, max_size=3).map(".".join)
DOMAINS = st.lists(LABELS, min_size=1, max_size=3).map(lambda labels: ".".join([*labels, "example"]))
ADDRESSES = st.builds(
    lambda local, domain, name: Address(f"{local}@{domain}", name), LOCALS, DOMAINS, st.text(CONTROL_FREE, max_size=60)
)


def resource(data: bytes) -> dict[str, object]:
    """The composed mail as Gmail would give it back: bodies decoded, headers as they stand."""
    found = email.message_from_bytes(data)
    parts = [part for part in found.walk() if not part.is_multipart()]
    return {
        "mimeType": "multipart/alternative",
        "headers": [{"name": name, "value": value.replace("\r\n", "")} for name, value in found.raw_items()],
        "parts": [
            {
                "partId": str(number),
                "mimeType": part.get_content_type(),
                "body": {"data": base64.urlsafe_b64encode(part.get_payload(decode=True) or b"").decode()},  # type: ignore[arg-type]
            }
            for number, part in enumerate(parts)
        ],
    }


@given(SUBJECTS)
def test_a_subject_comes_back_as_it_was(subject: str) -> None:
    found = read(compose_draft(draft(subject=subject), ACCOUNT, None, MARKER, NOW))
    assert decode_words(str(email.header.make_header(email.header.decode_header(found["Subject"] or "")))) == decode_words(
        subject
    )


@given(st.lists(ADDRESSES, min_size=1, max_size=5, unique_by=lambda each: each.email), st.lists(ADDRESSES, max_size=3))
def test_recipients_come_back_as_they_were(to: list[Address], cc: list[Address]) -> None:
    cc = [each for each in {each.email: each for each in cc}.values() if each.email not in {one.email for one in to}]
    payload = resource(compose_draft(draft(to=tuple(to), cc=tuple(cc)), ACCOUNT, None, MARKER, NOW))
    headers = {each["name"]: each["value"] for each in payload["headers"]}  # type: ignore[attr-defined]
    for field, sent in (("To", to), ("Cc", cc)):
        found = parse_addresses(headers.get(field, ""))
        assert [each.email for each in found] == [each.email for each in sent]
        assert [each.name for each in found] == [expected_name(each) for each in sent]


def expected_name(address: Address) -> str:
    """What a reader sees of a display name."""
    shown = decode_words(address.name).strip(" '\"")
    return "" if shown.lower() == address.email else shown[:300]


@given(BODIES)
def test_the_text_part_holds_the_body_exactly(body: str) -> None:
    text, _ = bodies(compose_draft(draft(body=body), ACCOUNT, None, MARKER, NOW))
    assert text.rstrip("\n") == body.rstrip() or text.rstrip() == body.rstrip()


@given(st.lists(st.text("abc xyz<>&\"'=.é€😀:/", max_size=60), max_size=8).map("\n".join))
def test_what_a_reader_sees_is_the_body(body: str) -> None:
    tree = parts_of(resource(compose_draft(draft(body=body), ACCOUNT, None, MARKER, NOW)))
    seen = render(tree.parts, choose(tree.parts)).text
    assert squeezed(seen) == squeezed(body)


def squeezed(text: str) -> list[str]:
    """Lines without white space at their ends, without empty ones."""
    return [line.strip() for line in text.split("\n") if line.strip()]


@given(BODIES, SUBJECTS, st.text(max_size=80))
def test_no_input_adds_a_header(body: str, subject: str, name: str) -> None:
    try:
        data = compose_draft(
            draft(body=body, subject=subject, to=(Address("bob@example.org", name),)), ACCOUNT, message(), MARKER, NOW
        )
    except NotAllowed:
        return
    names = [
        "Date",
        "From",
        "To",
        "Subject",
        "Message-ID",
        "X-Replyroom-Outbox",
        "In-Reply-To",
        "References",
        "MIME-Version",
        "Content-Type",
    ]
    assert read(data).keys() == names
    assert [each.email for each in parse_addresses(str(read(data)["To"]))] == ["bob@example.org"]

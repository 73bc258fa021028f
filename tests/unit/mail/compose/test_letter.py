"""Letters: the bytes that leave, read back by the standard library."""

from datetime import UTC, datetime, timedelta, timezone
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.drafting.meeting import BusyTime, meeting_from
from app.domain.errors import NotAllowed, OpenSlots
from app.domain.ids import LetterId, MessageId
from app.domain.mail.letter import MOST_FILE_BYTES, FileContent, Letter, LetterKind, Style, StyleKind
from app.domain.mail.message import Address
from app.domain.record import replace
from app.mail.compose.letter import Envelope, compose_letter
from app.mail.compose.meeting import approved_of, compose_event
from app.mail.compose.parts import settled_subject
from app.mail.html.styled import as_html, as_text
from fakes.engine.store.accounts import ACCOUNT, message, read

MARKER = "<letter-7.abc@replyroom.invalid>"
NOW = datetime(2026, 11, 4, 9, 30, tzinfo=timezone(timedelta(hours=1)))
AROUND = Envelope(ACCOUNT, None, MARKER, NOW)
ABOUT = replace(AROUND, about=message())


def letter(**changes: object) -> Letter:
    """A new mail to Bob."""
    made = Letter(LetterId("a"), ACCOUNT.id, LetterKind.NEW, to=(Address("bob@example.org", "Bob Dvořák"),), subject="Plans")
    return replace(made, **{"body": "See you on Friday.", **changes})  # type: ignore[arg-type]


def body_of(found: EmailMessage, kind: str) -> str:
    """The text or HTML body."""
    part = found.get_body((kind,))
    return str(part.get_content()).replace("\r\n", "\n")


def test_a_reply_is_threaded_and_quotes() -> None:
    reply = letter(kind=LetterKind.REPLY, about=MessageId(5), subject="re: RE: Plans")
    found = read(compose_letter(reply, (), ABOUT, final=True))
    assert found["In-Reply-To"] == "<m5@example.org>"
    assert found["References"].split()[-1] == "<m5@example.org>"
    assert found["Subject"] == "Re: Plans"
    assert "wrote:\n> " in body_of(found, "plain")
    assert "gmail_quote" in body_of(found, "html")
    assert "wrote:" not in body_of(read(compose_letter(replace(reply, quoted=False), (), ABOUT, final=True)), "plain")


def test_a_forward_carries_the_mail_and_the_files() -> None:
    forward = letter(kind=LetterKind.FORWARD, about=MessageId(5), subject="")
    files = (FileContent("plán 2026.pdf", "application/pdf", b"%PDF\x00\xff" * 1000), FileContent("../a\r\nb.txt", "x", b"plain"))
    found = read(compose_letter(forward, files, ABOUT, final=True))
    assert found["Subject"].startswith("Fwd: ")
    assert found["In-Reply-To"] is None
    assert "Forwarded message" in body_of(found, "plain")
    first, second = found.iter_attachments()
    assert (first.get_filename(), first.get_content_type()) == ("plán 2026.pdf", "application/pdf")
    assert first.get_payload(decode=True) == files[0].data
    assert second.get_content_type() == "application/octet-stream"
    assert "/" not in str(second.get_filename()) and "\n" not in str(second.get_filename())


def test_what_is_unfinished_may_be_saved_and_not_sent() -> None:
    half = letter(to=(Address("bob@"), Address("ann@example.org")), styles=(Style(3, 3, StyleKind.SLOT, "day"),))
    saved = read(compose_letter(half, (), AROUND, final=False))
    assert [one.addr_spec for one in saved["To"].addresses] == ["ann@example.org"]
    assert "See[day]" in body_of(saved, "plain")
    with pytest.raises(OpenSlots):
        compose_letter(half, (), AROUND, final=True)
    with pytest.raises(NotAllowed, match="To contains"):
        compose_letter(replace(half, styles=()), (), AROUND, final=True)
    with pytest.raises(NotAllowed, match="To is empty"):
        compose_letter(letter(to=()), (), AROUND, final=True)


def test_a_foreign_sender_and_too_many_bytes_are_refused() -> None:
    with pytest.raises(NotAllowed, match="isn't one of your addresses"):
        compose_letter(letter(sender="eve@example.net"), (), AROUND, final=True)
    assert (
        read(compose_letter(letter(sender=ACCOUNT.email), (), AROUND, final=True))["From"].addresses[0].addr_spec == ACCOUNT.email
    )
    with pytest.raises(NotAllowed, match="25 MB"):
        compose_letter(letter(), (FileContent("a", "b/c", bytes(MOST_FILE_BYTES + 1)),), AROUND, final=False)


def test_styles_in_both_parts() -> None:
    body = "Read this now\none\ntwo\nend"
    styles = (
        Style(5, 9, StyleKind.BOLD),
        Style(0, 13, StyleKind.ITALIC),
        Style(10, 13, StyleKind.LINK, "https://example.org/?a=1&b=2"),
        Style(14, 21, StyleKind.BULLET),
    )
    assert as_text(body, styles) == "Read this now <https://example.org/?a=1&b=2>\n- one\n- two\nend"
    rich = as_html(body, styles)
    assert "<b><i>this</i></b>" in rich
    assert '<a href="https://example.org/?a=1&amp;b=2"><i>now</i></a>' in rich
    assert "<ul>\r\n<li>one</li>\r\n<li>two</li>\r\n</ul>" in rich


@given(
    st.text(max_size=60),
    st.lists(
        st.builds(Style, st.integers(0, 60), st.integers(0, 60), st.sampled_from(StyleKind), st.text(max_size=9)), max_size=6
    ),
)
def test_no_words_are_lost_and_no_markup_gets_out(body: str, styles: list[Style]) -> None:
    """Whatever the spans are."""
    data = compose_letter(letter(body=body, styles=tuple(styles)), (), AROUND, final=False)
    rich = body_of(read(data), "html")
    for word in body.split():
        if word.isalnum() and word.isascii():
            assert all(char in rich for char in word)
    assert "<script" not in rich


ARGUMENTS = {
    "attendees": ["ann@partner.org"],
    "title": "Talk",
    "start_time": "2026-11-26T15:00:00",
    "end_time": "2026-11-26T16:00:00",
    "organizer_email": "me@example.com",
    "timezone": "Europe/Prague",
}


def test_an_event_says_what_was_approved_and_no_more() -> None:
    meeting = meeting_from(ARGUMENTS)
    start = meeting.start.astimezone(UTC)
    inside = BusyTime(start + timedelta(minutes=30), start + timedelta(hours=2), "Dentist")
    before = BusyTime(start - timedelta(hours=1), start, "Lunch")
    payload = compose_event(meeting, "rr0", (before, inside))
    assert payload == compose_event(meeting, "rr0", (before, inside))
    assert b"Dentist" not in payload
    found = approved_of(payload)
    assert (found.start, found.end) == (meeting.start, meeting.end)
    assert found.taken == [(inside.start, inside.end)]
    assert found.insertion.send_updates == "all"
    assert found.insertion.event == {
        "id": "rr0",
        "summary": "Talk",
        "start": {"dateTime": "2026-11-26T15:00:00+01:00", "timeZone": "Europe/Prague"},
        "end": {"dateTime": "2026-11-26T16:00:00+01:00", "timeZone": "Europe/Prague"},
        "attendees": [{"email": "ann@partner.org"}],
    }
    assert datetime.fromisoformat("2026-11-26T14:00:00+00:00") == found.start


@pytest.mark.parametrize(
    ("subject", "about", "leaves"),
    [
        ("New topic", None, "New topic"),
        ("Ref: contract 12", None, "Ref: contract 12"),
        ("R: drive is full ", "Plans", "R: drive is full"),
        (" RE: re: Plans ", "Plans", "Re: Plans"),
        (" RE: re: Plans ", "AW: plans", "Re: Plans"),
        ("Plans", "Re: Plans", "Plans"),
    ],
)
def test_an_approved_subject_keeps_its_words(subject: str, about: str | None, leaves: str) -> None:
    assert settled_subject(subject, None if about is None else message(subject=about)) == leaves

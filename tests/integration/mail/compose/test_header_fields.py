"""MIME in and out: charsets, header words, addresses, invisible characters, parts, bodies, calendars, header fields, quotes."""

import base64
import binascii
import email.utils
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import NotAllowed
from app.domain.mail.message import Address
from app.mail.compose.letter import attribution
from app.mail.compose.parts import address_field, checked_email, ids_field, text_field
from app.mail.mime.calendar_parts import calendar_summary
from app.mail.mime.headers import decode_words, parse_addresses
from app.mail.mime.parts import choose, parts_of, unpacked
from app.mail.mime.text import decode_body, one_line, visible_only, without_overrides
from fakes.engine.store.accounts import message

ANY_TEXT = st.text(st.characters(codec=None), max_size=200)


@pytest.mark.parametrize(
    ("data", "content_type", "text"),
    [
        ("žluť".encode(), "text/plain; charset=windows-1250", "žluť"),
        ("žluť".encode("cp1250"), "text/plain; charset=windows-1250", "žluť"),
        ("žluť".encode("cp1250"), 'text/plain; charset="WINDOWS-1250"; format=flowed', "žluť"),
        ("żółw".encode("iso8859-2"), "text/plain;charset=ISO-8859-2", "żółw"),
        ("Привет".encode("koi8-r"), "text/plain; charset=koi8-r", "Привет"),
        ("日本語".encode("shift_jis"), "text/plain; charset=Shift_JIS", "日本語"),
        ("日本語".encode("iso2022_jp"), "text/plain; charset=iso-2022-jp", "日本語"),
        ("日本語".encode("gb18030"), "text/plain; charset=gb2312", None),
        ("hi".encode("utf-16"), "text/plain; charset=utf-16", "hi"),
        (b"hi", "text/plain; charset=utf-16", "hi"),
        (b"caf\xe9 \x80", "text/plain; charset=iso-8859-1", "café €"),
        (b"caf\xe9", "", "café"),
        (b"caf\xe9", "text/plain; charset=us-ascii", "café"),
        (b"caf\xe9", "text/plain; charset=no-such-charset", "café"),
        (b"caf\xe9", "text/plain; charset=utf-8", "caf\ufffd"),
        ("Grüße aus Köln.".encode("cp1252"), "text/plain; charset=utf-8", "Grüße aus Köln."),
        ("Grüße ".encode() + b"\xe9 K", "text/plain; charset=utf-8", "Grüße \ufffd K"),
        (b"\\u0041", "text/plain; charset=unicode_escape", "\\u0041"),
        (b"x", "text/plain; charset=zip", "x"),
        (b"", "text/plain; charset=utf-8", ""),
    ],
)
def test_a_body_is_utf8_if_it_is_valid_else_what_was_declared(data: bytes, content_type: str, text: str | None) -> None:
    assert decode_body(data, content_type) == text if text is not None else decode_body(data, content_type)


@given(
    st.binary(max_size=200),
    st.sampled_from(["utf-8", "utf-16", "iso-2022-jp", "hz", "big5", "rot13", "idna", "x", "utf-7", "undefined"]),
)
def test_no_bytes_fail_to_decode(data: bytes, charset: str) -> None:
    assert isinstance(decode_body(data, f"text/plain; charset={charset}"), str)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("plain", "plain"),
        ("=?utf-8?B?xb1sdcWl?=", "Žluť"),
        ("=?UTF-8?q?=C5=BDlu=C5=A5_k=C5=AF=C5=88?=", "Žluť kůň"),
        ("=?iso-8859-2?Q?=AElu=BB?= a dost", "Žluť a dost"),
        ("=?utf-8?B?xb0=?=\r\n =?utf-8?B?bHXFpQ==?=", "Žluť"),
        ("=?utf-8?Q?=C5?= =?utf-8?Q?=BDluta?=", "Žluta"),
        ("Re: =?utf-8*cs?Q?=C5=BD?=lut", "Re: Žlut"),
        ("=?no-such?Q?abc?=", "=?no-such?Q?abc?="),
        ("=?utf-8?B?%%%?= x", "x"),
        ("=?utf-8?Q?Two words?=", "Two words"),
        ("=?iso-8859-1?Q?=93It=92s=94?=", "\u201cIt\u2019s\u201d"),
        ("=?us-ascii?Q?caf=E9?=", "caf\u00e9"),
        ("=?gb2312?B?1tDOxNPKvP6x6sw=?=", "\u4e2d\u6587\u90ae\u4ef6\u6807\ufffd"),
        ("=?utf-8?Q?a\ud800?=", "a?"),
        ("=?utf-8?X?abc?=", "=?utf-8?X?abc?="),
        ("a\r\n\tb", "a b"),
        ("=?utf-8?Q?a=0D=0ABcc:_x?=", "a Bcc: x"),
        ("inv\u200bis\U000e0041ible\u202e", "invisible"),
        ("Žluť", "Žluť"),
    ],
)
def test_header_values_are_decoded_where_gmail_left_them_encoded(value: str, text: str) -> None:
    assert decode_words(value) == text


@given(ANY_TEXT)
def test_no_header_value_fails_or_keeps_a_line_break(value: str) -> None:
    found = decode_words(value)
    assert "\n" not in found and "\r" not in found
    found.encode("utf-8")


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("a@b.example", [("a@b.example", "")]),
        ("Jan Novák <Jan@B.example>", [("jan@b.example", "Jan Novák")]),
        ('"Novák, Jan" <jan@b.example>', [("jan@b.example", "Novák, Jan")]),
        ("Novák, Jan <jan@b.example>", [("jan@b.example", "Novák, Jan")]),
        ("Novák, Jan <jan@b.example>, x@y.example", [("jan@b.example", "Novák, Jan"), ("x@y.example", "")]),
        ('"a \\"quoted\\" name" <a@b.example>', [("a@b.example", 'a "quoted" name')]),
        ("a@b.example (Jan Novák)", [("a@b.example", "Jan Novák")]),
        ("a@b.example (Jan (the (elder)) Novák)", [("a@b.example", "Jan the elder Novák")]),
        ("undisclosed-recipients:;", []),
        ("Team: a@b.example, Eva <e@b.example>; c@d.example", [("a@b.example", ""), ("e@b.example", "Eva"), ("c@d.example", "")]),
        ("=?utf-8?Q?Nov=C3=A1k=2C_Jan?= <jan@b.example>", [("jan@b.example", "Novák, Jan")]),
        ('"=?utf-8?Q?Nov=C3=A1k?=" <jan@b.example>', [("jan@b.example", "Novák")]),
        ('"jan@b.example" <jan@b.example>', [("jan@b.example", "")]),
        ("'Jan' <jan@b.example>", [("jan@b.example", "Jan")]),
        ('"unclosed <a@b.example>', [("a@b.example", "unclosed")]),
        ("<a@b.example", [("a@b.example", "")]),
        ("a@b.example; c@d.example", [("a@b.example", ""), ("c@d.example", "")]),
        ("mailto:a@b.example", [("a@b.example", "")]),
        ("<< a@b.example >>", [("a@b.example", "")]),
        ("Jan <not an address>", []),
        ("", []),
        (",,;,", []),
        ("a@b@c", []),
        ('"x"@b.example', [('"x"@b.example', "")]),
    ],
)
def test_addresses_as_mail_has_them(value: str, found: list[tuple[str, str]]) -> None:
    assert [(each.email, each.name) for each in parse_addresses(value)] == found


@given(ANY_TEXT)
def test_no_address_list_fails(value: str) -> None:
    for each in parse_addresses(value):
        assert each.email.count("@") == 1 and each.email == each.email.lower()
        assert not set(each.email + each.name) & set("\r\n")


@given(
    st.lists(
        st.tuples(
            st.text("abc ,.()<>\"\\@ž'", max_size=20),
            st.text("abc", min_size=1, max_size=8).map(lambda name: f"{name}@{name}.example"),
        ),
        max_size=5,
    )
)
def test_what_the_standard_library_writes_is_read_back(pairs: list[tuple[str, str]]) -> None:
    written = ", ".join(email.utils.formataddr(pair, charset="utf-8") for pair in pairs)
    assert [each.email for each in parse_addresses(written)] == [address for _, address in pairs]


@pytest.mark.parametrize(
    "value",
    ["(" * 50_000, "<" * 50_000, '"' * 50_001, "a," * 50_000, "a@b.c," * 50_000, ":" * 50_000, "\\" * 50_000,
     '"a\\' * 60_000, 'a@b.c ("' + 'a\\"' * 60_000, "a@b.c " + "d:" * 90_000],
)  # fmt: skip
def test_long_broken_address_lists_are_read_in_passing(value: str) -> None:
    assert len(parse_addresses(value)) <= 2000


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("a\u200bb\u2060c\ufeffd\u00ade", "abcde"),
        ("ignore\U000e0069\U000e0067 this", "ignore this"),
        ("abc\u202edef\u202c", "abcdef"),
        ("a\r\nb\rc\u2028d", "a\nb\nc\nd"),
        ("a\x00b\x08c\td", "abc\td"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("👩\u200d💻", "👩\u200d💻"),
        ("a\u200db \u200c", "ab "),
        ("❤\ufe0f", "❤\ufe0f"),
        ("lone \ud800 half", "lone  half"),
        ("a\U000e0100b", "ab"),
    ],
)
def test_invisible_characters_go_and_needed_ones_stay(text: str, seen: str) -> None:
    assert visible_only(text) == seen


@given(ANY_TEXT)
def test_what_is_visible_stays_as_it_is(text: str) -> None:
    seen = visible_only(text)
    assert visible_only(seen) == seen
    assert one_line(one_line(text)) == one_line(text)
    seen.encode("utf-8")
    assert not set(without_overrides(text)) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def data(text: str | bytes) -> str:
    """Gmail's base64url."""
    return base64.urlsafe_b64encode(text if isinstance(text, bytes) else text.encode()).decode().rstrip("=")


def leaf(mime_type: str, text: str | bytes = "x", **more: object) -> dict[str, object]:
    """A part with bytes."""
    return {"mimeType": mime_type, "body": {"data": data(text), "size": len(text)}, **more}


def multi(kind: str, *parts: dict[str, object]) -> dict[str, object]:
    """A multipart."""
    return {"mimeType": f"multipart/{kind}", "parts": list(parts)}


def chosen(payload: dict[str, object]) -> tuple[list[str], list[str]]:
    """The body's and the attachments' types."""
    found = choose(parts_of(payload).parts)
    return [each.mime_type for each in found.body], [each.mime_type for each in found.attachments]


PDF = leaf("application/pdf", filename="a.pdf")
LOGO = leaf("image/png", headers=[{"name": "Content-ID", "value": "<logo>"}])


@pytest.mark.parametrize(
    ("payload", "body", "attachments"),
    [
        (leaf("text/plain"), ["text/plain"], []),
        (multi("alternative", leaf("text/plain"), leaf("text/html")), ["text/html"], []),
        (multi("alternative", leaf("text/html"), leaf("text/plain")), ["text/html"], []),
        (multi("alternative", leaf("text/plain"), leaf("text/x-amp-html")), ["text/plain"], []),
        (multi("mixed", multi("alternative", leaf("text/plain"), leaf("text/html")), PDF), ["text/html"], ["application/pdf"]),
        (multi("related", leaf("text/html"), LOGO), ["text/html"], ["image/png"]),
        (multi("alternative", leaf("text/plain"), multi("related", leaf("text/html"), LOGO)), ["text/html"], ["image/png"]),
        (multi("mixed", leaf("text/plain"), leaf("text/plain")), ["text/plain", "text/plain"], []),
        (multi("mixed", leaf("text/plain"), leaf("text/plain", filename="a.txt")), ["text/plain"], ["text/plain"]),
        (
            multi("signed", leaf("text/plain"), leaf("application/pkcs7-signature")),
            ["text/plain"],
            ["application/pkcs7-signature"],
        ),
        (multi("alternative", leaf("text/plain"), leaf("text/calendar")), ["text/plain"], ["text/calendar"]),
        (
            multi("mixed", leaf("text/plain"), {"mimeType": "message/rfc822", "parts": [leaf("text/html"), PDF]}),
            ["text/plain"],
            ["message/rfc822"],
        ),
        (PDF, [], ["application/pdf"]),
        (multi("alternative"), [], []),
        ({}, [""], []),
    ],
)
def test_the_body_is_what_a_reader_sees(payload: dict[str, object], body: list[str], attachments: list[str]) -> None:
    found_body, found_attachments = chosen(payload)
    assert (found_body if payload else found_body or [""], found_attachments) == (body, attachments)


def test_a_thousand_levels_and_ten_thousand_parts_are_walked() -> None:
    deep = leaf("text/plain", "deep")
    for _ in range(1000):
        deep = multi("mixed", deep)
    assert [each.data for each in choose(parts_of(deep).parts).body] == [b"deep"]
    wide = multi("mixed", *(leaf("image/png", filename=f"{number}.png") for number in range(10_000)))
    assert len(choose(parts_of(wide).parts).attachments) == 10_000
    assert parts_of(multi("mixed", *[leaf("image/png")] * 25_000)).left_out == 5_001


def test_a_thousand_levels_above_ten_thousand_parts_take_no_more_room_than_the_parts() -> None:
    deep = multi("mixed", *(leaf("text/plain", "x") for _ in range(10_000)))
    for number in range(1000):
        deep = multi("alternative" if number % 2 else "mixed", deep)
    parts = parts_of(deep).parts
    tracemalloc.start()
    try:
        assert len(choose(parts).body) == 10_000
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


@given(st.text("AZaz09-_+/= \n*", max_size=24))
def test_odd_base64_is_read_as_the_standard_library_reads_it(written: str) -> None:
    padded = written + "=" * (-len(written) % 4)
    try:
        wanted = base64.urlsafe_b64decode(padded)
    except binascii.Error:
        wanted = None
    try:
        found = unpacked(written)
    except binascii.Error:
        found = None
    assert found == wanted


@given(st.text(max_size=60), st.integers(0, 80))
def test_the_beginning_of_a_part_ends_between_characters(text: str, most: int) -> None:
    (part,) = parts_of({"body": {"data": data(text)}}).parts
    start = part.beginning(most)
    assert text.encode().startswith(start)
    assert start.decode() in text
    assert len(start) <= most or start == text.encode()


INVITATION = """BEGIN:VCALENDAR
METHOD:REQUEST
BEGIN:VEVENT
UID:1
SUMMARY:Budget\\, part 2
DTSTART;TZID=Europe/Prague:20261104T100000
DTEND;TZID=Europe/Prague:20261104T110000
LOCATION:Room 3
ORGANIZER;CN=Eva:mailto:eva@example.org
DESCRIPTION:Bring the numbers.
END:VEVENT
END:VCALENDAR
"""


@given(
    st.lists(
        st.sampled_from([*INVITATION.splitlines(), "DTSTART:garbage", "BEGIN:VEVENT", "END:X", ":", "RRULE:FREQ=X"]), max_size=20
    )
)
def test_no_calendar_fails(lines: list[str]) -> None:
    assert isinstance(calendar_summary("\r\n".join(lines)), str)


@pytest.mark.parametrize("value", ["Hi\nBcc: x", "a\rb", "a\x00", "a\u2028b"])
def test_a_value_that_breaks_out_of_its_header_is_refused(value: str) -> None:
    for attempt in (
        lambda: text_field("Subject", value),
        lambda: ids_field("References", [value]),
        lambda: checked_email("To", f"{value}@example.org"),
        lambda: address_field("To", [Address("a@example.org", value)]),
    ):
        with pytest.raises(NotAllowed):
            attempt()


@pytest.mark.parametrize(
    ("email", "written"),
    [
        ("jürgen@müller.example", "jürgen@xn--mller-kva.example"),
        ("ju\u0308rgen@example.org", "jürgen@example.org"),
        ("用户@例子.example", "用户@xn--fsqu00a.example"),
    ],
)
def test_addresses_with_letters_beyond_ascii_can_be_written_to(email: str, written: str) -> None:
    assert checked_email("To", email) == written


@pytest.mark.parametrize("email", ["a b@example.org", "j\u200b@example.org", "é" * 40 + "@example.org", "a@b@example.org"])
def test_invisible_or_long_local_parts_are_no_addresses(email: str) -> None:
    with pytest.raises(NotAllowed):
        checked_email("To", email)


def test_the_attribution_names_time_and_sender_on_one_line() -> None:
    odd = message(sender=Address("bob@example.org", "Bob\n wrote:\r\nthings"))
    assert attribution(odd, odd.date) == "On Tue, 3 Nov 2026 at 09:00, Bob wrote: things <bob@example.org> wrote:"
    assert attribution(message(sender=Address("", "")), odd.date).endswith("somebody wrote:")

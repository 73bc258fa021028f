"""A mail without its large files reads as the whole one does, and gives each of them byte for byte.

Encodings that are broken are undone as far as they go, and no further than the standard library would.
"""

import base64
import binascii
import quopri
import tracemalloc
from email.message import EmailMessage
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.mail.archives.filing import ids_of
from app.mail.archives.reader import write_part, write_source
from app.mail.archives.reduced import Base64Decoder, ReducedMail, SizeCounter, decoder_for, reduced
from app.mail.archives.resource import part_of, resource_of
from fakes.gmail.awkward_mail import awkward_bytes, awkward_names

SMALL = {"WHOLE": 0, "LARGE_FILE": 40}


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every mail is a large one, and so is nearly every file."""
    for name, value in SMALL.items():
        monkeypatch.setattr(f"app.mail.archives.reduced.{name}", value)


def shape(mail: ReducedMail) -> dict[str, object]:
    """The mail's resource."""
    return {**resource_of(mail.raw, "1", "1", [], mail.cuts), "sizeEstimate": mail.size}


def without_sizes(payload: object) -> object:
    """A part with those below it, without the sizes of mails within: their line ends may be counted in two ways."""
    assert isinstance(payload, dict)
    body = {} if payload["mimeType"].startswith("message/") else payload["body"]
    return {**payload, "body": body, "parts": [without_sizes(one) for one in payload.get("parts", [])]}


def parts(payload: object) -> list[str]:
    """The ids of all parts."""
    assert isinstance(payload, dict)
    below = payload.get("parts", [])
    return [payload["partId"], *(name for one in below for name in parts(one))]


def check(raw: bytes, folder: Path) -> ReducedMail:
    """It reads as the whole mail, and every part comes out as from the whole mail."""
    mail, whole = reduced(raw.splitlines(keepends=True)), resource_of(raw, "1", "1", [])
    if b"\r\n" not in raw:
        assert shape(mail) == whole
    assert without_sizes(shape(mail)["payload"]) == without_sizes(whole["payload"])
    assert (mail.digest, mail.size) == (ids_of(raw)[0], len(raw))
    target = folder / "part"
    for part_id in parts(whole["payload"]):
        assert write_part(mail, raw.splitlines(keepends=True), part_id, target)
        wanted = part_of(raw, part_id)
        assert wanted is not None
        found = target.read_bytes()
        assert found == wanted or found.replace(b"\r\n", b"\n") == wanted.replace(b"\r\n", b"\n"), part_id
    assert not write_part(mail, [], "99", target)
    write_source(raw.splitlines(keepends=True), target)
    assert target.read_bytes() == raw
    return mail


@pytest.mark.parametrize("name", awkward_names())
def test_an_awkward_mail_reads_the_same(name: str, tmp_path: Path) -> None:
    check(awkward_bytes(name), tmp_path)


FILES = st.tuples(st.binary(max_size=300), st.sampled_from(["base64", "quoted-printable", "8bit"]), st.booleans())


def composed(files: list[tuple[bytes, str, bool]], ends: str) -> bytes:
    """A mail with files, some within a mail within it."""
    inner = [_part(data, encoding, "inner") for data, encoding, deep in files if deep]
    outer = [_part(data, encoding, "outer") for data, encoding, deep in files if not deep]
    below = b"".join(b"--in\n" + one + b"\n" for one in [b"Content-Type: text/plain\n\nDeep words.", *inner]) + b"--in--\n"
    nested = b"Content-Type: message/rfc822\n\nSubject: Deep\nContent-Type: multipart/mixed; boundary=in\n\nBefore\n" + below
    pieces = [b"\nWords.\n", *outer, nested]
    body = b"".join(b"--out\n" + one + b"\n" for one in pieces) + b"--out--\nBehind it all, which nobody reads at any length\n"
    raw = b"Subject: One\nContent-Type: multipart/mixed; boundary=out\n\n" + body
    return raw.replace(b"\n", b"\r\n") if ends == "\r\n" else raw


def _part(data: bytes, encoding: str, name: str) -> bytes:
    head = f"Content-Type: application/x-a; name={name}\nContent-Transfer-Encoding: {encoding}\n\n".encode()
    coded = {"base64": base64.encodebytes, "quoted-printable": quopri.encodestring}.get(encoding, lambda one: one)(data)
    return head + coded.replace(b"--", b"++").replace(b"\r", b".")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(files=st.lists(FILES, max_size=5), ends=st.sampled_from(["\n", "\r\n"]))
def test_a_mail_with_files_reads_the_same(files: list[tuple[bytes, str, bool]], ends: str, tmp_path: Path) -> None:
    check(composed(files, ends), tmp_path)


def test_large_files_are_left_out(tmp_path: Path) -> None:
    files = [(bytes(3000), "base64", False), (bytes(range(256)) * 9, "base64", True), (b"x" * 999, "8bit", True)]
    mail = check(composed(files, "\r\n"), tmp_path)
    assert [cut.size for cut in mail.cuts] == [3000, 256 * 9, 999]
    assert len(mail.raw) < 1500


@settings(max_examples=60, deadline=None)
@given(data=st.binary(max_size=400), cuts=st.lists(st.integers(0, 600), max_size=6), width=st.integers(1, 90))
def test_encodings_are_undone_in_pieces_as_at_once(data: bytes, cuts: list[int], width: int) -> None:
    letters = base64.b64encode(data)
    lined = b"\r\n".join(letters[at : at + width] for at in range(0, len(letters), width))
    for encoding, coded in (("base64", lined), ("quoted-printable", quopri.encodestring(data)), ("binary", data)):
        places = sorted({0, len(coded), *(min(one, len(coded)) for one in cuts)})
        decoder, size, found = decoder_for(encoding), SizeCounter(encoding), b""
        for first, last in pairwise(places):
            found += decoder.feed(coded[first:last])
            size.feed(coded[first:last])
        found += decoder.end()
        message = EmailMessage()
        message["Content-Transfer-Encoding"] = encoding
        message.set_payload(coded.decode("latin-1") if encoding != "binary" else "")
        assert found == (data if encoding == "binary" else message.get_payload(decode=True)) == data
        assert size.end() == len(data)


def test_a_large_file_costs_next_to_no_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.mail.archives.reduced.WHOLE", 100_000)
    line, count = base64.encodebytes(bytes(57)), 40_000
    head = b"Content-Type: application/pdf; name=a.pdf\nContent-Transfer-Encoding: base64\n\n"
    path = tmp_path / "large.eml"
    with path.open("wb") as file:
        file.write(head)
        file.writelines(line for _ in range(count))
    tracemalloc.start()
    try:
        with path.open("rb") as file:
            mail = reduced(file)
        with path.open("rb") as file:
            assert write_part(mail, file, "", tmp_path / "a.pdf")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (tmp_path / "a.pdf").stat().st_size == mail.cuts[0].size == 57 * count
    assert peak < path.stat().st_size / 4, peak


def test_a_mail_of_absurd_size_is_read_in_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.mail.archives.reduced.MOST", 2000)
    raw = composed([(b"a", "8bit", False)] * 500, "\n")
    mail = reduced(raw.splitlines(keepends=True))
    assert len(mail.raw) <= 2000 < mail.size == len(raw)
    assert mail.digest == ids_of(raw)[0]
    assert b"Words." in mail.raw


def test_a_boundary_counts_only_inside_its_own_part(tmp_path: Path) -> None:
    """An inner multipart that nobody closed ends with its part: its boundary in a file behind it is one of the file's lines."""
    inner = b"Content-Type: multipart/mixed; boundary=in\n\n--in\n\nDeep words.\n"
    file = b"Content-Type: application/x-a; name=a\n\n" + b"--in\n" + b"x" * 60 + b"\n--in--\n" + b"y" * 60 + b"\n"
    body = b"--out\n" + inner + b"--out\n" + file + b"--out--\n"
    mail = check(b"Subject: One\nContent-Type: multipart/mixed; boundary=out\n\n" + body, tmp_path)
    assert [cut.size for cut in mail.cuts] == [5 + 60 + 1 + 7 + 60]


def test_a_head_without_an_end_is_kept_in_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.mail.archives.reduced.LONGEST_HEAD", 1000)
    lines = [f"X-{number}: {'x' * 50}\n".encode() for number in range(100)]
    mail = reduced([*lines, b"\n", b"Words\n"])
    assert len(mail.raw) < 1100
    assert mail.raw.endswith(b"\nWords\n")


def test_a_file_in_uuencode_is_kept_whole(tmp_path: Path) -> None:
    """It is decoded in one piece."""
    data = bytes(range(256)) * 2
    coded = b"".join(binascii.b2a_uu(data[at : at + 45]) for at in range(0, len(data), 45))
    file = b"Content-Type: application/x-a; name=a\nContent-Transfer-Encoding: x-uuencode\n\nbegin 644 a\n" + coded + b"`\nend\n"
    mail = check(b"Subject: One\nContent-Type: multipart/mixed; boundary=out\n\n--out\n" + file + b"--out--\n", tmp_path)
    assert mail.cuts == ()
    assert part_of(mail.raw, "0") == data


def test_a_delivery_report_reads_the_same(tmp_path: Path) -> None:
    """Its blocks of fields are no heads of parts."""
    blocks = (
        b"Reporting-MTA: dns; a.example\nContent-Type: application/x-a\n\nFinal-Recipient: rfc822; b@c.example\nAction: x\n\n"
        + b"Status: 5.1.1\n" * 9
    )
    report = b"Content-Type: message/delivery-status\n\n" + blocks
    body = b"--out\n\nWords\n--out\n" + report + b"--out--\n"
    check(b"Subject: One\nContent-Type: multipart/report; boundary=out\n\n" + body, tmp_path)


def test_of_two_mails_within_a_mail_each_has_its_own_size(tmp_path: Path) -> None:
    def nested(words: bytes) -> bytes:
        text = b"Subject: Deep\nContent-Type: multipart/mixed; boundary=in\n\n--in\n" + words + b"\n--in--\n"
        return b"Content-Type: message/rfc822\n\n" + text

    large = b"Content-Type: application/x-a; name=a\n\n" + b"x" * 500
    body = b"--out\n" + nested(large) + b"--out\n" + nested(b"\nWords") + b"--out--\n"
    check(b"Subject: One\nContent-Type: multipart/mixed; boundary=out\n\n" + body, tmp_path)


@pytest.mark.parametrize("coded", [b"QUJD", b"QUJDR", b"QUJDRA", b"QUJDRA=", b"QUJDRA==", b"QUJD=", b"QU JD\r\n!RA"])
def test_base64_that_ends_too_early(coded: bytes) -> None:
    decoder = Base64Decoder()
    found = decoder.feed(coded) + decoder.end()
    assert found == (b"ABCD" if b"RA" in coded else b"ABC")


def test_what_follows_the_padding_of_base64_is_not_read() -> None:
    decoder = Base64Decoder()
    found = decoder.feed(b"QUJDRA==" + b"\n" * 9 + b"Q" * 70_000)
    assert found + decoder.feed(b"Q" * 70_000) + decoder.feed(b"Q" * 70_000) + decoder.end() == b"ABCD"

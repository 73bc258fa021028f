"""A mail of absurd shape is read as far as is reasonable; what has a name is a file."""

import pytest

from app.mail.archives.resource import DEEPEST, IN_ARCHIVE, resource_of


def parts(payload: object) -> list[dict[str, object]]:
    """All parts below one."""
    assert isinstance(payload, dict)
    return [one for below in payload.get("parts", []) for one in (below, *parts(below))]


def multipart(boundary: str, *inside: bytes) -> bytes:
    """A multipart with its head."""
    head = f"Content-Type: multipart/mixed; boundary={boundary}\n\n".encode()
    return head + b"".join(f"--{boundary}\n".encode() + one + b"\n" for one in inside) + f"--{boundary}--\n".encode()


def test_a_text_with_a_name_is_a_file() -> None:
    named = b"Content-Type: text/plain; name=notes.txt\nContent-Disposition: attachment; filename=notes.txt\n\nNotes"
    payload = resource_of(multipart("a", b"\nWords", named), "1", "1", [])["payload"]
    words, notes = parts(payload)
    assert words["body"] == {"size": 5, "data": "V29yZHM="}
    assert notes["body"] == {"size": 5, "attachmentId": IN_ARCHIVE}


def test_no_more_parts_than_are_reasonable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.mail.archives.resource.MOST_PARTS", 10)
    inner = multipart("in", *[b"\nWords"] * 8)
    payload = resource_of(multipart("out", inner, inner, inner), "1", "1", [])["payload"]
    assert len(parts(payload)) < 15


def test_no_deeper_than_is_reasonable() -> None:
    raw = b"\nWords"
    for depth in range(DEEPEST + 10):
        raw = multipart(f"b{depth}-", raw)
    payload = resource_of(raw, "1", "1", [])["payload"]
    assert len(parts(payload)) == DEEPEST

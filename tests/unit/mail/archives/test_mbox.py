"""Lines that begin no mail, and lines that come in pieces."""

import io

import pytest

from app.mail.archives.mbox import lines_at, read_mbox

HEAD = b"From - Mon Nov  2 10:00:00 2026\nSubject: Hours\n\n"


def test_of_two_sentences_with_a_time_the_second_begins_no_mail() -> None:
    """It follows no empty line, whatever follows it."""
    raw = HEAD + b"We are open:\n\nFrom Monday 10:30 on\nFrom Tuesday 11:30 on\nElse: closed.\n"
    assert len(list(read_mbox(io.BytesIO(raw)))) == 1


def test_a_piece_of_a_long_line_is_not_the_beginning_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """An escape is undone where a line begins, nowhere else."""
    monkeypatch.setattr("app.mail.archives.mbox.LONGEST_LINE", 64)
    raw = HEAD + b"x" * 64 + b">From the middle\n>From the beginning\n"
    assert b"".join(lines_at(io.BytesIO(raw), 0, len(raw))).endswith(b"x>From the middle\nFrom the beginning\n")
    (piece,) = read_mbox(io.BytesIO(raw))
    assert piece.raw.endswith(b"x>From the middle\nFrom the beginning\n")

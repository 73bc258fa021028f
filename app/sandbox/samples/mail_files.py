"""Loads mail from an mbox file, in order of time. The file is not changed."""

import mmap
import re
from collections.abc import Iterator
from email.utils import mktime_tz, parsedate_tz
from pathlib import Path

from app.sandbox.account import GoogleAccount, PostOffice
from app.sandbox.gmail.headers import Facts, addresses_in, date_seconds, facts_of, header_fields, split_head

QUOTED_FROM = re.compile(rb"^>(>*From )", re.MULTILINE)


class LoadError(Exception):
    """A source cannot be read: file, entry in it, and problem."""

    def __init__(self, file: Path | str, entry: str, problem: str) -> None:
        super().__init__(f"{file}: {entry + ': ' if entry else ''}{problem}")


def load_mbox(account: GoogleAccount, office: PostOffice, file: Path) -> int:
    """Loads an mbox file and returns the number of mails. Raises `LoadError`."""
    if not file.is_file():
        raise LoadError(file, "", "there is no such mbox file")
    if file.stat().st_size == 0:
        return 0
    with file.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        starts = list(_from_lines(data))
        if not starts:
            raise LoadError(file, "", "no line begins with 'From ', so this is no mbox file")
        ends = [start for start, _ in starts[1:]] + [len(data)]
        timed: list[tuple[float, bytes, Facts]] = []
        for (start, body), end in zip(starts, ends, strict=True):
            raw = QUOTED_FROM.sub(rb"\1", data[body:end])
            raw = raw[: len(raw) - (2 if raw.endswith(b"\n\r\n") else 1 if raw.endswith(b"\n\n") else 0)]
            facts, line_s = facts_of(raw), _line_seconds(data[start + 5 : body].strip())
            timed.append((mail_seconds(raw, facts, line_s, account.mailbox.clock.now_s()), raw, facts))
    for moment_s, raw, facts in sorted(timed, key=lambda entry: entry[0]):
        own = any(account.owns(address) for address in addresses_in(facts.sender))
        office.arrive(account, raw, {"SENT"} if own else {"INBOX", "UNREAD"}, int(moment_s * 1000), facts)
    return len(timed)


def mail_seconds(raw: bytes, facts: Facts, line_s: float | None, otherwise_s: float) -> float:
    """When a mail arrived, in seconds since 1970.

    The first of: its Date, its newest Received line, its mbox line, `otherwise_s`.
    """
    if facts.date_s is not None and facts.date_s > 0:
        return facts.date_s
    for name, value in header_fields(split_head(raw)[0]):
        received_s = date_seconds(value.rpartition(";")[2]) if name.lower() == "received" else None
        if received_s is not None:
            return received_s
    return line_s if line_s is not None else otherwise_s


def _from_lines(data: mmap.mmap) -> Iterator[tuple[int, int]]:
    """Offsets of each 'From ' line after a blank line, and of its mail."""
    at = 0 if data[:5] == b"From " else data.find(b"\nFrom ") + 1
    while at > 0 or data[:5] == b"From ":
        before = data[max(0, at - 3) : at]
        end = data.find(b"\n", at)
        if at == 0 or before.endswith((b"\n\n", b"\n\r\n")):
            yield at, end + 1 if end >= 0 else len(data)
        at = data.find(b"\nFrom ", at) + 1
        if at == 0:
            return


def _line_seconds(rest: bytes) -> float | None:
    _, _, date = rest.decode("ascii", "replace").partition(" ")
    text = date.strip()
    found = re.fullmatch(r"\w{3}\s+(\w{3})\s+(\d{1,2})\s+([\d:]+)(?:\s+\S+)?\s+(\d{4})(?:\s+\S+)?", text)
    parts = parsedate_tz(f"{found[2]} {found[1]} {found[4]} {found[3]} +0000" if found else text)
    try:
        return float(mktime_tz(parts)) if parts else None
    except (ValueError, OverflowError):
        return None

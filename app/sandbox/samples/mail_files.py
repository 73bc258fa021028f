"""Loads mail from mbox files, Maildir folders and folders of .eml files, in order of time. The files are not changed."""

import mmap
import re
from collections.abc import Callable, Iterator
from email.utils import mktime_tz, parsedate_tz
from pathlib import Path

from app.domain.record import Record
from app.sandbox.account import GoogleAccount, PostOffice
from app.sandbox.gmail.headers import Facts, addresses_in, date_seconds, facts_of, header_fields, split_head

QUOTED_FROM = re.compile(rb"^>(>*From )", re.MULTILINE)


class LoadError(Exception):
    """A source cannot be read: file, entry in it, and problem."""

    def __init__(self, file: Path | str, entry: str, problem: str) -> None:
        super().__init__(f"{file}: {entry + ': ' if entry else ''}{problem}")


class SourceMail(Record):
    """A mail of a source, read on demand. `line_s` is the date of its mbox line."""

    read: Callable[[], bytes]
    line_s: float | None = None


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
        mails = [_mbox_mail(data, start, body, end) for (start, body), end in zip(starts, ends, strict=True)]
        return _load(account, office, mails)


def load_maildir(account: GoogleAccount, office: PostOffice, folder: Path) -> int:
    """Loads the `cur` and `new` folders of a Maildir. Raises `LoadError`."""
    if not any((folder / name).is_dir() for name in ("cur", "new")):
        raise LoadError(folder, "", "a maildir has a folder 'cur' or 'new'")
    files = [file for name in ("cur", "new") for file in sorted((folder / name).glob("*")) if file.is_file()]
    return _load(account, office, [SourceMail(file.read_bytes) for file in files])


def load_eml(account: GoogleAccount, office: PostOffice, folder: Path) -> int:
    """Loads every .eml file below a folder. Raises `LoadError`."""
    if not folder.is_dir():
        raise LoadError(folder, "", "there is no such folder")
    return _load(account, office, [SourceMail(file.read_bytes) for file in sorted(folder.rglob("*.eml"))])


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


def _load(account: GoogleAccount, office: PostOffice, mails: list[SourceMail]) -> int:
    now_s = account.mailbox.clock.now_s()
    timed: list[tuple[float, Facts, SourceMail]] = []
    for mail in mails:
        raw = mail.read()
        facts = facts_of(raw)
        timed.append((mail_seconds(raw, facts, mail.line_s, now_s), facts, mail))
    timed.sort(key=lambda entry: entry[0])
    for moment_s, facts, mail in timed:
        own = any(account.owns(address) for address in addresses_in(facts.sender))
        labels = {"SENT"} if own else {"INBOX", "UNREAD"}
        office.arrive(account, mail.read(), labels, int(moment_s * 1000), facts)
    return len(timed)


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


def _mbox_mail(data: mmap.mmap, start: int, body: int, end: int) -> SourceMail:
    def read() -> bytes:
        raw = QUOTED_FROM.sub(rb"\1", data[body:end]) if data.find(b"\n>From ", body, end) >= 0 else data[body:end]
        return raw[: len(raw) - (2 if raw.endswith(b"\n\r\n") else 1 if raw.endswith(b"\n\n") else 0)]

    return SourceMail(read, _line_seconds(data[start + 5 : body].strip()))


def _line_seconds(rest: bytes) -> float | None:
    _, _, date = rest.decode("ascii", "replace").partition(" ")
    text = date.strip()
    found = re.fullmatch(r"\w{3}\s+(\w{3})\s+(\d{1,2})\s+([\d:]+)(?:\s+\S+)?\s+(\d{4})(?:\s+\S+)?", text)
    parts = parsedate_tz(f"{found[2]} {found[1]} {found[4]} {found[3]} +0000" if found else text)
    try:
        return float(mktime_tz(parts)) if parts else None
    except (ValueError, OverflowError):
        return None

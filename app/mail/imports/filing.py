"""How an archived mail is filed here: labels from Takeout's, Maildir's and mbox's own marks, a thread from its references. Pure.

Old mail is no news: it is never put into the inbox and never unread.
"""

import csv
import hashlib
import re
from collections.abc import Sequence
from email.header import decode_header, make_header

from app.domain.mail import SystemLabel
from app.mail.imports.label_names import NO_LABEL, system_labels
from app.mail.imports.reduced import digest_of

PREFIX = "archive:"
"""What ids of an archive's own labels begin with."""
_HEAD = re.compile(rb"\r?\n\r?\n")
_FIELD = {
    name: re.compile(rb"^" + name.encode() + rb":[ \t]*(.*(?:\r?\n[ \t].*)*)", re.IGNORECASE | re.MULTILINE)
    for name in ("X-Gmail-Labels", "X-GM-THRID", "References", "In-Reply-To", "Message-ID", "X-Status")
}
FOLDERS = {
    "sent items": "Sent",
    "sent messages": "Sent",
    "sent mail": "Sent",
    "sent-mail": "Sent",
    "deleted items": "Trash",
    "deleted messages": "Trash",
    "junk": "Spam",
    "junk mail": "Spam",
    "junk e-mail": "Spam",
    "bulk mail": "Spam",
}
"""Other mail programs' own folders by Gmail's names."""
_ID = re.compile(rb"<[^<>\s]{1,998}>")


def labels_of(raw: bytes, flags: str, folder: str) -> list[str]:
    """Label ids; those with `PREFIX` are the archive's own, named by the rest. A folder is one where Takeout says nothing."""
    head = _head(raw)
    named = _names(_decoded(_field(head, "X-Gmail-Labels")))
    marks = flags + _field(head, "X-Status").decode("ascii", "replace")
    found = {*_labels(named or [FOLDERS.get(folder.casefold(), folder)])} - {NO_LABEL}
    found |= {SystemLabel.STARRED.value} if "F" in marks else set()
    found |= {SystemLabel.TRASH.value} if "T" in flags else set()
    found |= {SystemLabel.DRAFT.value} if "D" in flags else set()
    return sorted(found)


def ids_of(raw: bytes) -> tuple[str, str]:
    """An id for the mail, the same whenever the same bytes come, and one for its thread."""
    own = digest_of(raw)
    return own, thread_of(raw, own)


def thread_of(raw: bytes, own: str) -> str:
    """An id for the thread of a mail; `own` is that of the mail."""
    head = _head(raw)
    thread = _field(head, "X-GM-THRID").strip()
    if not thread:
        for name in ("References", "In-Reply-To", "Message-ID"):
            found = _ID.search(_field(head, name))
            if found:
                thread = found[0]
                break
    return hashlib.sha256(b"thread " + (thread or own.encode())).hexdigest()[:16]


def is_from_gmail(raw: bytes) -> bool:
    """Whether a Takeout wrote it: Gmail holds no two mails of one Message-ID."""
    return bool(_field(_head(raw), "X-GM-THRID").strip())


def _names(listed: str) -> list[str]:
    """Names with commas between; one that has a comma itself stands in quotes."""
    try:
        return [one.strip() for one in next(csv.reader([listed], skipinitialspace=True), [])]
    except csv.Error:
        return [one.strip() for one in listed.split(",")]


def _labels(names: Sequence[str]) -> list[str]:
    """Gmail's ids of its own labels; every other name is the archive's own label."""
    system = system_labels(names)
    return [system[one] if one in system else _own(one) for one in names]


def _own(name: str) -> str:
    key = name.strip()
    if key.lower().startswith("category "):
        return f"CATEGORY_{key[9:].upper()}"
    return f"{PREFIX}{key[:200]}" if key else NO_LABEL


def _head(raw: bytes) -> bytes:
    found = _HEAD.search(raw[:1_000_000])
    return raw[: found.start()] if found else raw[:1_000_000]


def _field(head: bytes, name: str) -> bytes:
    found = _FIELD[name].search(head)
    return found[1] if found else b""


def _decoded(value: bytes) -> str:
    text = value.decode("utf-8", "replace").replace("\r", "").replace("\n", "")
    try:
        return str(make_header(decode_header(text)))
    except (LookupError, ValueError):
        return text

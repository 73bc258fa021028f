"""Mail headers as bytes: splitting, decoding, and changing some without touching the rest.

Broken headers never raise.
"""

import binascii
import re
from collections.abc import Mapping
from email.utils import getaddresses, mktime_tz, parsedate_tz

from app.domain.record import Record

FIELD = re.compile(rb"^([!-9;-~]+)[ \t]*:[ \t]*(.*(?:\r?\n[ \t].*)*)", re.MULTILINE)
FOLD = re.compile(rb"\r?\n[ \t]")
ENCODED = re.compile(r"=\?([^?\s]+)\?([bBqQ])\?([^?]*)\?=")
WORDS = re.compile(r"(?:=\?[^?\s]+\?[bBqQ]\?[^?]*\?=)+")
BETWEEN = re.compile(r"(\?=)\s+(=\?)")
WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "windows-31j": "cp932", "shift_jis": "cp932", "iso-8859-1": "cp1252",
    "iso-8859-8-i": "iso-8859-8", "ks_c_5601-1987": "cp949", "euc-kr": "cp949"}  # fmt: skip
"""Charsets that mailers name when they mean a wider one; browsers do the same."""
PLAIN_ADDRESS = re.compile(r"[^\s<>()\",;:]+@[^\s<>()\",;:]+")
PREFIX = re.compile(r"^\s*(?:(?:re|fwd?|aw|wg|sv|antw|odp|vs|tr|rv|res|enc)\s*(?:\[\d+\])?\s*:\s*)+", re.IGNORECASE)
WANTED = frozenset({"message-id", "in-reply-to", "references", "subject", "from", "to", "cc", "bcc", "date"})
MESSAGE_ID = re.compile(r"<[^<>\s]+>")


class Facts(Record):
    """What the mailbox needs from the headers. Values are decoded; Message-IDs keep their angle brackets."""

    message_id: str
    in_reply_to: tuple[str, ...]
    references: tuple[str, ...]
    subject: str
    sender: str
    to: str
    cc: str
    bcc: str
    date_s: float | None


def split_head(raw: bytes) -> tuple[bytes, int]:
    """The head without its blank line, and the offset of the body."""
    if raw.startswith((b"\n", b"\r\n")):
        return b"", raw.index(b"\n") + 1
    ends = [(at, len(mark)) for mark in (b"\n\n", b"\n\r\n") if (at := raw.find(mark)) >= 0]
    if not ends:
        return raw, len(raw)
    at, length = min(ends)
    return raw[:at].removesuffix(b"\r"), at + length


def header_fields(head: bytes) -> list[tuple[str, str]]:
    """Names with unfolded, decoded values, in order."""
    return [(name.decode("ascii", "replace"), decode_value(value)) for name, value in FIELD.findall(head)]


def decode_value(value: bytes) -> str:
    """A header value as text: unfolded, read as UTF-8 or Windows-1252, RFC 2047 words decoded."""
    if b"\n" in value:
        value = FOLD.sub(b" ", value)
    text = decode_text(value, "").strip()
    if "=?" not in text:
        return text
    return WORDS.sub(_decode_words, BETWEEN.sub(r"\1\2", text))


def _decode_words(found: re.Match[str]) -> str:
    """Decodes adjacent words.

    Words of one charset are joined as bytes first, since a character may be split between two words.
    """
    text, data, charset = "", b"", ""
    for word in ENCODED.finditer(found.group()):
        name = word[1].partition("*")[0].lower()
        if name != charset:
            text, data, charset = text + decode_text(data, charset), b"", name
        try:
            data += _word_bytes(word[2], word[3])
        except (binascii.Error, ValueError):
            text, data = text + decode_text(data, charset) + word.group(), b""
    return text + decode_text(data, charset)


def _word_bytes(kind: str, payload: str) -> bytes:
    if kind in "bB":
        return binascii.a2b_base64(payload + "=" * (-len(payload) % 4))
    return binascii.a2b_qp(payload.encode("utf-8"), header=True)


def decode_text(data: bytes, charset: str) -> str:
    """Text in the declared charset; UTF-8 or Windows-1252 if that is missing, wrong or unknown."""
    name = charset.strip().lower()
    name = WIDER.get(name, name)
    if name and name not in {"us-ascii", "ascii", "utf-8", "utf8"}:
        try:
            return data.decode(name, "replace")
        except (LookupError, ValueError):
            pass
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("utf-8" if name.startswith("utf") else "cp1252", "replace")


def facts_of(raw: bytes) -> Facts:
    """Reads the facts of a mail from its head."""
    first: dict[str, str] = {}
    for name, value in FIELD.findall(split_head(raw)[0]):
        key = name.lower().decode("ascii")
        if key in WANTED and key not in first:
            first[key] = decode_value(value)
    ids = MESSAGE_ID.findall(first.get("message-id", ""))
    return Facts(
        message_id=ids[0] if ids else "",
        in_reply_to=tuple(MESSAGE_ID.findall(first.get("in-reply-to", ""))),
        references=tuple(MESSAGE_ID.findall(first.get("references", ""))),
        subject=first.get("subject", ""),
        sender=first.get("from", ""),
        to=first.get("to", ""),
        cc=first.get("cc", ""),
        bcc=first.get("bcc", ""),
        date_s=date_seconds(first.get("date", "")),
    )


def date_seconds(value: str) -> float | None:
    """A Date header as seconds since 1970, or None."""
    try:
        parts = parsedate_tz(value)
        return float(mktime_tz(parts)) if parts else None
    except (ValueError, OverflowError, IndexError, TypeError):
        return None


def base_subject(subject: str) -> str:
    """The subject without reply and forward prefixes, normalised for comparison."""
    return " ".join(PREFIX.sub("", subject).split()).casefold()


def is_reply_subject(subject: str) -> bool:
    """Whether the subject begins with a reply or forward prefix."""
    return PREFIX.match(subject) is not None


def addresses_in(*values: str) -> list[str]:
    """Plain addresses of address headers: lower case, in order, without duplicates."""
    try:
        named = [address for _, address in getaddresses([value for value in values if value])]
    except RecursionError:
        named = []
    if not any("@" in address for address in named):  # thousands of open comments hide what follows
        named = PLAIN_ADDRESS.findall(" ".join(values))
    found = (address.strip().lower() for address in named)
    return list(dict.fromkeys(address for address in found if "@" in address))


def rewrite_head(raw: bytes, changes: Mapping[str, str | None]) -> bytes:
    """The mail with headers replaced (in place), added (on top) or, with None, removed."""
    head, body_at = split_head(raw)
    newline = b"\r\n" if b"\r\n" in raw[: body_at + 2] else b"\n"
    wanted = {name.lower(): (name, value) for name, value in changes.items()}
    done: set[str] = set()
    lines: list[bytes] = []
    for line in re.split(rb"\r?\n(?![ \t])", head) if head else []:
        name = line.partition(b":")[0].strip().decode("ascii", "replace").lower()
        if name not in wanted:
            lines.append(line)
        elif name not in done:
            done.add(name)
            lines.extend(_field_line(*wanted[name]))
    for key, (name, value) in wanted.items():
        if key not in done:
            lines[:0] = _field_line(name, value)
    return newline.join(lines) + newline + newline + raw[body_at:]


def _field_line(name: str, value: str | None) -> list[bytes]:
    return [] if value is None else [f"{name}: {value}".encode()]

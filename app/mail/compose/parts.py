"""Parts of an outgoing mail: text parts, file parts, multiparts, message ids, subject and sender of a reply, text direction. Pure
functions.
"""

import base64
import binascii
import hashlib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from email.utils import encode_rfc2231

from app.domain.error_texts import Cause
from app.domain.errors import NotAllowed
from app.domain.mail.letter import MOST_FILE_BYTES, FileContent
from app.domain.mail.message import Account, Address, Message
from app.domain.mail.recipients import REPLY_PREFIX, distinct, mailbox_key, reply_subject

MOST_REFERENCES = 20
UNSENDABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
LINE_END = re.compile(r"\r\n?|\n")
MIME_TYPE = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]{0,60}/[a-z0-9][a-z0-9!#$&^_.+-]{0,80}")
PLAIN_FILE_NAME = re.compile(r"[A-Za-z0-9 ._()+-]{1,60}")
NEVER_IN_NAME = re.compile(r"[\x00-\x1f\x7f/\\\ud800-\udfff]")
ANY = "application/octet-stream"
SENDABLE_ID = re.compile(r"<[!-;=?-~]{1,900}>")
"""Printable ASCII on one line. Other senders use ids that our headers could not hold."""


def sendable(body: str) -> str:
    r"""The body with `\n` line ends, without forbidden characters and trailing empty lines."""
    return UNSENDABLE.sub("", LINE_END.sub("\n", body)).rstrip()


def text_part(subtype: str, text: str) -> str:
    """A text part in quoted-printable: short lines and only ASCII."""
    data = UNSENDABLE.sub("", LINE_END.sub("\n", text)).encode("utf-8")
    encoded = binascii.b2a_qp(data, istext=True).decode("ascii").replace("\n", "\r\n")
    head = f'Content-Type: text/{subtype}; charset="UTF-8"\r\nContent-Transfer-Encoding: quoted-printable\r\n'
    return f"{head}\r\n{encoded}"


def file_parts(files: Sequence[FileContent]) -> list[str]:
    """The parts of all files. Raises `NotAllowed` if they are over 25 MB together."""
    if sum(len(file.data) for file in files) > MOST_FILE_BYTES:
        raise NotAllowed(Cause.FILES_TOO_LARGE)
    return [file_part(file.name, file.mime_type, file.data) for file in files]


def file_part(name: str, mime_type: str, data: bytes) -> str:
    """A file as an attachment in base64.

    Attached messages may not be encoded (RFC 2046), so they are sent as plain files.
    """
    kind = mime_type.lower()
    if not MIME_TYPE.fullmatch(kind) or kind.startswith(("multipart/", "message/")):
        kind = ANY
    lines = base64.encodebytes(data).decode("ascii").replace("\n", "\r\n")
    return (
        f"Content-Type: {kind}\r\nContent-Disposition: attachment;\r\n {_file_name(name)}\r\n"
        f"Content-Transfer-Encoding: base64\r\n\r\n{lines}"
    )


def multipart(subtype: str, parts: Sequence[str], seed: str) -> str:
    """Joins parts.

    The boundary depends only on `seed` and the parts' lengths, so the same mail has the same bytes.
    """
    boundary = "=_" + hashlib.sha256(f"{subtype}{seed}{[len(part) for part in parts]}".encode()).hexdigest()[:40]
    inside = "".join(f"--{boundary}\r\n{part}\r\n" for part in parts)
    return f'Content-Type: multipart/{subtype}; boundary="{boundary}"\r\n\r\n{inside}--{boundary}--\r\n'


def references(original: Message) -> list[str]:
    """The ids for the References header.

    The thread's first id and its newest ones, the answered message last.
    """
    ids = [*dict.fromkeys((*original.references, original.rfc822_id))]
    ids.remove(original.rfc822_id)
    ids = [*sendable_ids(ids), *answered(original)]
    return ids if len(ids) <= MOST_REFERENCES else [ids[0], *ids[1 - MOST_REFERENCES :]]


def answered(original: Message) -> list[str]:
    """The id of the answered message; empty if it has none we can send."""
    return sendable_ids([original.rfc822_id])


def sendable_ids(ids: Sequence[str]) -> list[str]:
    """The ids that a header may hold. A message with an invalid id can still be answered."""
    return [message_id for message_id in ids if SENDABLE_ID.fullmatch(message_id)]


def _file_name(name: str) -> str:
    """The `filename` parameter, encoded by RFC 2231 if needed; never a path."""
    clean = NEVER_IN_NAME.sub("_", name).strip() or "file"
    if PLAIN_FILE_NAME.fullmatch(clean):
        return f'filename="{clean}"'
    encoded = encode_rfc2231(clean, "UTF-8")
    if len(encoded) <= 900:
        return f"filename*={encoded}"
    stem, dot, ending = clean.rpartition(".")
    return f"filename*={encode_rfc2231((stem or ending)[:80] + (dot + ending[:20] if stem else ''), 'UTF-8')}"


def settled_subject(subject: str, original: Message | None) -> str:
    """The approved subject; several reply prefixes become one if it answers `original`.

    Other subjects are kept: "Ref: 12" may be a reference.
    """
    answers = original is not None and same_subject(subject, original.subject)
    return reply_subject(subject) if answers and REPLY_PREFIX.match(subject) else subject.strip()


def same_subject(one: str, other: str) -> bool:
    """Whether two subjects are equal apart from reply prefixes and case."""
    return reply_subject(one).lower() == reply_subject(other).lower()


def unique(addresses: Iterable[Address], taken: set[str]) -> tuple[Address, ...]:
    """The addresses that are not yet in `taken`; adds them to it."""
    found = distinct(addresses, taken)
    taken.update(mailbox_key(each.email) for each in found)
    return found


def own_address(account: Account, original: Message | None) -> Address:
    """The owner's address the message was sent to, else the main one."""
    if original is not None:
        own = {email.lower() for email in account.send_as}
        found = next((each.email for each in (*original.to, *original.cc) if each.email in own), "")
        if found:
            return Address(found, account.name)
    return Address(account.email, account.name)


def direction(text: str) -> str:
    """The text direction for HTML, `rtl` or `ltr`.

    The first character that has a direction decides.
    """
    for sign in text:
        kind = unicodedata.bidirectional(sign)
        if kind in ("R", "AL"):
            return "rtl"
        if kind == "L":
            return "ltr"
    return "ltr"

"""Pieces of a mail that goes out: text parts, file parts, nesting, and the thread's ids.

The owner's address in a reply, and its subject as it leaves.

Which way a text reads, for the HTML that leaves: an Arabic or Hebrew letter must not arrive set as an English one. Pure.
"""

import base64
import binascii
import hashlib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from email.utils import encode_rfc2231

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
"""Printable ASCII, in one line: others write ids that no header of ours could hold."""


def sendable(body: str) -> str:
    """The body with `\\n` line ends, without characters that no mail may hold, without empty lines at its end."""
    return UNSENDABLE.sub("", LINE_END.sub("\n", body)).rstrip()


def text_part(subtype: str, text: str) -> str:
    """A text part in quoted-printable, which keeps every line short and every byte ASCII."""
    data = UNSENDABLE.sub("", LINE_END.sub("\n", text)).encode("utf-8")
    encoded = binascii.b2a_qp(data, istext=True).decode("ascii").replace("\n", "\r\n")
    head = f'Content-Type: text/{subtype}; charset="UTF-8"\r\nContent-Transfer-Encoding: quoted-printable\r\n'
    return f"{head}\r\n{encoded}"


def file_parts(files: Sequence[FileContent]) -> list[str]:
    """All files of a mail. Raises `NotAllowed` where they are too large together."""
    if sum(len(one.data) for one in files) > MOST_FILE_BYTES:
        raise NotAllowed("The files are larger than 25 MB together.", "Remove one, or share it by a link.")
    return [file_part(one.name, one.mime_type, one.data) for one in files]


def file_part(name: str, mime_type: str, data: bytes) -> str:
    """A file as an attachment in base64. Mails as attachments may not be encoded (RFC 2046), so they go as plain files."""
    kind = mime_type.lower()
    if not MIME_TYPE.fullmatch(kind) or kind.startswith(("multipart/", "message/")):
        kind = ANY
    lines = base64.encodebytes(data).decode("ascii").replace("\n", "\r\n")
    return (
        f"Content-Type: {kind}\r\nContent-Disposition: attachment;\r\n {_file_name(name)}\r\n"
        f"Content-Transfer-Encoding: base64\r\n\r\n{lines}"
    )


def multipart(subtype: str, parts: Sequence[str], seed: str) -> str:
    """Parts put together; the boundary follows from `seed` and their lengths, so that the same mail has the same bytes."""
    boundary = "=_" + hashlib.sha256(f"{subtype}{seed}{[len(part) for part in parts]}".encode()).hexdigest()[:40]
    inside = "".join(f"--{boundary}\r\n{part}\r\n" for part in parts)
    return f'Content-Type: multipart/{subtype}; boundary="{boundary}"\r\n\r\n{inside}--{boundary}--\r\n'


def references(original: Message) -> list[str]:
    """The thread's first id and its newest ones, the answered mail last."""
    ids = [*dict.fromkeys((*original.references, original.rfc822_id))]
    ids.remove(original.rfc822_id)
    ids = [*sendable_ids(ids), *answered(original)]
    return ids if len(ids) <= MOST_REFERENCES else [ids[0], *ids[1 - MOST_REFERENCES :]]


def answered(original: Message) -> list[str]:
    """The id of the mail answered, none where it has none that could be sent."""
    return sendable_ids([original.rfc822_id])


def sendable_ids(ids: Sequence[str]) -> list[str]:
    """Those of a stranger's ids that a header may hold; a mail with an odd one is answered all the same."""
    return [one for one in ids if SENDABLE_ID.fullmatch(one)]


def _file_name(name: str) -> str:
    """The `filename` parameter, by RFC 2231 where it must be; never a path."""
    clean = NEVER_IN_NAME.sub("_", name).strip() or "file"
    if PLAIN_FILE_NAME.fullmatch(clean):
        return f'filename="{clean}"'
    encoded = encode_rfc2231(clean, "UTF-8")
    if len(encoded) <= 900:
        return f"filename*={encoded}"
    stem, dot, ending = clean.rpartition(".")
    return f"filename*={encode_rfc2231((stem or ending)[:80] + (dot + ending[:20] if stem else ''), 'UTF-8')}"


def settled_subject(subject: str, original: Message | None) -> str:
    """A subject as the user approved it; where it is that of the mail answered, with its reply prefixes made one. Others keep
    theirs: "Ref: 12" may be a reference."""
    answers = original is not None and same_subject(subject, original.subject)
    return reply_subject(subject) if answers and REPLY_PREFIX.match(subject) else subject.strip()


def same_subject(one: str, other: str) -> bool:
    """Whether two subjects are the same but for reply prefixes and case."""
    return reply_subject(one).lower() == reply_subject(other).lower()


def unique(addresses: Iterable[Address], taken: set[str]) -> tuple[Address, ...]:
    """The addresses that are not in `taken` yet, which grows by them."""
    found = distinct(addresses, taken)
    taken.update(mailbox_key(each.email) for each in found)
    return found


def own_address(account: Account, original: Message | None) -> Address:
    """The owner's address to answer from: the one the mail was sent to, if it is one of theirs, else the main one."""
    if original is not None:
        own = {email.lower() for email in account.send_as}
        found = next((each.email for each in (*original.to, *original.cc) if each.email in own), "")
        if found:
            return Address(found, account.name)
    return Address(account.email, account.name)


def direction(text: str) -> str:
    """`rtl` where the first sign that has a direction reads from the right, else `ltr`."""
    for sign in text:
        kind = unicodedata.bidirectional(sign)
        if kind in ("R", "AL"):
            return "rtl"
        if kind == "L":
            return "ltr"
    return "ltr"

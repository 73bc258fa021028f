"""Parts and header fields of an outgoing mail, as pure functions.

Addresses are checked and encoded, lines folded; also message ids, subject and sender of a reply, and text direction.
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
from app.domain.mail.letter import MOST_FILE_BYTES, FileContent, picture_id
from app.domain.mail.message import Address, Message
from app.domain.mail.recipients import REPLY_PREFIX, distinct, mailbox_key, reply_subject

LINE = 76
WORD_BYTES = 42
"""Bytes of UTF-8 in an encoded word; it then stays below the 75 characters of RFC 2047."""
BREAKING = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
LOCAL = re.compile(r"[\w!#$%&'*+/=?^`{|}~-]{1,64}(?:\.[\w!#$%&'*+/=?^`{|}~-]{1,64})*")
"""A local part; letters beyond ASCII are written as UTF-8 (RFC 6531, RFC 6532), which Gmail takes."""
LABEL = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?")
PLAIN_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]*")
PLAIN = re.compile(r"[\x20-\x7e]*")
LONGEST_ADDRESS = 254


def unbroken(field: str, value: str) -> str:
    """Returns `value` if the header `field` may hold it. Raises `NotAllowed`."""
    if BREAKING.search(value):
        raise NotAllowed(Cause.FIELD_CONTROL, field)
    return value


def checked_email(field: str, email: str) -> str:
    """Returns the address with its domain in ASCII (IDNA). Raises `NotAllowed`, which names `field`."""
    local, _, domain = unicodedata.normalize("NFC", unbroken(field, email).strip()).rpartition("@")
    try:
        plain = domain.encode("idna").decode("ascii") if not domain.isascii() else domain
    except UnicodeError:
        plain = ""
    labels = plain.split(".")
    fine = (
        LOCAL.fullmatch(local) and len(local.encode()) <= 64 and len(labels) > 1 and all(LABEL.fullmatch(each) for each in labels)
    )
    if not fine or len(local) + len(plain) >= LONGEST_ADDRESS:
        raise NotAllowed(Cause.FIELD_NO_ADDRESS, field, email)
    return f"{local}@{plain}"


def address_field(field: str, addresses: Iterable[Address]) -> str:
    """Returns a header line with addresses, folded between them. Empty if there are none. Raises `NotAllowed`."""
    mailboxes = [_mailbox(field, each) for each in addresses]
    return f"{field}: " + ",\r\n ".join(mailboxes) + "\r\n" if mailboxes else ""


def text_field(field: str, value: str) -> str:
    """Returns a folded header line, with encoded words where needed. Raises `NotAllowed`."""
    value = unbroken(field, value).replace("\t", " ")
    if PLAIN.fullmatch(value) and "=?" not in value and "  " not in value and value == value.strip():
        folded = _folded(f"{field}: {value}")
        if folded:
            return folded + "\r\n"
    return f"{field}: " + "\r\n ".join(_encoded_words(value)) + "\r\n"


def ids_field(field: str, ids: Iterable[str]) -> str:
    """Returns a header line with message ids, one a line. Empty if there are none. Raises `NotAllowed`."""
    checked = [unbroken(field, each) for each in ids if each]
    return f"{field}: " + "\r\n ".join(checked) + "\r\n" if checked else ""


def _mailbox(field: str, address: Address) -> str:
    email = checked_email(field, address.email)
    name = " ".join(unbroken(field, address.name).split())
    if not name:
        return email
    if PLAIN_NAME.fullmatch(name) and "=?" not in name and len(name) < LINE - 10:
        return f"{name}\r\n <{email}>" if len(name) + len(email) > LINE - 10 else f"{name} <{email}>"
    if PLAIN.fullmatch(name) and "=?" not in name and len(name) < LINE - 10:
        quoted = name.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{quoted}"\r\n <{email}>' if len(quoted) + len(email) > LINE - 10 else f'"{quoted}" <{email}>'
    return "\r\n ".join([*_encoded_words(name), f"<{email}>"])


def _encoded_words(value: str) -> list[str]:
    """Splits `value` between characters into encoded words. Decoders join neighbouring words without the space between them."""
    words: list[str] = []
    chunk = b""
    for sign in value:
        data = sign.encode("utf-8")
        if chunk and len(chunk) + len(data) > WORD_BYTES:
            words.append(_encoded(chunk))
            chunk = b""
        chunk += data
    return [*words, _encoded(chunk)] if chunk else words


def _encoded(data: bytes) -> str:
    return f"=?UTF-8?B?{base64.b64encode(data).decode('ascii')}?="


def _folded(line: str) -> str:
    """Breaks `line` at spaces. Empty if one word is too long for any line."""
    lines: list[str] = []
    current = ""
    for word in line.split(" "):
        if len(word) > 900:
            return ""
        if current and len(current) + len(word) >= LINE and len(lines) + len(current.split(" ")) > 1:
            lines.append(current)
            current = word
        else:
            current = f"{current} {word}" if current else word
    return "\r\n ".join([*lines, current])


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
    return [file_part(file.name, file.mime_type, file.data, file.inline) for file in files]


def file_part(name: str, mime_type: str, data: bytes, inline: bool = False) -> str:
    """A file in base64, as an attachment or as a picture of the text.

    Attached messages may not be encoded (RFC 2046), so they are sent as plain files.
    """
    kind = mime_type.lower()
    if not MIME_TYPE.fullmatch(kind) or kind.startswith(("multipart/", "message/")):
        kind = ANY
    lines = base64.encodebytes(data).decode("ascii").replace("\n", "\r\n")
    place = "inline" if inline else "attachment"
    content_id = f"Content-ID: <{picture_id(name)}>\r\n" if inline else ""
    return (
        f"Content-Type: {kind}\r\nContent-Disposition: {place};\r\n {_file_name(name)}\r\n{content_id}"
        f"Content-Transfer-Encoding: base64\r\n\r\n{lines}"
    )


def multipart(subtype: str, parts: Sequence[str], seed: str) -> str:
    """Joins parts. The boundary depends only on `seed` and the parts' lengths, so the same mail has the same bytes."""
    boundary = "=_" + hashlib.sha256(f"{subtype}{seed}{[len(part) for part in parts]}".encode()).hexdigest()[:40]
    inside = "".join(f"--{boundary}\r\n{part}\r\n" for part in parts)
    return f'Content-Type: multipart/{subtype}; boundary="{boundary}"\r\n\r\n{inside}--{boundary}--\r\n'


def references(original: Message) -> list[str]:
    """The ids for the References header. The thread's first id and its newest ones, the answered message last."""
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


def direction(text: str) -> str:
    """The text direction for HTML, `rtl` or `ltr`. The first character that has a direction decides."""
    for sign in text:
        kind = unicodedata.bidirectional(sign)
        if kind in ("R", "AL"):
            return "rtl"
        if kind == "L":
            return "ltr"
    return "ltr"

"""Header fields of outgoing mail: addresses checked and encoded, text encoded, lines folded."""

import base64
import re
from collections.abc import Iterable

from app.domain.error_texts import Cause
from app.domain.errors import NotAllowed
from app.domain.mail.message import Address

LINE = 76
WORD_BYTES = 42
"""Bytes of UTF-8 in an encoded word; it then stays below the 75 characters of RFC 2047."""
BREAKING = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
LOCAL = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,64})*")
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
    """Returns the address with its domain in ASCII (IDNA).

    Raises `NotAllowed`, which names `field`.
    """
    local, _, domain = unbroken(field, email).strip().rpartition("@")
    try:
        plain = domain.encode("idna").decode("ascii") if not domain.isascii() else domain
    except UnicodeError:
        plain = ""
    labels = plain.split(".")
    fine = LOCAL.fullmatch(local) and len(local) <= 64 and len(labels) > 1 and all(LABEL.fullmatch(each) for each in labels)
    if not fine or len(local) + len(plain) >= LONGEST_ADDRESS:
        raise NotAllowed(Cause.FIELD_NO_ADDRESS, field, email)
    return f"{local}@{plain}"


def address_field(field: str, addresses: Iterable[Address]) -> str:
    """Returns a header line with addresses, folded between them.

    Empty if there are none. Raises `NotAllowed`.
    """
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
    """Returns a header line with message ids, one a line.

    Empty if there are none. Raises `NotAllowed`.
    """
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
    """Splits `value` between characters into encoded words.

    Decoders join neighbouring words without the space between them.
    """
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

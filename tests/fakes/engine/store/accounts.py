"""A message and its owner's account as the store returns them, for tests that answer mail."""

import email
import email.policy
from datetime import UTC, datetime
from email.message import EmailMessage
from typing import Any

from app.domain.ids import AccountId, GmailThreadId, ThreadId
from app.domain.mail.message import Account, Address, Message
from fakes.gmail.messages import stored_message

ACCOUNT = Account(AccountId(1), "olga@example.com", "Olga Nováková", ("olga@example.com", "sales@example.com"), "", "")


def message(**changes: object) -> Message:
    """A message from Bob."""
    defaults: dict[str, Any] = {
        "thread_id": ThreadId(3),
        "gmail_thread_id": GmailThreadId("t3"),
        "date": datetime(2026, 11, 3, 9, 0, tzinfo=UTC),
        "sender": Address("bob@example.org", "Bob Dvořák"),
        "to": (Address("olga@example.com"),),
        "subject": "Plans",
        "rfc822_id": "<m5@example.org>",
        "references": ("<m1@example.org>", "<m3@example.org>"),
    }
    return stored_message(5, "When do we meet?\n\n> earlier", **{**defaults, **changes})


def read(data: bytes) -> EmailMessage:
    """Parses the bytes to send with the standard library. Checks ASCII, CRLF and line length (RFC 5322)."""
    assert data.isascii()
    assert all(len(line) <= 998 for line in data.split(b"\r\n"))
    assert b"\n" not in data.replace(b"\r\n", b"") and b"\r" not in data.replace(b"\r\n", b"")
    found = email.message_from_bytes(data, policy=email.policy.default)
    assert isinstance(found, EmailMessage)
    return found

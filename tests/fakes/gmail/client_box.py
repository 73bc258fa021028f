"""An account on the local Gmail server with a real client whose waits take no time."""

import itertools
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Any

from google.oauth2.credentials import Credentials

from app.mail.gmail.client import GmailClient, connect
from app.mail.gmail.endpoint import Endpoint
from app.mail.gmail.pacing import UnitBucket
from fakes.gmail.sandbox import Sandbox

NUMBERS = itertools.count()


@dataclass
class Pauses:
    """Replaces sleeping and records the requested seconds."""

    seconds: list[float] = field(default_factory=list)

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


@dataclass
class Pace:
    """Replaces the unit bucket and records its calls."""

    units: list[int] = field(default_factory=list)
    refusals: int = 0

    async def take(self, units: int) -> None:
        self.units.append(units)

    def room_s(self, units: int) -> float:
        return 0.0 if len(self.units) < 100 else float(units)

    def learn(self, rate_limited: bool) -> None:
        self.refusals += rate_limited


@dataclass
class Box:
    """An account on the local server and its client."""

    sandbox: Sandbox
    address: str
    token: str
    client: GmailClient
    pauses: Pauses
    pace: Pace

    def deliver(self, subject: str = "Hello", text: str = "Hi there.", **options: Any) -> dict[str, Any]:
        """Delivers a mail from somebody else."""
        return self.sandbox.deliver(mail(subject, text, self.address), account=self.address, **options)

    def requests(self, method: str) -> list[dict[str, Any]]:
        """The server's log of one method for this test."""
        return [each for each in self.sandbox.log() if each["method"] == method]


@asynccontextmanager
async def connected(
    endpoint: Endpoint, credentials: Credentials, pace: UnitBucket | None, **more: Any
) -> AsyncIterator[GmailClient]:
    """A client, closed at the end."""
    client = connect(endpoint, credentials, pace, **more)
    try:
        yield client
    finally:
        await client.close()


def mail(subject: str, text: str, to: str, message_id: str = "", in_reply_to: str = "") -> bytes:
    """A plain-text mail."""
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "Bob Example <bob@example.org>", to, subject
    made["Message-ID"] = message_id or f"<{next(NUMBERS)}.{os.getpid()}@example.org>"
    made["Date"] = "Tue, 03 Nov 2026 10:00:00 +0100"
    if in_reply_to:
        made["In-Reply-To"] = made["References"] = in_reply_to
    made.set_content(text)
    return made.as_bytes()

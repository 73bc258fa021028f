"""Observes the program without its screen: the store, the window's files, the local server."""

import json
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import psutil

from app.config.paths import DataFolder
from app.domain.drafting.review import Review, ReviewStatus
from app.domain.ids import MessageId, ReviewId
from app.domain.mail.outbox import OutboxKind
from app.store.reader.mailbox_reader import SqliteMailboxReader
from fakes.gmail.sandbox import Admin, Mail
from fakes.window.keyboard_session.screen import PATIENCE_S, until

ENDPOINT, TOKEN = "REPLYROOM_GOOGLE_ENDPOINT", "REPLYROOM_GOOGLE_TOKEN"
MIMES = (
    "SELECT mime FROM outbox_mime JOIN outbox ON id = outbox_id "
    "WHERE (review_id = ? OR ? = 0) AND kind = ? AND state != 'cancelled' ORDER BY id"
)


class Outside:
    """A data folder and the server of its mailbox."""

    def __init__(self, data: DataFolder, admin: Admin) -> None:
        self.data = data
        self.admin, self.mail = admin, Mail(admin)
        self.reader = SqliteMailboxReader(data.database)

    def said(self, words: str) -> bool:
        """Whether window.ini contains this text."""
        return self.data.window_state.exists() and words in self.data.window_state.read_text(encoding="utf-8")

    def at(self, page: str, key: str) -> str:
        """A value of a page's saved position."""
        try:
            places = json.loads(self.data.session.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return ""
        return str(places.get(page, {}).get(key, ""))

    def item(self) -> Review:
        """The review shown now."""
        until(lambda: self.at("review", "row").isdigit(), "an item")
        return self.review(ReviewId(int(self.at("review", "row"))))

    def review(self, review_id: ReviewId) -> Review:
        """A review at its current revision."""
        found = self.reader.review(review_id)
        assert found is not None
        return found

    def status(self, review: Review) -> ReviewStatus:
        return self.review(review.id).status

    def outgoing(self, kind: OutboxKind = OutboxKind.SEND, review_id: int = 0) -> list[tuple[str, str, str]]:
        """Recipient, subject and text of outbox items that are not cancelled, of one review or of all."""
        with closing(sqlite3.connect(self.data.database)) as store:
            return [as_read(row[0]) for row in store.execute(MIMES, (review_id, review_id, kind.value))]

    def sent(self) -> list[tuple[str, str, str]]:
        """The same for all messages in SENT on the server."""
        return [as_read(self.mail.raw(one["id"])) for one in self.mail.sent()]

    def answers(self, message_id: MessageId) -> list[bool]:
        """For each sent mail that answers this message: whether it is in the same conversation."""
        asked = self.reader.message(message_id)
        wanted, found = asked.rfc822_id.strip("<>"), []
        for one in self.mail.sent():
            mail = message_from_bytes(self.mail.raw(one["id"]), policy=policy.default)
            if str(mail["In-Reply-To"]).strip(" <>") == wanted:
                found.append(one["threadId"] == asked.gmail_thread_id and wanted in str(mail["References"]))
        return found

    def steps(self, outbox_id: int) -> list[str]:
        """The states of an outbox item in order."""
        with closing(sqlite3.connect(self.data.database)) as store:
            return [row[0] for row in store.execute("SELECT new FROM outbox_steps WHERE outbox_id = ? ORDER BY id", (outbox_id,))]

    def meetings(self, guest: str) -> dict[str, datetime]:
        """The start of each meeting with this guest on the server's calendar, by title."""
        found = self.admin.google("/calendar/v3/calendars/primary/events?maxResults=2500")["items"]
        mine = [one for one in found if guest in [other["email"] for other in one.get("attendees", ())]]
        return {one["summary"]: datetime.fromisoformat(one["start"]["dateTime"]) for one in mine}

    def drafts(self) -> int:
        """The number of drafts on the server."""
        return len(self.mail.drafts())

    def invitations(self, guest: str) -> list[list[str]]:
        """The guests of each sent invitation that includes this guest."""
        sent = self.admin.call("GET", "invitations")["invitations"]
        return [list(one["guests"]) for one in sent if guest in one["guests"]]


def as_read(raw: bytes) -> tuple[str, str, str]:
    """Recipients, subject and text of a mail, without line breaks."""
    mail = message_from_bytes(raw, policy=policy.default)
    assert isinstance(mail, EmailMessage)
    part = mail.get_body(("plain",))
    words = part.get_content() if part is not None else ""
    return str(mail["To"]), str(mail["Subject"]), " ".join(words.split())


def sample_program(room: Path) -> psutil.Process:
    """Waits for the process of the sample mailbox, found by its temporary folder."""
    return _waited_for("the sample mailbox's program", room, lambda one: "demo" in one.cmdline())


def sample_engine(room: Path) -> psutil.Process:
    """Waits for its engine, whose environment names the local server."""
    return _waited_for("its engine", room, lambda one: "engine" in one.cmdline() and ENDPOINT in one.environ())


def admin_of(engine: psutil.Process) -> Admin:
    """The admin interface of the engine's local server."""
    told = engine.environ()
    return Admin(told[ENDPOINT], told[TOKEN])


def _waited_for(what: str, room: Path, holds: Callable[[psutil.Process], bool]) -> psutil.Process:
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        for one in psutil.process_iter():
            with suppress(psutil.Error):
                if holds(one) and one.environ().get("TMPDIR") == str(room):
                    return one
        time.sleep(0.2)
    raise AssertionError(f"{what} never came")

"""The stage of the task bench: the window with its engine and server, where a task begins, and what the server has."""

import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path

from app.config.paths import DataFolder
from app.domain.drafting.review import Review, ReviewKind, ReviewStatus
from app.domain.ids import ReviewId, ThreadId
from app.domain.protocol.views import MailView
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.ui.services.engine_bridge import EngineBridge
from app.ui.window.main_window import MainWindow
from fakes.engine.processes.network_trap import HOOK
from fakes.gmail.sandbox import Sandbox
from fakes.providers.behaviours import Mails
from fakes.providers.shapes import Asked, Reply
from fakes.window.counted_person import Person

SEEN_S = 0.5
"""A draft is looked at before it is approved; the window asks for as much."""
LONG_THREAD = 30
ROOT = Path(__file__).resolve().parents[3]
VISIT = "import sys, urllib.request; urllib.request.urlopen(sys.argv[1], timeout=20).read()"
"""A browser whose user agrees to everything."""


@dataclass
class Stage:
    """The window and what stands behind it."""

    window: MainWindow
    person: Person
    reader: SqliteMailboxReader
    bridge: EngineBridge
    server: Sandbox
    data: DataFolder
    trap: Path

    def labels(self, thread_id: ThreadId) -> list[set[str]]:
        """The labels that the server has for each message of a conversation."""
        ids = {message.gmail_id for message in self.reader.messages(thread_id)}
        return [set(one["labelIds"]) for one in self.server.dump()["messages"] if one["id"] in ids]

    def without(self, label: str, threads: Sequence[ThreadId]) -> bool:
        return all(label not in labels for thread_id in threads for labels in self.labels(thread_id))

    def sent_in(self, thread_id: ThreadId) -> list[str]:
        """The texts of what was sent in a conversation, on the server."""
        known = {str(message.gmail_thread_id) for message in self.reader.messages(thread_id)}
        return [self.text_of(one["id"]) for one in self.server.sent() if one["threadId"] in known]

    def text_of(self, gmail_id: str) -> str:
        part = message_from_bytes(self.server.mail.raw(gmail_id), policy=policy.default).get_body(("plain",))
        return str(part.get_content()) if part is not None else ""

    def reviews(self, wanted: Callable[[Review], bool]) -> list[Review]:
        """The waiting reviews that are wanted, in the queue's order."""
        found = (self.reader.review(ReviewId(key)) for key in self.reader.review_ids())
        return [review for review in found if review is not None and wanted(review)]

    async def at_review(self, wanted: Callable[[Review], bool]) -> Review:
        """Begins in Review, with the first wanted item on screen and looked at."""
        reviews = self.reviews(wanted)
        assert reviews, "the sample has no such review"
        self.window.show_review(reviews[0].id)
        self.window.review_page.take_focus()
        await self.person.pause(SEEN_S)
        return reviews[0]

    async def at_inbox(self, wanted: Callable[[ThreadId], bool] = lambda _: True, place: str = "inbox") -> list[ThreadId]:
        """Begins in the inbox, with the first wanted row chosen. Returns it and those below."""
        page = self.window.mail_page
        self.window.show_page(place)
        await self.person.pause(SEEN_S)
        ids = [ThreadId(key) for key in page.model.ids]
        row = next(row for row, thread_id in enumerate(ids) if wanted(thread_id))
        page.list.select_row(row)
        page.take_focus()
        await self.person.pause(SEEN_S)
        return ids[row:]

    async def delivered(self, raw: bytes, labels: Sequence[str] = ("INBOX", "UNREAD")) -> ThreadId:
        """Lets a message come in. Returns its conversation here."""
        there = str(self.server.deliver(raw, labels=list(labels))["id"])

        def here() -> list[ThreadId]:
            known = self.reader.thread_ids(MailView.ALL, limit=60)
            return [ThreadId(key) for key in known if any(one.gmail_id == there for one in self.reader.messages(ThreadId(key)))]

        await self.person.until(here, "the new message here")
        return here()[0]

    async def until_sent(self, thread_id: ThreadId, before: int, words: str = "") -> None:
        await self.person.until(lambda: len(self.sent_in(thread_id)) > before, "the answer on the server")
        if words:
            assert any(words in text for text in self.sent_in(thread_id)), f"“{words}” is not in what was sent"


def complete_reply(review: Review) -> bool:
    draft = review.proposal.draft
    no_red = not any(flag.red for flag in review.proposal.flags)
    return review.proposal.kind is ReviewKind.REPLY and draft is not None and draft.complete and no_red


def reply_with_blank(review: Review) -> bool:
    draft = review.proposal.draft
    no_red = not any(flag.red for flag in review.proposal.flags)
    return review.proposal.kind is ReviewKind.REPLY and draft is not None and len(draft.open_slots) == 1 and no_red


def note(review: Review) -> bool:
    return review.proposal.kind is ReviewKind.NOTIFY


async def not_counted(stage: Stage, *keys: str) -> None:
    """Presses keys that belong to how the task begins."""
    restore = replace_counts(stage)
    await stage.person.press(*keys)
    restore()


def replace_counts(stage: Stage) -> Callable[[], None]:
    """Returns what sets the counts back to what they are now."""
    person = stage.person
    counts = (person.keys, person.clicks, person.texts)

    def restore() -> None:
        person.keys, person.clicks, person.texts = counts

    return restore


def status_of(stage: Stage, review: Review) -> ReviewStatus | None:
    found = stage.reader.review(review.id)
    return found.status if found is not None else None


def plain(stage: Stage, thread_id: ThreadId) -> bool:
    """Whether a conversation is a person's, not answered and without a draft."""
    messages = stage.reader.messages(thread_id)
    machine = any(one.header("List-Unsubscribe") or "reply" in one.sender.email for one in messages)
    return stage.reader.drafted_reply(thread_id) is None and not machine and not any(one.outgoing for one in messages)


def subject_of(stage: Stage, thread_id: ThreadId) -> str:
    return next(iter(stage.reader.thread_rows([thread_id]).values())).subject


def label_id(stage: Stage, name: str) -> str:
    return next(str(one["id"]) for one in stage.server.dump()["labels"] if one["name"] == name)


async def more_notes(stage: Stage, wanted: int) -> None:
    """Lets more mail like what waits for information come in, until that many items wait."""
    models = [stage.reader.messages(review.proposal.thread_id)[-1] for review in stage.reviews(note)]
    for number in range(2 * (wanted - len(models))):  # some of the copies are ignored: the owner has seen the like
        model = models[number % len(models)]
        raw, host = stage.server.mail.raw(str(model.gmail_id)), model.sender.email.rpartition("@")[2]
        head, blank, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
        head = re.sub(rb"(?im)^(message-id|in-reply-to|references|date):.*(\n[ \t].*)*\n", b"", head + b"\n")
        own = f"Message-ID: <again-{number}@{host}>\nDate: {format_datetime(datetime.now().astimezone())}\n"
        await stage.delivered(own.encode() + head.rstrip(b"\n") + blank + body)
    await stage.person.until(lambda: len(stage.reviews(note)) >= wanted, f"{wanted} items for information")


def rules_text(stage: Stage) -> str:
    return stage.data.rules.read_text(encoding="utf-8") if stage.data.rules.exists() else ""


def answered_in_calendar(stage: Stage) -> str:
    """The owner's answer to the committee's invitation, in the calendar on the server."""
    events = stage.server.admin.google("/calendar/v3/calendars/primary/events?maxResults=250").get("items", [])
    event = next((one for one in events if one.get("iCalUID") == "ride-0007@kolovbrne.example"), {})
    return next((str(one["responseStatus"]) for one in event.get("attendees", []) if one.get("self")), "")


def message(subject: str, text: str, sender: str, at: datetime, **headers: str) -> bytes:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = sender, "ondrej@velodilna.example", subject
    made["Date"] = format_datetime(at)
    for name, value in headers.items():
        made[name.replace("_", "-")] = value
    made.set_content(text)
    return made.as_bytes()


def newsletter(subject: str, host: str = "shop.example") -> bytes:
    more = {
        "Authentication_Results": "mx.google.com; dkim=pass header.i=@shop.example",
        "List_Unsubscribe": f"<https://{host}/leave?who=1>",
        "List_Unsubscribe_Post": "List-Unsubscribe=One-Click",
        "List_Id": f"<offers.{host}>",
    }
    return message(subject, "Ten percent off everything.", f"Offers <offers@{host}>", datetime.now().astimezone(), **more)


async def long_thread(stage: Stage) -> ThreadId:
    """Lets a long conversation come in, whose last messages settle it."""
    now, ids = datetime.now().astimezone(), [f"<order-{number}@wheels.example>" for number in range(LONG_THREAD)]
    thread_id = ThreadId(0)
    for number, own in enumerate(ids):
        words = "Thanks for your note. We are still comparing rims and spokes with the workshop in Graz."
        if number == 12:
            words = "The price is 2,450 euros for the whole set, carriage paid."
        if number == LONG_THREAD - 2:
            words = "We agreed on 42 wheels for 2,450 euros. Delivery is on Friday at ten."
        if number == LONG_THREAD - 1:
            words = "Can you confirm the 42 wheels and the delivery on Friday at ten, please?"
        more = {"Message_ID": own} | ({"In_Reply_To": ids[number - 1], "References": " ".join(ids[:number])} if number else {})
        at = now - timedelta(minutes=5 * (LONG_THREAD - number))
        subject = "Order of wheels" if not number else "Re: Order of wheels"
        raw = message(subject, f"Hello Ondřej,\n\n{words}\n\nRegards\nVera", "Vera Wimmer <vera@wheels.example>", at, **more)
        if number == LONG_THREAD - 1:
            thread_id = await stage.delivered(raw)
        else:
            stage.server.deliver(raw, labels=["INBOX"])
    await stage.person.until(lambda: len(stage.reader.messages(thread_id)) == LONG_THREAD, "the whole conversation")
    return thread_id


def model_with_a_tool(asked: Asked, number: int) -> Reply:
    """A hosted model that sorts mail and calls tools."""
    if asked.tools and not asked.fields:
        return Reply(tool_calls=((asked.tools[0], {"day": "Saturday"}),))
    return Mails().good(asked, number)


def sample_environment(folder: Path, server: Sandbox) -> dict[str, str]:
    """An engine that is signed in, and tells where it connects to."""
    (folder / "hooks").mkdir()
    (folder / "hooks" / "sitecustomize.py").write_text(HOOK, encoding="utf-8")
    google = {"REPLYROOM_GOOGLE_ENDPOINT": server.url, "REPLYROOM_GOOGLE_TOKEN": server.token}
    paths = os.pathsep.join([str(folder / "hooks"), str(ROOT)])
    return {**os.environ, **google, "NETWORK_TRAP": str(folder / "trap"), "PYTHONPATH": paths}


def first_environment(folder: Path, server: Sandbox) -> dict[str, str]:
    """An engine without a sign-in, a browser whose user agrees, and the OAuth client of a distributor's build."""
    (folder / "visit.py").write_text(VISIT, encoding="utf-8")
    places = {"auth_uri": f"{server.url}/o/oauth2/auth", "token_uri": f"{server.url}/token"}
    client = {"installed": {"client_id": "1.apps.example", "client_secret": "none", **places}}
    (folder / "client.json").write_text(json.dumps(client), encoding="utf-8")
    os.environ["REPLYROOM_GOOGLE_CLIENT"] = str(folder / "client.json")
    google = {"REPLYROOM_GOOGLE_ENDPOINT": server.url, "REPLYROOM_GOOGLE_TOKEN_URI": f"{server.url}/token"}
    browser = {"BROWSER": f"{sys.executable} {folder / 'visit.py'} %s &"}
    return {**os.environ, **google, **browser, "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}

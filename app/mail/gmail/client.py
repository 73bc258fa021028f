"""The Gmail client of one account: implements `app.domain.ports.gmail.MailServer` with Google's client library.

Reads are repeated here after a failure; a write is sent exactly once. Answers are decoded and parsed on worker threads.
"""

import asyncio
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

import msgspec
from google.auth.credentials import Credentials

from app.domain.errors import CursorExpired, ExpectedError, NotFound, QuotaReached, RejectedByServer, TemporarilyRejected
from app.domain.ids import GmailId, GmailThreadId, HistoryId
from app.domain.mail.files import SOURCE_PART
from app.domain.mail.message import Label, RemoteMessage, SendAs, Vacation
from app.domain.ports.gmail import Fetched, MailboxProfile, ThreadMessage
from app.domain.record import replace
from app.domain.sync import UNITS, HistoryPage, ListPage
from app.mail.gmail.endpoint import Endpoint
from app.mail.gmail.pacing import UnitBucket
from app.mail.gmail.wire import answers
from app.mail.gmail.wire.attachments import download_part, download_source, read_attachment
from app.mail.gmail.wire.calls import Backoff, Calls, GmailCollections, Sleep
from app.mail.gmail.wire.drafts import DraftMethods
from app.mail.gmail.wire.transport import HttpCall, Told, Transport
from app.mail.parse import parse_message


def message_of(body: bytes) -> RemoteMessage:
    """Parses a `messages.get` answer (format full). Raises `ValueError` or `TypeError` if it is not a message."""
    return parse_message(_object(msgspec.json.decode(body)), clean=False)


def thread_of(body: bytes) -> tuple[RemoteMessage, ...]:
    """Parses a `threads.get` answer (format full), in Gmail's order. Raises `ValueError` or `TypeError` if it is not a thread."""
    messages = _object(msgspec.json.decode(body)).get("messages", [])
    if not isinstance(messages, list):
        raise TypeError("A thread's messages are no list.")
    return tuple(parse_message(_object(each), clean=False) for each in messages)


def _fetched(gmail_id: GmailId, outcome: RemoteMessage | ExpectedError) -> Fetched:
    if isinstance(outcome, RemoteMessage):
        return Fetched(gmail_id, outcome)
    if isinstance(outcome, NotFound):
        return Fetched(gmail_id, None, gone=True)
    wait_s = outcome.retry_after_s if isinstance(outcome, QuotaReached) else None
    return Fetched(gmail_id, None, code=outcome.code, detail=outcome.detail, retry_after_s=wait_s)


def _object(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise TypeError("An answer is no JSON object.")
    return value


PAGE = 500
MESSAGES_A_BATCH = 50
THREADS_A_BATCH = 25
"""Google advises against more than 50 calls a batch. A batch costs the same for 20 calls and for 50."""
BATCH_MODIFY_FROM = 11
BATCH_MODIFY_MOST = 1000
T = TypeVar("T")
STATE_HEADERS = ["From", "Message-ID", "Date", "X-Replyroom-Outbox"]


class GmailClient(DraftMethods):
    """Implements `MailServer`. The draft methods are inherited."""

    async def profile(self) -> MailboxProfile:
        return await self._calls.read(self._gateway.users.getProfile(userId="me"), answers.profile)

    async def labels(self) -> tuple[Label, ...]:
        return await self._calls.read(self._gateway.labels.list(userId="me"), answers.labels)

    async def label_total(self, label_id: str) -> int:
        return await self._calls.read(self._gateway.labels.get(userId="me", id=label_id), answers.label_total)

    async def send_as(self) -> tuple[SendAs, ...]:
        return await self._calls.read(self._gateway.send_as.list(userId="me"), answers.send_as)

    async def set_signature(self, email: str, html: str) -> None:
        request = self._gateway.send_as.patch(userId="me", sendAsEmail=email, body={"signature": html})
        await self._calls.write(request, lambda _body: None)

    async def vacation(self) -> Vacation:
        return await self._calls.read(self._gateway.settings.getVacation(userId="me"), answers.vacation)

    async def set_vacation(self, vacation: Vacation) -> None:
        body: dict[str, object] = {
            "enableAutoReply": vacation.on,
            "responseSubject": vacation.subject,
            "responseBodyPlainText": vacation.text,
            "restrictToContacts": vacation.contacts_only,
        }
        times = {"startTime": vacation.from_ms, "endTime": vacation.until_ms}
        body |= {name: str(value) for name, value in times.items() if value}
        await self._calls.write(self._gateway.settings.updateVacation(userId="me", body=body), lambda _body: None)

    async def list_messages(
        self, query: str = "", label_ids: tuple[str, ...] = (), page_token: str = "", include_spam_trash: bool = False
    ) -> ListPage:
        request = self._gateway.messages.list(
            userId="me",
            maxResults=PAGE,
            q=query or None,
            labelIds=list(label_ids) or None,
            pageToken=page_token or None,
            includeSpamTrash=include_spam_trash or None,
        )
        page = await self._calls.read(request, answers.list_page)
        return replace(page, next_page_token="") if page.next_page_token == page_token else page  # else it would never end

    async def history(self, start: HistoryId, page_token: str = "") -> HistoryPage:
        request = self._gateway.history.list(
            userId="me", startHistoryId=str(start), maxResults=PAGE, pageToken=page_token or None
        )
        try:
            page = await self._calls.read(request, answers.history_page)
        except NotFound as error:
            raise CursorExpired(error.detail) from error
        if page_token and page.next_page_token == page_token:
            raise RejectedByServer("The history has no last page.")
        return page

    async def fetch_messages(self, ids: Sequence[GmailId]) -> tuple[Fetched, ...]:
        """Returns a result for each id, in their order. Sends batches of at most 50."""
        fetched: list[Fetched] = []
        for part in _parts(ids, MESSAGES_A_BATCH):
            wanted = {each: _whole("messages", each) for each in part}
            outcomes = await self._calls.batch(self._gateway.batch_url, wanted, message_of)
            fetched += [_fetched(each, outcomes[each]) for each in part]
        return tuple(fetched)

    async def fetch_threads(self, ids: Sequence[GmailThreadId]) -> tuple[tuple[GmailThreadId, tuple[Fetched, ...]], ...]:
        """Returns each thread with its messages' results; an error becomes one without an id. Sends batches of at most 25."""
        fetched: list[tuple[GmailThreadId, tuple[Fetched, ...]]] = []
        for part in _parts(ids, THREADS_A_BATCH):
            wanted = {each: _whole("threads", each) for each in part}
            outcomes = await self._calls.batch(self._gateway.batch_url, wanted, thread_of)
            for each, found in outcomes.items():
                if isinstance(found, tuple):
                    fetched.append((each, tuple(Fetched(message.gmail_id, message) for message in found)))
                else:
                    fetched.append((each, (_fetched(GmailId(""), found),)))
        return tuple(fetched)

    def room_s(self, units: int) -> float:
        return self._calls.room_s(units)

    async def thread_state(self, thread_id: GmailThreadId) -> tuple[ThreadMessage, ...]:
        request = self._gateway.threads.get(userId="me", id=thread_id, format="metadata", metadataHeaders=STATE_HEADERS)
        return await self._calls.read(request, answers.thread_state)

    async def modify(self, ids: Sequence[GmailId], add: Sequence[str], remove: Sequence[str]) -> None:
        """Changes labels. Messages that are gone are skipped. Raises `NotFound` if all of them are gone."""
        names = {"addLabelIds": list(add), "removeLabelIds": list(remove)}
        found = [await self._modify_part(part, names) for part in _parts(ids, BATCH_MODIFY_MOST)]
        if found and not any(found):
            raise NotFound(f"No message to label is left on the server ({len(ids)} asked).")

    async def _modify_part(self, ids: list[GmailId], names: dict[str, list[str]]) -> bool:
        """Whether at least one of the messages exists.

        A 404 for the whole batch does not tell how many are gone, so each half is tried.
        """
        if len(ids) < BATCH_MODIFY_FROM:
            found = False
            for each in ids:
                with suppress(NotFound):
                    await self._calls.write(self._gateway.messages.modify(userId="me", id=each, body=names), bytes)
                    found = True
            return found
        request = self._gateway.messages.batchModify(userId="me", body={"ids": ids, **names})
        try:
            await self._calls.write(request, bytes)
        except NotFound:
            half = len(ids) // 2
            return any([await self._modify_part(part, names) for part in (ids[:half], ids[half:])])
        return True

    async def create_label(self, name: str) -> Label:
        request = self._gateway.labels.create(userId="me", body={"name": name})
        try:
            return await self._calls.write(request, answers.label)
        except TemporarilyRejected:
            raise
        except RejectedByServer:
            existing = next((label for label in await self.labels() if label.name.casefold() == name.casefold()), None)
            if existing is None:
                raise
            return existing

    async def attachment(self, gmail_id: GmailId, part_id: str) -> bytes:
        """Returns an attachment's bytes. Raises `NotFound` if the message or the part does not exist."""
        return await read_attachment(self._gateway, gmail_id, part_id)

    async def download(self, gmail_id: GmailId, part_id: str, target: Path, told: Told) -> None:
        """Writes a part to a file. `SOURCE_PART` stands for the whole source. Raises `NotFound`."""
        if part_id == SOURCE_PART:
            await download_source(self._gateway, gmail_id, target, told)
        else:
            await download_part(self._gateway, gmail_id, part_id, target, told)

    async def close(self) -> None:
        await self._calls.close()


def connect(
    endpoint: Endpoint,
    credentials: Credentials,
    bucket: UnitBucket | None,
    *,
    sleep: Sleep = asyncio.sleep,
    backoff: Backoff | None = None,
    chance: Callable[[], float] = random.random,
    timeout_s: float = 60.0,
) -> GmailClient:
    """Makes a client for one account. Nothing is sent before the first call. Without a `bucket` calls are not paced."""
    transport = Transport(endpoint, credentials, timeout_s)
    calls = Calls(transport, bucket, sleep=sleep, backoff=backoff, chance=chance)
    return GmailClient(GmailCollections(endpoint, calls))


def _whole(collection: str, gmail_id: str) -> HttpCall:
    path = f"/gmail/v1/users/me/{collection}/{quote(gmail_id, safe='')}?format=full"
    return HttpCall(path, units=UNITS[f"{collection}.get"])


def _parts(ids: Sequence[T], most: int) -> list[list[T]]:
    unique = list(dict.fromkeys(ids))
    return [unique[at : at + most] for at in range(0, len(unique), most)]

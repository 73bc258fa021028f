"""Gmail drafts: the way everything leaves. Creating and sending are single requests, found out about afterwards.

What a search or a list answers is a place to look: a draft counts once it was read back and carries the mark that was asked
for. Whether a lost request is to be repeated is decided by `app.engine`, which finds out first.
"""

import base64
import json
from collections.abc import Iterable
from secrets import token_hex
from urllib.parse import quote

from app.domain.errors import NotFound, ServerError
from app.domain.ids import GmailDraftId, GmailId, GmailThreadId
from app.domain.ports.gmail import ReadDraft, RemoteDraft
from app.domain.sync import UNITS
from app.mail.gmail.wire import answers
from app.mail.gmail.wire.calls import BatchRead
from app.mail.gmail.wire.gateway import GmailCollections, call_of
from app.mail.gmail.wire.transport import HttpCall

UPLOAD_FROM_BYTES = 5_000_000
SEARCHED = 20
"""How many drafts of a search's answer are read: ours are one or two, and an answer with more is no answer to the search."""
RECENT = 20
"""How many of the newest drafts are read when one is looked for: the search index lags behind."""


class DraftMethods:
    """The draft methods of `MailServer`."""

    def __init__(self, gateway: GmailCollections) -> None:
        self._gateway = gateway

    async def create_draft(self, mime: bytes, thread_id: GmailThreadId) -> RemoteDraft:
        """`drafts.create`, as an upload above 5 MB. Never repeated."""
        place = {"threadId": thread_id} if thread_id else {}
        if len(mime) > UPLOAD_FROM_BYTES:
            call = _upload("POST", f"{self._gateway.root_url}upload/gmail/v1/users/me/drafts", {"message": place}, mime)
        else:
            raw = base64.urlsafe_b64encode(mime).decode("ascii")
            call = call_of(self._gateway.drafts.create(userId="me", body={"message": {"raw": raw, **place}}))
        return await self._gateway.calls.write(call, UNITS["drafts.create"], answers.draft)

    async def update_draft(self, draft_id: GmailDraftId, mime: bytes, thread_id: GmailThreadId) -> RemoteDraft:
        """`drafts.update`, as an upload above 5 MB: the draft has a new message. Raises `NotFound`. Safe to repeat."""
        place = {"threadId": thread_id} if thread_id else {}
        if len(mime) > UPLOAD_FROM_BYTES:
            url = f"{self._gateway.root_url}upload/gmail/v1/users/me/drafts/{quote(draft_id, safe='')}"
            call = _upload("PUT", url, {"message": place}, mime)
        else:
            raw = base64.urlsafe_b64encode(mime).decode("ascii")
            call = call_of(self._gateway.drafts.update(userId="me", id=draft_id, body={"message": {"raw": raw, **place}}))
        return await self._gateway.calls.write(call, UNITS["drafts.update"], answers.draft)

    async def get_draft(self, draft_id: GmailDraftId) -> ReadDraft:
        """Read a draft with its headers. Raises `NotFound`."""
        call = call_of(self._gateway.drafts.get(userId="me", id=draft_id, format="metadata"))
        found = await self._gateway.calls.read(call, UNITS["drafts.get"], answers.read_draft)
        if found.draft_id != draft_id:
            raise ServerError("The server answered with another draft.")
        return found

    async def find_drafts(self, mark: str) -> tuple[ReadDraft, ...]:
        """Find the drafts that carry `mark`, and read each back.

        They are looked for by a search and among the newest.
        """
        searched = await self._list(q=f"rfc822msgid:{mark.strip('<>')}", maxResults=SEARCHED)
        recent = await self._list(maxResults=RECENT)
        return await self._marked(dict.fromkeys(searched[:SEARCHED] + recent[:RECENT]), mark)

    async def send_draft(self, draft: ReadDraft) -> GmailId:
        """Send a draft by one HTTP request, never repeated."""
        call = call_of(self._gateway.drafts.send(userId="me", body={"id": draft.draft_id}))
        return await self._gateway.calls.write(call, UNITS["drafts.send"], answers.message_id)

    async def delete_draft(self, draft: ReadDraft) -> bool:
        """Delete a draft unless it is another by now.

        A draft that is gone already is fine.
        """
        call = call_of(self._gateway.drafts.delete(userId="me", id=draft.draft_id))
        try:
            if await self.get_draft(draft.draft_id) != draft:
                return False
            await self._gateway.calls.write(call, UNITS["drafts.delete"], bytes)
        except NotFound:
            pass
        return True

    async def _list(self, **parameters: object) -> tuple[GmailDraftId, ...]:
        call = call_of(self._gateway.drafts.list(userId="me", **parameters))
        return await self._gateway.calls.read(call, UNITS["drafts.list"], answers.draft_ids)

    async def _marked(self, draft_ids: Iterable[GmailDraftId], mark: str) -> tuple[ReadDraft, ...]:
        """Read drafts and keep those that carry the mark.

        A draft that vanished meanwhile carries none.
        """
        wanted = {
            each: BatchRead(f"/gmail/v1/users/me/drafts/{quote(each, safe='')}?format=metadata", UNITS["drafts.get"])
            for each in draft_ids
        }
        outcomes = await self._gateway.calls.batch(self._gateway.batch_url, wanted, answers.read_draft)
        found: list[ReadDraft] = []
        for draft_id, outcome in outcomes.items():
            if isinstance(outcome, NotFound):
                continue
            if isinstance(outcome, Exception):
                raise outcome  # an unread draft may be the one: better no answer than a wrong one
            found += [outcome] if outcome.draft_id == draft_id and outcome.carries(mark) else []
        return tuple(found)


def _upload(method: str, url: str, resource: dict[str, object], mime: bytes) -> HttpCall:
    """A `multipart/related` upload. Built here because the client library re-wraps the message's lines on the way."""
    boundary = f"upload_{token_hex(16)}"
    head = f"--{boundary}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n{json.dumps(resource)}\r\n"
    middle = f"--{boundary}\r\nContent-Type: message/rfc822\r\n\r\n"
    body = head.encode("ascii") + middle.encode("ascii") + mime + f"\r\n--{boundary}--\r\n".encode("ascii")
    headers = {"content-type": f'multipart/related; boundary="{boundary}"', "accept": "application/json"}
    return HttpCall(f"{url}?uploadType=multipart&alt=json", method, body, headers)

"""Gmail drafts, through which every mail is sent. Creating and sending are single requests, checked afterwards.

A search or list result is only a candidate: a draft counts once it was read back and carries the marker. `app.engine` decides
whether a lost request is repeated.
"""

import base64
import json
from collections.abc import Callable, Iterable
from functools import partial
from secrets import token_hex
from urllib.parse import quote

from app.domain.errors import NotFound, ServerError
from app.domain.ids import GmailDraftId, GmailId, GmailThreadId
from app.domain.ports.gmail import ReadDraft, RemoteDraft
from app.domain.sync import UNITS
from app.mail.gmail.wire import answers
from app.mail.gmail.wire.calls import BuiltRequest, GmailCollections
from app.mail.gmail.wire.transport import HttpCall

UPLOAD_FROM_BYTES = 5_000_000
SEARCHED = 20
"""Drafts read of a search result. We have one or two with a marker, so a longer result does not fit the search."""
RECENT = 20
"""Newest drafts that are read as well, because Gmail's search index lags behind."""


class DraftMethods:
    def __init__(self, gateway: GmailCollections) -> None:
        self._gateway, self._calls = gateway, gateway.calls

    async def create_draft(self, mime: bytes, thread_id: GmailThreadId) -> RemoteDraft:
        return await self._write("POST", self._gateway.drafts.create, mime, thread_id)

    async def update_draft(self, draft_id: GmailDraftId, mime: bytes, thread_id: GmailThreadId) -> RemoteDraft:
        return await self._write("PUT", partial(self._gateway.drafts.update, id=draft_id), mime, thread_id, draft_id)

    async def _write(
        self, verb: str, request: Callable[..., BuiltRequest], mime: bytes, thread_id: GmailThreadId, draft_id: str = ""
    ) -> RemoteDraft:
        message: dict[str, object] = {"threadId": thread_id} if thread_id else {}
        if len(mime) > UPLOAD_FROM_BYTES:
            url = f"{self._gateway.root_url}upload/gmail/v1/users/me/drafts/{quote(draft_id, safe='')}".rstrip("/")
            units = UNITS["drafts.update" if draft_id else "drafts.create"]
            return await self._calls.write(_upload(verb, url, {"message": message}, mime, units), answers.draft)
        message["raw"] = base64.urlsafe_b64encode(mime).decode("ascii")
        return await self._calls.write(request(userId="me", body={"message": message}), answers.draft)

    async def get_draft(self, draft_id: GmailDraftId) -> ReadDraft:
        request = self._gateway.drafts.get(userId="me", id=draft_id, format="metadata")
        found = await self._calls.read(request, answers.read_draft)
        if found.draft_id != draft_id:
            raise ServerError("The server answered with another draft.")
        return found

    async def find_drafts(self, mark: str) -> tuple[ReadDraft, ...]:
        """Returns the drafts that carry `mark`, each read back. Candidates are the drafts a search finds and the newest ones."""
        searched = await self._list(q=f"rfc822msgid:{mark.strip('<>')}", maxResults=SEARCHED)
        recent = await self._list(maxResults=RECENT)
        return await self._marked(dict.fromkeys(searched[:SEARCHED] + recent[:RECENT]), mark)

    async def send_draft(self, draft: ReadDraft) -> GmailId:
        return await self._calls.write(self._gateway.drafts.send(userId="me", body={"id": draft.draft_id}), answers.message_id)

    async def delete_draft(self, draft: ReadDraft) -> bool:
        request = self._gateway.drafts.delete(userId="me", id=draft.draft_id)
        try:
            if await self.get_draft(draft.draft_id) != draft:
                return False
            await self._calls.write(request, bytes)
        except NotFound:
            pass
        return True

    async def _list(self, **parameters: object) -> tuple[GmailDraftId, ...]:
        return await self._calls.read(self._gateway.drafts.list(userId="me", **parameters), answers.draft_ids)

    async def _marked(self, draft_ids: Iterable[GmailDraftId], mark: str) -> tuple[ReadDraft, ...]:
        """Reads drafts and keeps those with the marker. Drafts that are gone are skipped."""
        wanted = {
            each: HttpCall(f"/gmail/v1/users/me/drafts/{quote(each, safe='')}?format=metadata", units=UNITS["drafts.get"])
            for each in draft_ids
        }
        outcomes = await self._calls.batch(self._gateway.batch_url, wanted, answers.read_draft)
        found: list[ReadDraft] = []
        for draft_id, outcome in outcomes.items():
            if isinstance(outcome, NotFound):
                continue
            if isinstance(outcome, Exception):
                raise outcome  # an unread draft may be the wanted one: no answer is better than a wrong one
            found += [outcome] if outcome.draft_id == draft_id and outcome.carries(mark) else []
        return tuple(found)


def _upload(method: str, url: str, resource: dict[str, object], mime: bytes, units: int) -> HttpCall:
    """Builds a `multipart/related` upload. The client library's own upload would rewrap the message's lines."""
    boundary = f"upload_{token_hex(16)}"
    head = f"--{boundary}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n{json.dumps(resource)}\r\n"
    middle = f"--{boundary}\r\nContent-Type: message/rfc822\r\n\r\n"
    body = head.encode("ascii") + middle.encode("ascii") + mime + f"\r\n--{boundary}--\r\n".encode("ascii")
    headers = {"content-type": f'multipart/related; boundary="{boundary}"', "accept": "application/json"}
    return HttpCall(f"{url}?uploadType=multipart&alt=json", method, body, headers, units)

"""Gmail drafts: the way everything leaves. Creating and sending are single requests, found out about afterwards.

Refuses to decide whether a lost request is to be repeated; `app.engine` finds out first.
"""

import base64
import json
from secrets import token_hex
from urllib.parse import quote

from app.domain.errors import NotFound
from app.domain.ids import GmailDraftId, GmailId, GmailThreadId
from app.domain.ports.gmail import RemoteDraft
from app.domain.syncing import UNITS
from app.mail.wire import answers
from app.mail.wire.calls import Wanted
from app.mail.wire.gateway import Gateway, call_of
from app.mail.wire.transport import Call

UPLOAD_FROM_BYTES = 5_000_000
RECENT = 20
"""How many of the newest drafts are read when one is looked for: the search index lags behind."""


class DraftBox:
    """The draft methods of `MailServer`."""

    def __init__(self, gateway: Gateway) -> None:
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

    async def get_draft(self, draft_id: GmailDraftId) -> RemoteDraft:
        """`drafts.get` (minimal). Raises `NotFound`."""
        call = call_of(self._gateway.drafts.get(userId="me", id=draft_id, format="minimal"))
        return await self._gateway.calls.read(call, UNITS["drafts.get"], answers.draft)

    async def find_drafts(self, marker: str) -> tuple[RemoteDraft, ...]:
        """Drafts whose Message-ID is `marker`, found by search or among the newest."""
        searched = await self._list(q=f"rfc822msgid:{marker.strip('<>')}", maxResults=100)
        recent = await self._list(maxResults=RECENT)
        known = {each.draft_id for each in searched}
        unknown = [each for each in recent if each.draft_id not in known]
        return searched + await self._marked(unknown, marker)

    async def send_draft(self, draft_id: GmailDraftId) -> GmailId:
        """`drafts.send`: one HTTP request, never repeated."""
        call = call_of(self._gateway.drafts.send(userId="me", body={"id": draft_id}))
        return await self._gateway.calls.write(call, UNITS["drafts.send"], answers.message_id)

    async def delete_draft(self, draft_id: GmailDraftId) -> None:
        """`drafts.delete`; a draft that is gone already is fine."""
        call = call_of(self._gateway.drafts.delete(userId="me", id=draft_id))
        try:
            await self._gateway.calls.write(call, UNITS["drafts.delete"], bytes)
        except NotFound:
            return

    async def _list(self, **parameters: object) -> tuple[RemoteDraft, ...]:
        call = call_of(self._gateway.drafts.list(userId="me", **parameters))
        return await self._gateway.calls.read(call, UNITS["drafts.list"], answers.drafts)

    async def _marked(self, drafts: list[RemoteDraft], marker: str) -> tuple[RemoteDraft, ...]:
        """Those of `drafts` whose headers carry the marker; one that vanished meanwhile is none."""
        if not drafts:
            return ()
        wanted = {
            each.draft_id: Wanted(f"/gmail/v1/users/me/drafts/{each.draft_id}?format=metadata", UNITS["drafts.get"])
            for each in drafts
        }
        outcomes = await self._gateway.calls.batch(self._gateway.batch_url, wanted, answers.draft_marks)
        found: list[RemoteDraft] = []
        for outcome in outcomes.values():
            if isinstance(outcome, NotFound):
                continue
            if isinstance(outcome, Exception):
                raise outcome  # an unread draft may be the one: better no answer than a wrong one
            remote, marks = outcome
            found += [remote] if marker in marks else []
        return tuple(found)


def _upload(method: str, url: str, resource: dict[str, object], mime: bytes) -> Call:
    """A `multipart/related` upload. Built here because the client library re-wraps the message's lines on the way."""
    boundary = f"upload_{token_hex(16)}"
    head = f"--{boundary}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n{json.dumps(resource)}\r\n"
    middle = f"--{boundary}\r\nContent-Type: message/rfc822\r\n\r\n"
    body = head.encode("ascii") + middle.encode("ascii") + mime + f"\r\n--{boundary}--\r\n".encode("ascii")
    headers = {"content-type": f'multipart/related; boundary="{boundary}"', "accept": "application/json"}
    return Call(f"{url}?uploadType=multipart&alt=json", method, body, headers)

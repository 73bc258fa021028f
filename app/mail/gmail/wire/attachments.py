"""Reads attachments by message id and part id.

Gmail's attachment ids change with every read, so the part is looked up first.
"""

from collections.abc import Callable
from pathlib import Path

import msgspec

from app.domain.errors import NotFound
from app.domain.ids import GmailId
from app.mail.archives.resource import part_of
from app.mail.gmail.wire import answers
from app.mail.gmail.wire.calls import BuiltRequest, GmailCollections, decoded
from app.mail.gmail.wire.transport import Told
from app.mail.mime.parts import MimePart, parts_of


async def read_attachment(gateway: GmailCollections, gmail_id: GmailId, part_id: str) -> bytes:
    """Returns the decoded bytes of part `part_id`. Raises `NotFound` if the message has no such part or the part has no bytes."""
    part = await _found(gateway, gmail_id, part_id)
    if part is None:
        raise NotFound(f"Message {gmail_id} has no part {part_id}.")
    if not part.attachment_id:
        return part.data if part.raw else await _from_source(gateway, gmail_id, part_id)
    request = gateway.attachments.get(userId="me", messageId=gmail_id, id=part.attachment_id)
    return await gateway.calls.read(request, answers.attachment_bytes)


async def _found(gateway: GmailCollections, gmail_id: GmailId, part_id: str) -> MimePart | None:
    request = gateway.messages.get(userId="me", id=gmail_id, format="full", fields="id,payload")
    return next((each for each in await gateway.calls.read(request, _parts) if each.part_id == part_id), None)


async def download_part(gateway: GmailCollections, gmail_id: GmailId, part_id: str, target: Path, told: Told) -> None:
    """Writes a part to the file `target`, which is never incomplete. Raises like `read_attachment`."""
    part = await _found(gateway, gmail_id, part_id)
    if part is None or not part.attachment_id:
        data = await read_attachment(gateway, gmail_id, part_id)
        await gateway.calls.run(lambda: _write_whole(target, data))
        return
    request = gateway.attachments.get(userId="me", messageId=gmail_id, id=part.attachment_id)
    await _download(gateway, request, answers.attachment_bytes, target, told)


async def download_source(gateway: GmailCollections, gmail_id: GmailId, target: Path, told: Told) -> None:
    """Writes a message's whole source (RFC 5322) to the file `target`."""
    request = gateway.messages.get(userId="me", id=gmail_id, format="raw", fields="id,raw")
    await _download(gateway, request, answers.source_bytes, target, told)


async def _download(
    gateway: GmailCollections, request: BuiltRequest, decode: Callable[[bytes], bytes], target: Path, told: Told
) -> None:
    partial = target.with_name(f"{target.name}.part")
    try:
        await gateway.calls.download(request, partial, told)
        await gateway.calls.run(lambda: _write_whole(target, decoded(partial.read_bytes(), decode)))
    finally:
        partial.unlink(missing_ok=True)


def _write_whole(target: Path, data: bytes) -> None:
    """Writes to a temporary file and renames it, so `target` is never incomplete."""
    made = target.with_name(f"{target.name}.new")
    made.write_bytes(data)
    made.replace(target)


async def _from_source(gateway: GmailCollections, gmail_id: GmailId, part_id: str) -> bytes:
    """Cuts the part out of the message's source. Gmail lists the parts of messages inside a message, but not their bytes."""
    request = gateway.messages.get(userId="me", id=gmail_id, format="raw")
    source = await gateway.calls.read(request, answers.source_bytes)
    data = await gateway.calls.run(lambda: decoded(source, lambda mail: part_of(mail, part_id)))
    if data is None:
        raise NotFound(f"Message {gmail_id} has no bytes for part {part_id}.")
    return data


def _parts(body: bytes) -> tuple[MimePart, ...]:
    found = msgspec.json.decode(body)
    payload = found.get("payload") if isinstance(found, dict) else None
    if not isinstance(payload, dict):
        raise TypeError("A message has no payload.")
    return parts_of(payload).parts

"""Files of mails on the owner's disk: fetched once, resumed after cuts and crashes, under safe names; invitations and sources."""

import stat
from pathlib import Path

import pytest

from app.domain.drafting.invitation import ReadInvitation, ReceivedInvitation
from app.domain.errors import NotFound
from app.domain.ids import GmailId
from app.domain.mail.files import SOURCE_PART, FetchFile, FileChanged, FileState, Unsubscribe
from app.domain.mail.message import Message
from app.domain.protocol.events import CommandFailed
from fakes.gmail.awkward_mail import awkward_bytes
from fakes.gmail.sending import Stage

ATTACHMENTS = "gmail.users.messages.attachments.get"


def with_file(name: str, size: int) -> bytes:
    """A mail with one file of so many bytes."""
    import base64

    body = base64.encodebytes(bytes(range(256)) * (size // 256)).decode().replace("\n", "\r\n")
    return (
        "From: a@partner.org\r\nTo: me@example.com\r\nSubject: A file\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nSee it.\r\n'
        f'--b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename="{name}"\r\n'
        f"Content-Transfer-Encoding: base64\r\n\r\n{body}\r\n--b--\r\n"
    ).encode()


async def delivered(stage: Stage, raw: bytes) -> Message:
    """A mail arrives and is mirrored."""
    return await stage.mirrored(GmailId(stage.sandbox.deliver(raw)["id"]))


async def here(stage: Stage, message: Message, part_id: str) -> Path:
    """Wait until a part is on disk."""

    def look() -> Path | None:
        file = stage.engine.reader.file(message.id, part_id)
        return file.path if file is not None and file.state is FileState.HERE else None

    return await stage.engine.until(look)


async def test_a_file_comes_once_under_a_safe_name(stage: Stage) -> None:
    message = await delivered(stage, with_file("..\\\\..\\\\con.pdf", 512_000))
    part = message.attachments[0].part_id
    await stage.engine.do(FetchFile(message.id, part))
    path = await here(stage, message, part)
    assert path.read_bytes() == bytes(range(256)) * 2000
    assert path.is_relative_to(stage.data / "attachments")
    assert ".." not in path.name
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in path.parent.iterdir()] == [path.name]
    asked = stage.sends()[ATTACHMENTS]
    await stage.engine.do(FetchFile(message.id, part))
    assert stage.sends()[ATTACHMENTS] == asked == 1


async def test_cut_in_the_middle_it_is_fetched_all_the_same(stage: Stage) -> None:
    message = await delivered(stage, with_file("a.pdf", 256_000))
    part = message.attachments[0].part_id
    stage.sandbox.faults.add("truncate", ATTACHMENTS, times=2)
    await stage.engine.do(FetchFile(message.id, part))
    assert (await here(stage, message, part)).stat().st_size == 256_000
    assert stage.sends()[ATTACHMENTS] == 3


async def test_killed_on_the_way_it_comes_after_the_restart(stage: Stage) -> None:
    message = await delivered(stage, with_file("a.pdf", 25_600))
    part = message.attachments[0].part_id
    rule = stage.sandbox.faults.add("slow", ATTACHMENTS, seconds=10.0)
    await stage.engine.do(FetchFile(message.id, part))
    await stage.fired(rule)
    await stage.crash()
    stage.sandbox.faults.clear()
    await stage.restart()
    assert (await here(stage, message, part)).stat().st_size == 25_600


async def test_a_failure_is_told_and_can_be_tried_again(stage: Stage) -> None:
    message = await delivered(stage, with_file("a.pdf", 2560))
    part = message.attachments[0].part_id
    rule = stage.sandbox.faults.add("403-permission", ATTACHMENTS, times=0)
    await stage.engine.do(FetchFile(message.id, part))
    failed = await stage.engine.event(FileChanged, lambda one: one.state is FileState.FAILED)
    assert failed.error == "permission_missing"
    stage.sandbox.faults.remove(rule)
    await stage.engine.do(FetchFile(message.id, part))
    await here(stage, message, part)
    await stage.engine.do(FetchFile(message.id, "77"))
    assert (await stage.engine.event(CommandFailed)).code == "not_found"


async def test_the_source_is_the_mail_byte_for_byte(stage: Stage) -> None:
    raw = awkward_bytes("multi_nested_deep")
    message = await delivered(stage, raw)
    await stage.engine.do(FetchFile(message.id, SOURCE_PART))
    path = await here(stage, message, SOURCE_PART)
    assert path.suffix == ".eml"
    assert raw.split(b"\r\n\r\n", 1)[1] in path.read_bytes()


async def test_an_invitation_is_read_and_none_is_named(stage: Stage) -> None:
    message = await delivered(stage, awkward_bytes("calendar_alternative"))
    found = await stage.engine.client.ask(ReadInvitation(message.id))
    assert isinstance(found, ReceivedInvitation)
    invitation = found.invitation
    assert (invitation.method, invitation.summary, invitation.where, invitation.organizer) == (
        "request",
        "Loading plan",
        "Hall 4",
        "Olga",
    )
    assert invitation.attendees == ("me@example.com",)
    plain = await delivered(stage, awkward_bytes("html_only"))
    with pytest.raises(NotFound):
        await stage.engine.client.ask(ReadInvitation(plain.id))


async def test_a_list_without_a_verified_way_is_not_left(stage: Stage) -> None:
    raw = b"From: l@list.org\r\nTo: me@example.com\r\nSubject: x\r\nList-Unsubscribe: <https://list.invalid/u>\r\n"
    message = await delivered(stage, raw + b"List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n\r\nx\r\n")
    await stage.engine.do(Unsubscribe(message.id))
    assert (await stage.engine.event(CommandFailed, lambda one: one.command == "Unsubscribe")).code == "refused"

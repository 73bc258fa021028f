"""Mail written by hand through the real engine and a real server: new, reply, forward, drafts, crash, undo."""

import base64
from collections.abc import AsyncIterator, Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from app.domain.ids import LetterId, OutboxId, ThreadId
from app.domain.mail.letter import Letter, LetterKind, LetterState, RemoteDraftChange, StoredLetter, Style, StyleKind
from app.domain.mail.message import Address, Message
from app.domain.mail.outbox import HoldReason, OutboxItem, OutboxState
from app.domain.protocol.commands import CancelSend, SendNow
from app.domain.protocol.events import CommandFailed, ErrorReported
from app.domain.protocol.letter_commands import (
    AdoptDraft,
    AttachFile,
    DiscardLetter,
    DraftNudge,
    InsertPicture,
    LetterChanged,
    RemoveFile,
    RestoreFile,
    RestoreLetter,
    SaveLetter,
    SendLetter,
    SettleDraft,
)
from app.domain.protocol.views import MailView
from app.domain.record import replace
from app.store.accounts import Accounts
from app.store.outbox import Outbox
from fakes.engine.engine_process import QUICK
from fakes.gmail.sandbox import AdminError
from fakes.gmail.sending import ANN, Stage, follow_up, opened, staged

WITH_UNDO = QUICK.replace("undo_s = 0", "undo_s = 120")


@pytest.fixture(scope="module")
async def engine(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    """One engine for all tests here."""
    async with staged(tmp_path_factory.mktemp("letters") / "data", WITH_UNDO) as stage:
        yield stage


@pytest.fixture
def stage(engine: Stage) -> Iterator[Stage]:
    """The stage with nothing seen and no faults."""
    engine.engine.seen.clear()
    yield engine
    engine.sandbox.faults.clear()


def new(stage: Stage, **changes: object) -> Letter:
    """A letter to Ann."""
    account = stage.engine.reader.accounts()[0]
    made = Letter(
        LetterId(str(uuid4())), account.id, LetterKind.NEW, to=(ANN,), subject=f"Plan {uuid4().hex[:6]}", body="Hello Ann."
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def kept(stage: Stage, letter: Letter) -> StoredLetter:
    """The letter as the window reads it."""
    stored = stage.engine.reader.letter(letter.id)
    assert stored is not None
    return stored


def looked_after(stage: Stage, letter: Letter) -> bool:
    """Whether the keeper still knows a draft of the letter."""
    with opened(stage.data) as db:
        return bool(db.read("SELECT draft_id FROM letters WHERE id = ?", (letter.id,))[0][0])


def drafts(stage: Stage, subject: str) -> list[EmailMessage]:
    """Drafts on the server with that subject."""
    found = [read(stage, one["message"]["id"]) for one in stage.sandbox.mail.drafts()]
    return [one for one in found if one is not None and one["Subject"] == subject]


def sent(stage: Stage, subject: str) -> list[tuple[str, EmailMessage]]:
    """Thread ids and mails that were sent with that subject."""
    found = [(one["threadId"], read(stage, one["id"])) for one in stage.sandbox.sent()]
    return [(thread, one) for thread, one in found if one is not None and one["Subject"] == subject]


def read(stage: Stage, gmail_id: str) -> EmailMessage | None:
    """A message of the server; None when it is gone meanwhile."""
    try:
        found = message_from_bytes(stage.sandbox.mail.raw(gmail_id), policy=policy.default)
    except AdminError:
        return None
    assert isinstance(found, EmailMessage)
    return found


def item(stage: Stage, outbox_id: OutboxId) -> OutboxItem:
    """The outbox row."""
    with opened(stage.data) as db:
        return Outbox(db, lambda: None).get(outbox_id)  # type: ignore[arg-type,return-value]


async def leaving(stage: Stage, letter: Letter, revision: int = 1) -> OutboxId:
    """Send it; the outbox id."""
    await stage.engine.do(SendLetter(letter, revision))
    stored = kept(stage, letter)
    assert stored.state is LetterState.LEAVING, [one for one in stage.engine.seen if isinstance(one, CommandFailed)]
    return stored.outbox_id


async def hurried(stage: Stage, letter: Letter, outbox_id: OutboxId) -> None:
    """End the undo delay and wait until it has been sent."""
    await stage.engine.do(SendNow(outbox_id))
    await stage.engine.until(lambda: item(stage, outbox_id).state is OutboxState.SENT)
    await stage.engine.until(lambda: kept(stage, letter).state is LetterState.SENT)


PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==")


async def test_a_picture_stands_in_the_text_on_the_server_and_here(stage: Stage) -> None:
    shown, removed = "picture-1.png", "picture-2.png"
    letter = new(stage, body="Look: here.", styles=(Style(6, 6, StyleKind.PICTURE, shown),))
    await stage.engine.do(SaveLetter(letter, 1))
    for name in (shown, removed):
        await stage.engine.do(InsertPicture(letter.id, name, PNG))
    await stage.engine.do(InsertPicture(letter.id, "picture-3.png", b"<svg/>"))
    assert any(isinstance(one, CommandFailed) for one in stage.engine.seen), "no picture"
    assert stage.engine.reader.letter_picture(letter.id, shown) == PNG
    await stage.engine.until(lambda: drafts(stage, letter.subject) != [])
    assert kept(stage, letter).letter.styles == letter.styles, "the draft keeps it"
    await hurried(stage, letter, await leaving(stage, letter, 2))
    ((_, mail),) = sent(stage, letter.subject)
    assert list(mail.iter_attachments()) == [], "it is part of the text, and the removed one is gone"
    kinds = [part.get_content_type() for part in mail.walk()]
    assert kinds == ["multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png"]
    (picture,) = [part for part in mail.walk() if part.get_content_type() == "image/png"]
    assert picture.get_payload(decode=True) == PNG
    rich = mail.get_body(("html",))
    assert rich is not None and f'src="cid:{picture["Content-ID"].strip("<>")}"' in rich.get_content()
    marker = mail["Message-ID"]

    def here() -> Message | None:
        ids = stage.engine.reader.thread_ids(MailView.SENT)
        messages = (one for key in ids for one in stage.engine.reader.messages(ThreadId(key)))
        return next((one for one in messages if one.rfc822_id == marker), None)

    await stage.engine.until(lambda: here() is not None)
    message = here()
    assert message is not None
    assert [(one.inline, one.content_id) for one in message.attachments] == [(True, "picture-1.png@replyroom.invalid")]


async def test_a_new_mail_is_sent_once_with_its_styles_and_files(stage: Stage, tmp_path: Path) -> None:
    letter = new(stage, styles=(Style(0, 5, StyleKind.BOLD),))
    await stage.engine.do(SaveLetter(letter, 1))
    file = tmp_path / "plán.txt"
    file.write_text("first")
    await stage.engine.do(AttachFile(letter.id, file))
    file.write_text("changed afterwards")
    outbox_id = await leaving(stage, letter, 2)
    await stage.engine.do(SendLetter(letter, 3))
    await hurried(stage, letter, outbox_id)
    ((_, mail),) = sent(stage, letter.subject)
    (attached,) = mail.iter_attachments()
    assert (attached.get_filename(), attached.get_content().strip()) == ("plán.txt", "first")
    rich = mail.get_body(("html",))
    assert rich is not None and "<b>Hello</b>" in rich.get_content()
    await stage.engine.until(lambda: not drafts(stage, letter.subject))


async def test_a_reply_stands_in_its_thread(stage: Stage) -> None:
    message = await stage.ask()
    letter = new(stage, kind=LetterKind.REPLY, about=message.id, subject=f"Re: {message.subject}")
    await hurried(stage, letter, await leaving(stage, letter))
    ((thread, mail),) = sent(stage, letter.subject)
    assert thread == message.gmail_thread_id
    assert mail["In-Reply-To"] == message.rfc822_id
    plain = mail.get_body(("plain",))
    assert plain is not None and "> Could you tell me" in plain.get_content()


async def test_a_newer_mail_holds_a_reply_and_it_comes_back(stage: Stage) -> None:
    message = await stage.ask()
    letter = new(stage, kind=LetterKind.REPLY, about=message.id, subject=f"Re: {message.subject}")
    outbox_id = await leaving(stage, letter)
    stage.sandbox.deliver(follow_up(message, "Never mind."))
    await stage.engine.do(SendNow(outbox_id))
    await stage.engine.until(lambda: item(stage, outbox_id).state is OutboxState.HELD)
    assert item(stage, outbox_id).reason == HoldReason.NEWER_MAIL
    await stage.engine.do(CancelSend(outbox_id))
    assert kept(stage, letter).state is LetterState.OPEN
    assert not sent(stage, letter.subject)


async def test_a_forward_takes_the_files_along(stage: Stage) -> None:
    raw = (
        b"From: Ann Berg <ann@partner.org>\r\nTo: me@example.com\r\nSubject: Papers\r\nMIME-Version: 1.0\r\n"
        b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nSee the file.\r\n'
        b'--b\r\nContent-Type: application/pdf; name="offer.pdf"\r\nContent-Disposition: inline; filename="offer.pdf"\r\n'
        b"Content-Transfer-Encoding: base64\r\n\r\nJVBERi0xLjQgdGVzdA==\r\n--b--\r\n"
    )
    message = await stage.mirrored(stage.sandbox.deliver(raw)["id"])
    letter = new(
        stage, kind=LetterKind.FORWARD, about=message.id, subject=f"Fwd: Papers {uuid4().hex[:6]}", to=(Address("bob@x.org"),)
    )
    await stage.engine.do(SaveLetter(letter, 1))
    await stage.engine.until(lambda: all(one.here for one in kept(stage, letter).files) and kept(stage, letter).files)
    await hurried(stage, letter, await leaving(stage, letter, 2))
    ((_, mail),) = sent(stage, letter.subject)
    (attached,) = mail.iter_attachments()
    assert (attached.get_filename(), attached.get_content()) == ("offer.pdf", b"%PDF-1.4 test")
    plain = mail.get_body(("plain",))
    assert plain is not None and "Forwarded message" in plain.get_content()


async def test_a_forward_shows_the_pictures_of_the_text(stage: Stage) -> None:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "Ann Berg <ann@partner.org>", "me@example.com", "Screens"
    made.set_content("See the screens.")
    made.add_alternative('<p>One <img src="cid:a@x"></p><p>Two <img src="cid:b@x"></p>', subtype="html")
    rich = list(made.iter_parts())[1]
    assert isinstance(rich, EmailMessage)
    for key, data in (("a@x", PNG), ("b@x", PNG + b"2"), ("unused@x", PNG + b"3")):
        rich.add_related(data, "image", "png", cid=f"<{key}>", filename="image.png", disposition="inline")
    message = await stage.mirrored(stage.sandbox.deliver(made.as_bytes())["id"])
    subject = f"Fwd: Screens {uuid4().hex[:6]}"
    letter = new(stage, kind=LetterKind.FORWARD, about=message.id, subject=subject, to=(Address("bob@x.org"),))
    await stage.engine.do(SaveLetter(letter, 1))
    await stage.engine.until(lambda: len(kept(stage, letter).files) == 3 and all(one.here for one in kept(stage, letter).files))
    await hurried(stage, letter, await leaving(stage, letter, 2))
    ((_, mail),) = sent(stage, letter.subject)
    page = mail.get_body(("html",))
    assert page is not None
    shown = {part["Content-ID"].strip("<>"): part.get_content() for part in mail.walk() if part["Content-ID"]}
    assert sorted(shown.values()) == [PNG, PNG + b"2"]
    assert all(f'src="cid:{key}"' in page.get_content() for key in shown)
    assert [one.get_content() for one in mail.iter_attachments()] == [PNG + b"3"], "what the text does not show is a file"


async def test_a_reply_outlives_the_mail_it_answers(stage: Stage) -> None:
    message = await stage.ask()
    letter = new(stage, kind=LetterKind.REPLY, about=message.id, subject=f"Re: {uuid4().hex[:6]}")
    forward = new(stage, kind=LetterKind.FORWARD, about=message.id, subject="Fwd: Gone")
    await stage.engine.do(SaveLetter(letter, 1))
    stage.sandbox.mail.delete(message.gmail_id)
    await stage.engine.until(lambda: stage.engine.reader.message(message.id) is None)
    await stage.engine.do(SaveLetter(replace(letter, body="Second words."), 2))
    assert kept(stage, letter).letter.body == "Second words."
    await hurried(stage, letter, await leaving(stage, replace(letter, body="Second words."), 3))
    assert len(sent(stage, letter.subject)) == 1
    await stage.engine.do(SendLetter(forward, 1))
    failed = [one for one in stage.engine.seen if isinstance(one, CommandFailed)]
    assert [one.text.cause for one in failed] == ["FORWARDED_GONE"], "nothing is left to forward"


async def test_undo_opens_the_letter_again(stage: Stage) -> None:
    letter = new(stage)
    outbox_id = await leaving(stage, letter)
    told = await stage.engine.event(LetterChanged, lambda one: one.state == LetterState.LEAVING)
    assert told.undo_until_ms > 0
    await stage.engine.do(CancelSend(outbox_id))
    assert kept(stage, letter).state is LetterState.OPEN
    assert item(stage, outbox_id).state is OutboxState.CANCELLED
    again = await leaving(stage, replace(letter, body="Better words."), 9)
    await hurried(stage, letter, again)
    ((_, mail),) = sent(stage, letter.subject)
    assert "Better words." in str(mail.get_body(("plain",)))


async def test_a_draft_is_kept_in_gmail_updated_and_deleted(stage: Stage) -> None:
    letter = new(stage)
    await stage.engine.do(SaveLetter(letter, 1))
    await stage.engine.until(lambda: kept(stage, letter).in_gmail)
    assert len(drafts(stage, letter.subject)) == 1
    await stage.engine.do(SaveLetter(replace(letter, body="Second words."), 2))
    await stage.engine.until(lambda: kept(stage, letter).in_gmail)
    (draft,) = drafts(stage, letter.subject)
    assert "Second words." in str(draft.get_body(("plain",)))
    await stage.engine.do(DiscardLetter(letter.id))
    await stage.engine.until(lambda: not drafts(stage, letter.subject))
    await stage.engine.do(RestoreLetter(letter.id))
    await stage.engine.until(lambda: len(drafts(stage, letter.subject)) == 1)


async def test_a_lost_answer_makes_no_second_draft(stage: Stage) -> None:
    letter = new(stage)
    stage.sandbox.faults.add("cut", "gmail.users.drafts.create", when="after")
    await stage.engine.do(SaveLetter(letter, 1))
    await stage.engine.until(lambda: len(drafts(stage, letter.subject)) == 1)
    await stage.engine.do(SaveLetter(replace(letter, body="More."), 2))
    await stage.engine.until(lambda: kept(stage, letter).in_gmail)
    assert len(drafts(stage, letter.subject)) == 1


async def test_a_draft_edited_elsewhere_is_noticed_and_the_user_chooses(stage: Stage, tmp_path: Path) -> None:
    """Words and files alike: what was attached there goes along, what was taken off there does not."""
    letter = new(stage)
    (tmp_path / "old.txt").write_text("old")
    await stage.engine.do(SaveLetter(letter, 1))
    await stage.engine.do(AttachFile(letter.id, tmp_path / "old.txt"))
    await stage.engine.until(lambda: kept(stage, letter).in_gmail)
    edited = (
        f"To: ann@partner.org\r\nFrom: me@example.com\r\nSubject: {letter.subject}\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nFrom my phone.\r\n'
        '--b\r\nContent-Type: text/plain; name="new.txt"\r\nContent-Disposition: attachment; filename="new.txt"\r\n\r\nnew\r\n'
        "--b--\r\n"
    ).encode()
    places = [one for one in stage.sandbox.mail.drafts() if str(read(stage, one["message"]["id"])).find(letter.subject) > 0]
    stage.sandbox.mail.edit_draft(places[0]["id"], edited)
    await stage.engine.until(lambda: kept(stage, letter).elsewhere is RemoteDraftChange.EDITED)
    await stage.engine.do(SendLetter(letter, 5))
    assert (await stage.engine.event(CommandFailed)).code == "refused"
    await stage.engine.do(SettleDraft(letter.id, theirs=True))
    stored = kept(stage, letter)
    assert (stored.letter.body.strip(), stored.elsewhere) == ("From my phone.", RemoteDraftChange.NOTHING)
    assert len(drafts(stage, letter.subject)) == 1
    typed = replace(stored.letter, body="From my phone, and more.")
    await stage.engine.do(SaveLetter(typed, stored.revision + 1))
    await stage.engine.do(SettleDraft(letter.id, theirs=True))  # again, as after a crash of the engine
    assert kept(stage, letter).letter.body == typed.body
    await stage.engine.until(lambda: all(one.here for one in kept(stage, letter).files))
    await hurried(stage, letter, await leaving(stage, typed, stored.revision + 2))
    ((_, mail),) = sent(stage, letter.subject)
    assert [(one.get_filename(), one.get_content().strip()) for one in mail.iter_attachments()] == [("new.txt", "new")]


async def test_a_draft_edited_elsewhere_outlives_its_letter(stage: Stage) -> None:
    letter = new(stage)
    await stage.engine.do(SaveLetter(letter, 1))
    await stage.engine.until(lambda: kept(stage, letter).in_gmail)
    (place,) = [one for one in stage.sandbox.mail.drafts() if letter.subject in str(read(stage, one["message"]["id"]))]
    edited = f"To: ann@partner.org\r\nFrom: me@example.com\r\nSubject: {letter.subject}\r\n\r\nFrom my phone.\r\n".encode()
    stage.sandbox.mail.edit_draft(place["id"], edited)
    await stage.engine.do(DiscardLetter(letter.id))
    await stage.engine.until(lambda: not looked_after(stage, letter))
    (left,) = drafts(stage, letter.subject)
    assert "From my phone." in str(left.get_body(("plain",)))


def begun_elsewhere(stage: Stage, rest: str, sender: str = "me@example.com") -> dict[str, Any]:
    """A draft as another program makes it; `rest` follows its first headers."""
    raw = f"To: ann@partner.org\r\nFrom: {sender}\r\nMessage-ID: <{uuid4()}@mail.example>\r\n{rest}"
    body = {"message": {"raw": base64.urlsafe_b64encode(raw.encode()).decode()}}
    bearer = {"Authorization": f"Bearer {stage.sandbox.token}"}
    answer = httpx.post(f"{stage.sandbox.url}/gmail/v1/users/me/drafts", json=body, headers=bearer)
    made: dict[str, Any] = answer.raise_for_status().json()
    return made


async def test_a_draft_begun_elsewhere_is_gone_on_with(stage: Stage) -> None:
    subject = f"Begun {uuid4().hex[:6]}"
    made = begun_elsewhere(stage, f"Subject: {subject}\r\n\r\nHalf a\r\n")
    message = await stage.mirrored(made["message"]["id"])
    assert message.id in stage.engine.reader.draft_names()
    letter_id = LetterId(str(uuid4()))
    await stage.engine.do(AdoptDraft(message.id, letter_id))
    stored = stage.engine.reader.letter(letter_id)
    assert stored is not None and stored.letter.body.strip() == "Half a"
    await stage.engine.do(SaveLetter(replace(stored.letter, body="Half a sentence, finished."), 2))
    await stage.engine.until(lambda: [one for one in drafts(stage, subject) if "finished" in str(one)])
    assert len(drafts(stage, subject)) == 1


async def test_a_draft_of_gmail_leaves_from_the_address_chosen_there(stage: Stage) -> None:
    """Begun there or changed there: an alias stays the sender."""
    account, alias, subject = stage.engine.reader.accounts()[0], "office@example.com", f"Begun {uuid4().hex[:6]}"
    with opened(stage.data) as db:
        Accounts(db).add(account.email, account.name, (account.email, alias), account.signature, account.colour)
    letter = new(stage)
    await stage.engine.do(SaveLetter(letter, 1))
    await stage.engine.until(lambda: kept(stage, letter).in_gmail)
    (place,) = [one for one in stage.sandbox.mail.drafts() if letter.subject in str(read(stage, one["message"]["id"]))]
    raw = f"To: ann@partner.org\r\nFrom: Office <{alias}>\r\nSubject: {letter.subject}\r\n\r\nFrom my phone.\r\n".encode()
    stage.sandbox.mail.edit_draft(place["id"], raw)
    await stage.engine.until(lambda: kept(stage, letter).elsewhere is RemoteDraftChange.EDITED)
    await stage.engine.do(SettleDraft(letter.id, theirs=True))
    assert kept(stage, letter).letter.sender == alias
    _, stored = await adopted(stage, subject, sender=alias)
    assert stored.letter.sender == alias


async def adopted(stage: Stage, subject: str, sender: str = "me@example.com") -> tuple[dict[str, Any], StoredLetter]:
    """A draft begun elsewhere, and the letter that it became."""
    made = begun_elsewhere(stage, f"Subject: {subject}\r\n\r\nHalf a\r\n", sender)
    message, letter_id = await stage.mirrored(made["message"]["id"]), LetterId(str(uuid4()))
    await stage.engine.do(AdoptDraft(message.id, letter_id))
    stored = stage.engine.reader.letter(letter_id)
    assert stored is not None
    return made, stored


@pytest.mark.parametrize("leaves", [True, False])
async def test_a_draft_begun_elsewhere_goes_with_its_letter(stage: Stage, leaves: bool) -> None:
    subject = f"Begun {uuid4().hex[:6]}"
    _, stored = await adopted(stage, subject)
    if leaves:
        await hurried(stage, stored.letter, await leaving(stage, stored.letter, 2))
    else:
        await stage.engine.do(DiscardLetter(stored.letter.id))
    await stage.engine.until(lambda: not drafts(stage, subject))
    assert len(sent(stage, subject)) == leaves


async def test_a_draft_begun_elsewhere_that_was_written_on_there_outlives_its_letter(stage: Stage) -> None:
    subject = f"Begun {uuid4().hex[:6]}"
    made, stored = await adopted(stage, subject)
    stage.sandbox.mail.edit_draft(made["id"], f"To: ann@partner.org\r\nSubject: {subject}\r\n\r\nFrom my phone.\r\n".encode())
    await stage.engine.do(DiscardLetter(stored.letter.id))
    await stage.engine.until(lambda: not looked_after(stage, stored.letter))
    (left,) = drafts(stage, subject)
    assert "From my phone." in left.as_string()


@pytest.mark.parametrize("theirs", [True, False])
async def test_a_version_that_the_user_chose_goes_with_the_letter(stage: Stage, theirs: bool) -> None:
    """It carries no mark of ours: it is the very message that was chosen."""
    letter = new(stage)
    await stage.engine.do(SaveLetter(letter, 1))
    await stage.engine.until(lambda: kept(stage, letter).in_gmail)
    (place,) = [one for one in stage.sandbox.mail.drafts() if letter.subject in str(read(stage, one["message"]["id"]))]
    stage.sandbox.mail.edit_draft(place["id"], f"To: ann@partner.org\r\nSubject: {letter.subject}\r\n\r\nPhone.\r\n".encode())
    await stage.engine.until(lambda: kept(stage, letter).elsewhere is RemoteDraftChange.EDITED)
    await stage.engine.do(SettleDraft(letter.id, theirs=theirs))
    await stage.engine.do(DiscardLetter(letter.id))
    await stage.engine.until(lambda: not drafts(stage, letter.subject))


@pytest.mark.parametrize(("extra", "told"), [("", []), ('<font color="red">Soon!</font>', ["draft_simplified"])])
async def test_a_draft_of_another_program_keeps_its_simple_looks(stage: Stage, extra: str, told: list[str]) -> None:
    """Bold, italic, links and lists come along and leave again; that anything else was left behind is said."""
    subject = f"Looks {uuid4()}"
    rich = (
        f'<div dir="ltr">Dear <b>Ann</b>,<div><br></div><div>see <a href="https://example.org/a?b=1&amp;c=2">the <i>plan</i></a>:'
        f"</div><ul><li>one</li><li>two</li></ul>{extra}</div>"
    )
    made = begun_elsewhere(
        stage, f"Subject: {subject}\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{rich}\r\n"
    )
    message = await stage.mirrored(made["message"]["id"])
    letter_id = LetterId(str(uuid4()))
    await stage.engine.do(AdoptDraft(message.id, letter_id))
    stored = stage.engine.reader.letter(letter_id)
    letter = stored.letter
    assert letter.body.startswith("Dear Ann,\n\nsee the plan:\none\ntwo")
    assert {(letter.body[one.start : one.end], one.kind) for one in letter.styles} == {
        ("Ann", StyleKind.BOLD),
        ("the plan", StyleKind.LINK),
        ("plan", StyleKind.ITALIC),
        ("one", StyleKind.BULLET),
        ("two", StyleKind.BULLET),
    }
    assert [one.code for one in stage.engine.seen if isinstance(one, ErrorReported)] == told


async def test_a_nudge_waits_in_review(stage: Stage) -> None:
    letter = new(stage)
    await hurried(stage, letter, await leaving(stage, letter))
    ((thread, _),) = sent(stage, letter.subject)
    message = await stage.engine.until(lambda: sent_message(stage, thread))
    await stage.engine.do(DraftNudge(message.id))
    review = next(stage.engine.reader.review(one) for one in stage.engine.reader.review_ids())  # type: ignore[arg-type]
    assert review is not None and review.proposal.draft is not None
    assert [one.email for one in review.proposal.draft.to] == ["ann@partner.org"]
    assert review.proposal.draft.body.startswith("Hello")


def sent_message(stage: Stage, gmail_thread_id: str) -> Message | None:
    """The mirrored sent mail of a thread."""
    from app.domain.ports.window import MailView

    for thread_id in stage.engine.reader.thread_ids(MailView.SENT):
        messages = stage.engine.reader.messages(thread_id)  # type: ignore[arg-type]
        if messages and messages[0].gmail_thread_id == gmail_thread_id:
            return messages[-1]
    return None


@pytest.mark.soak
async def test_from_another_account_the_files_go_along_through_kill_9_and_nothing_leaves_from_here(
    stage: Stage, tmp_path: Path
) -> None:
    with opened(stage.data) as db:
        club = Accounts(db).add("me@club.example", "Me of the club", ("me@club.example",), "", "#3b6fd4")
    letter = new(stage)
    await stage.engine.do(SaveLetter(letter, 1))
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(name)
        await stage.engine.do(AttachFile(letter.id, tmp_path / name))
    first, second = kept(stage, letter).files
    await stage.engine.do(RemoveFile(letter.id, second.id))
    await stage.engine.until(lambda: bool(drafts(stage, letter.subject)))
    moved = replace(letter, id=LetterId(str(uuid4())), account_id=club, instead_of=(letter.id,))
    stage.engine.client.send(SaveLetter(moved, 1))
    await stage.crash()
    await stage.restart()
    before = kept(stage, letter)
    assert before.files == (first,) or kept(stage, moved).files == (first,), "it is whole on one side or the other"
    await stage.engine.do(SaveLetter(moved, 1))  # as the window does at its next start
    await stage.engine.do(RestoreFile(moved.id, second.id))
    assert kept(stage, moved).files == (first, second)
    assert (kept(stage, letter).state, kept(stage, letter).files) == (LetterState.DISCARDED, ())
    outbox_id = await leaving(stage, moved, 2)
    with opened(stage.data) as db:
        found = Outbox(db, lambda: None).get(outbox_id)  # type: ignore[arg-type,return-value]
        mail = message_from_bytes(
            db.read("SELECT mime FROM outbox_mime WHERE outbox_id = ?", (outbox_id,))[0][0], policy=policy.default
        )
    assert found.account_id == club
    assert mail["From"].addresses[0].addr_spec == "me@club.example"
    assert [one.get_filename() for one in mail.iter_attachments()] == ["a.txt", "b.txt"]
    await stage.engine.do(SendLetter(letter, 9))
    await stage.engine.until(lambda: not drafts(stage, letter.subject))
    assert not sent(stage, letter.subject)
    await stage.engine.do(CancelSend(outbox_id))


async def test_a_letter_survives_kill_9_and_is_sent_once(stage: Stage) -> None:
    letter = new(stage)
    await stage.engine.do(SaveLetter(replace(letter, body="Before the crash."), 7))
    await stage.crash()
    await stage.restart()
    stored = kept(stage, letter)
    assert (stored.letter.body, stored.revision, stored.state) == ("Before the crash.", 7, LetterState.OPEN)
    outbox_id = await leaving(stage, stored.letter, 8)
    await stage.crash()
    await stage.restart()
    await stage.engine.do(SendLetter(stored.letter, 8))
    await hurried(stage, letter, outbox_id)
    await stage.engine.until(lambda: not drafts(stage, letter.subject))
    assert len(sent(stage, letter.subject)) == 1

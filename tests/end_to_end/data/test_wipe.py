"""Wiping an account: afterwards no byte of its text, addresses or ids stands anywhere in the data folder."""

import json
from pathlib import Path

from app.config.paths import DataFolder
from app.domain.drafting.review import Action
from app.domain.errors import WipeUnclear
from app.domain.ids import AccountId
from app.domain.protocol.commands import StartDrafting, WipeAccount
from app.domain.protocol.events import CommandFailed, EngineReady, ErrorReported, IndexProgress, ReviewReady
from app.domain.record import replace
from app.engine.accounts.account_wipe import PendingWipe, note_wipe, wipe
from app.store.accounts import Accounts
from app.store.db.database import Database
from app.store.db.jobs import Jobs
from app.store.maintenance.backups import back_up
from app.store.requests.artifacts import ArtifactFolder
from app.store.reviews.reviews import Reviews
from fakes.engine.engine_process import QUICK, THINKING, running_engine, start_engine
from fakes.engine.store.values import HandClock, draft, proposal
from fakes.gmail.sending import Stage

PERSON = "quetzal.canary@secretive-partner.example"
CANARIES = (b"quetzal", b"secretive-partner", b"zanzibarword", b"me@example.com")


def letter(number: int) -> bytes:
    """A mail full of canaries that asks for an answer."""
    return (
        f"From: Quetzal Canary <{PERSON}>\r\nTo: me@example.com\r\nSubject: Zanzibarword {number}\r\n"
        f"Message-ID: <quetzal-{number}@secretive-partner.example>\r\n\r\n"
        f"Hello Mia,\r\n\r\ncould you tell me when order {number} arrives? It is for the zanzibarword.\r\n\r\nQuetzal\r\n"
    ).encode()


def traces(folder: Path, *more: bytes) -> list[tuple[str, bytes]]:
    """Files with a canary, in whatever case."""
    files = [(str(one.relative_to(folder)), one.read_bytes().lower()) for one in folder.rglob("*") if one.is_file()]
    return [(name, mark) for name, raw in files for mark in (*CANARIES, *more) if mark.lower() in raw]


async def filled(stage: Stage) -> list[bytes]:
    """Mail, a sent answer, a copy of the database, a kept damaged file, and things in every folder; the mail's ids."""
    ids = [stage.sandbox.deliver(letter(at)) for at in range(5)]
    messages = [await stage.mirrored(one["id"]) for one in ids]
    review = stage.propose(messages[0], "On Friday, dear zanzibarword.")
    await stage.decide(review, Action.ACCEPT)
    await stage.rested(review.id)
    back_up(stage.data / "mail.db")
    (stage.data / "mail.db.damaged-2026-01-01-1").write_bytes(b"quetzal")
    (stage.data / "gmail-checkpoints.db.damaged").write_bytes(b"quetzal")
    (stage.data / "artifacts" / "zanzibar.pdf").write_bytes(b"zanzibarword")
    with (stage.data / "logs" / "engine.log.1").open("w") as old:
        old.write("an older log about quetzal\n")
    # Reading the file by hand drops this process's locks on it, and SQLite would not know.
    stage.engine.reader.close()
    assert {mark for _, mark in traces(stage.data)} == set(CANARIES)
    return [str(one["id"]).encode() for one in ids]


async def test_no_byte_of_a_wiped_account_is_left(stage: Stage) -> None:
    ids = await filled(stage)
    account = stage.engine.reader.accounts()[0].id
    await stage.engine.do(WipeAccount(account))
    await stage.engine.restarted()
    assert stage.engine.reader.accounts() == ()
    await stage.engine.do(WipeAccount(account))
    refused = await stage.engine.event(CommandFailed)
    assert (refused.command, refused.code) == ("WipeAccount", "not_found")
    stage.sandbox.deliver(letter(77))
    assert await stage.engine.close() == 0
    assert traces(stage.data, *ids) == []
    await stage.restart()


async def test_a_wipe_that_was_cut_short_is_finished_at_the_next_start(stage: Stage) -> None:
    ids = await filled(stage)
    await stage.crash()
    note_wipe(DataFolder(stage.data), AccountId(1), "me@example.com")
    stage.engine = await start_engine(stage.data)
    assert stage.engine.reader.accounts() == ()
    assert await stage.engine.close() == 0
    assert traces(stage.data, *ids) == []
    stage.engine = await start_engine(stage.data)


async def test_a_note_that_cannot_be_read_is_told_until_an_account_is_wiped(stage: Stage) -> None:
    await stage.engine.close()
    (stage.data / "wipe.json").write_bytes(b'{"account_id": 1, "ema')
    for _ in range(2):
        stage.engine = await start_engine(stage.data)
        told = await stage.engine.event(ErrorReported, lambda one: one.code == WipeUnclear.code)
        assert str(told.text) == str(stage.data / "wipe-unclear.json")
        assert stage.engine.reader.accounts() != (), "nobody knows which one was meant"
        assert await stage.engine.close() == 0
    assert not (stage.data / "wipe.json").exists()
    note_wipe(DataFolder(stage.data), AccountId(1), "me@example.com")
    stage.engine = await start_engine(stage.data)
    assert stage.engine.reader.accounts() == ()
    assert not [one for one in stage.engine.seen if isinstance(one, ErrorReported) and one.code == WipeUnclear.code]
    assert [*stage.data.glob("wipe*")] == []


async def test_drafts_checkpoints_and_vectors_go_too(stage: Stage) -> None:
    """With the agents at work: runs, traces, reviews and embeddings leave nothing behind."""
    await stage.engine.close()
    (stage.data / "settings.toml").write_text(THINKING)
    ids = [str(stage.sandbox.deliver(letter(at))["id"]).encode() for at in range(3)]
    await stage.restart()
    await stage.engine.until(lambda: stage.engine.reader.counts().messages == 3)
    account = stage.engine.reader.accounts()[0].id
    await stage.engine.do(StartDrafting(account, 7))
    await stage.engine.event(IndexProgress, lambda one: one.done == one.total)
    await stage.engine.event(ReviewReady)
    found = [one for one in stage.data.rglob("*") if one.name != "settings.toml"]  # that is the test's
    assert {"engine.log", "checkpoints.db", "chroma.sqlite3"} <= {one.name for one in found}
    assert [one.name for one in found if one.exists() and one.stat().st_mode & 0o077] == [], "only the owner reads them"
    await stage.engine.do(WipeAccount(account))
    await stage.engine.restarted()
    assert await stage.engine.close() == 0
    assert traces(stage.data, *ids) == []
    await stage.restart()


async def test_only_the_wiped_account_goes(tmp_path: Path) -> None:
    """The engine starts again over what is left, with settings and rules untouched."""
    async with running_engine(tmp_path / "data", settings=QUICK) as engine:
        before = len(engine.seen)
        await engine.do(WipeAccount(AccountId(9)))
        assert (await engine.event(CommandFailed)).code == "not_found"
        assert len([one for one in engine.seen[before:] if isinstance(one, EngineReady)]) == 0
    assert (tmp_path / "data" / "settings.toml").read_text() == QUICK


def test_proposed_mail_of_a_wiped_account_goes_with_its_files_and_that_of_another_stays(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "data")
    folder.prepare()
    artifacts, clock = ArtifactFolder(folder.artifacts), HandClock()
    db = Database.open(folder.database)
    kept, gone = (artifacts.write(f"{name}.md", name.encode()) for name in ("kept", "quetzal"))
    accounts = [Accounts(db).add(f"{one}@example.org", one, (f"{one}@example.org",), "", "#123456") for one in ("a", "b")]
    for number, (account, file) in enumerate(zip(accounts, (gone, kept), strict=True)):
        what = replace(draft("quetzal" if file is gone else "hello"), attachments=(file,))
        run, thread = f"ask-{number}", -1 - number
        Reviews(db, clock).open(replace(proposal(run, message=0, thread=thread, what=what), account_id=account), "step-1")
        Jobs(db, clock).put("wake", f"{run}:1", json.dumps({"run_id": run, "review_id": 1}))
    db.close()
    note_wipe(folder, accounts[0], "a@example.org")
    wipe(folder, PendingWipe(accounts[0], "a@example.org"))
    assert [artifacts.has(one.id) for one in (kept, gone)] == [True, False]
    assert traces(folder.root) == []
    db = Database.open(folder.database)
    assert Reviews(db, clock).pending_count() == 1
    assert [row[0] for row in db.read("SELECT key FROM jobs WHERE kind = 'wake'")] == ["ask-1:1"]
    db.close()

"""The user's own files with mistakes: the engine runs on what is good, says file, line and remedy, and takes mended ones."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from app.domain.protocol.commands import StartDrafting
from app.domain.protocol.events import ErrorReported, IndexProgress, ReviewReady, SettingsChanged
from app.domain.protocol.queries import FindMail, FindSimilar, FoundMails, SimilarMails
from fakes.engine.engine_process import QUICK, THINKING, running_engine
from fakes.gmail.sandbox import running_sandbox
from fakes.gmail.sending import opened, question


def write(file: Path, text: str) -> None:
    """All at once: a running engine never sees half of it."""
    draft = file.with_suffix(".draft")
    draft.write_text(text)
    draft.replace(file)


async def test_broken_settings_leave_the_last_good_ones_in_force(tmp_path: Path) -> None:
    data = tmp_path / "data"
    async with running_engine(data) as engine:
        file = data / "settings.toml"
        write(file, QUICK.replace("undo_s = 0", 'undo_s = "soon"'))
        told = await engine.event(ErrorReported)
        assert told.code == "bad_file"
        assert f"{file}:5:" in str(told.text)
        assert "undo_s" in str(told.text)
        assert "Fix this line" in str(told.text)
        write(file, QUICK + '[model]\nname = "ollama/tiny"\n')
        assert (await engine.event(SettingsChanged)).model_label == "ollama/tiny"
        assert len([one for one in engine.seen if isinstance(one, ErrorReported)]) == 1


async def test_settings_that_are_broken_from_the_start_mean_the_defaults(tmp_path: Path) -> None:
    data = tmp_path / "data"
    async with running_engine(data, settings=QUICK + "not toml at all\n") as engine:
        told = await engine.event(ErrorReported)
        assert (told.code, f"settings.toml:{QUICK.count(chr(10)) + 1}:" in str(told.text)) == ("bad_file", True)
        write(data / "settings.toml", QUICK)
        await engine.event(SettingsChanged)


async def test_broken_rules_are_told_and_mended_ones_taken(tmp_path: Path) -> None:
    data = tmp_path / "data"
    async with running_engine(data) as engine:
        file = data / "routing.yaml"
        write(file, "routing:\n  rules:\n    - name: a\n      route: nowhere\n      match: {all: true}\n")
        told = await engine.event(ErrorReported)
        assert (told.code, f"{file}:4:" in str(told.text), "Choose one of" in str(told.text)) == ("bad_file", True, True)
        write(file, "routing:\n  rules:\n    - name: a\n      route: sideways\n      match: {all: true}\n")
        await engine.event(ErrorReported, lambda one: "sideways" in str(one.text))


def gone(data: Path) -> None:
    """Deleted by hand."""
    shutil.rmtree(data / "chroma", ignore_errors=True)


def garbage(data: Path) -> None:
    """A disk that lies: the catalogue of vectors and the checkpoints of runs."""
    (data / "chroma").mkdir(exist_ok=True)
    (data / "chroma" / "chroma.sqlite3").write_bytes(b"garbage" * 2000)
    (data / "checkpoints.db").write_bytes(b"garbage" * 2000)


def everything_was_indexed(data: Path) -> None:
    """Vectors of all mail had been made: no work for them waits in the store."""
    with opened(data) as db, db.transaction() as connection:
        assert connection.execute("DELETE FROM jobs WHERE kind = 'index'").rowcount == 4


@pytest.mark.parametrize("harm", [pytest.param(gone, marks=pytest.mark.soak), garbage])
async def test_lost_vectors_are_built_anew_and_drafting_goes_on(tmp_path: Path, harm: Callable[[Path], None]) -> None:
    """All mail is indexed again, with its progress, and a new question gets its draft; nothing is worth a word of trouble."""
    data = tmp_path / "data"
    with running_sandbox() as sandbox:
        for at in range(4):
            sandbox.deliver(question(at + 1))
        async with running_engine(data, sandbox.url, sandbox.token) as engine:
            await engine.until(lambda: engine.reader.counts().messages == 4)
            await engine.do(StartDrafting(engine.reader.accounts()[0].id, 7))
        everything_was_indexed(data)
        harm(data)
        (data / "settings.toml").write_text(THINKING)
        async with running_engine(data, sandbox.url, sandbox.token) as engine:
            await engine.event(IndexProgress, lambda one: one.done == one.total >= 4)
            seen = len(engine.seen)
            sandbox.deliver(question(50))
            await engine.event(ReviewReady, after=seen)
            assert not [one for one in engine.seen if isinstance(one, ErrorReported)]
        aside = data / "checkpoints.db.damaged"
        assert aside.exists() == (harm is garbage)


async def test_vectors_that_are_lost_during_work_are_built_anew_by_a_restart(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with running_sandbox() as sandbox:
        for at in range(3):
            sandbox.deliver(question(at + 1))
        async with running_engine(data, sandbox.url, sandbox.token, settings=THINKING) as engine:
            await engine.until(lambda: engine.reader.counts().messages == 3)
            await engine.do(StartDrafting(engine.reader.accounts()[0].id, 7))
            await engine.event(IndexProgress, lambda one: one.done == one.total >= 3)
            (data / "chroma" / "chroma.sqlite3").write_bytes(b"garbage" * 2000)
            sandbox.deliver(question(50))
            seen = len(engine.seen)
            await engine.restarted()
            await engine.event(IndexProgress, lambda one: one.done == one.total >= 4, after=seen)
            await engine.until(lambda: engine.reader.counts().messages == 4)
            assert not [one for one in engine.seen if isinstance(one, ErrorReported)]


async def test_searches_go_on_while_the_folder_of_vectors_is_deleted(tmp_path: Path) -> None:
    """Words find all mail at any time; meaning says how much is indexed, and compares all of it in the end."""
    data = tmp_path / "data"
    with running_sandbox() as sandbox:
        for at in range(3):
            sandbox.deliver(question(at + 1))
        async with running_engine(data, sandbox.url, sandbox.token, settings=THINKING) as engine:
            await engine.until(lambda: engine.reader.counts().messages == 3)
            await engine.do(StartDrafting(engine.reader.accounts()[0].id, 7))
            await engine.event(IndexProgress, lambda one: one.done == one.total >= 3)

            async def searched(mails: int) -> tuple[int, int]:
                """How many mails are found by meaning, and how many are not indexed yet; words find all."""
                found = await engine.client.ask(FindMail("order"))
                assert isinstance(found, FoundMails) and found.total == mails
                answer = await engine.client.ask(FindSimilar("when does my delivery come"))
                assert isinstance(answer, SimilarMails)
                return len(answer.mails), answer.waiting

            assert await searched(3) == (3, 0)
            gone(data)
            assert [await searched(3) for _ in range(5)] == [(3, 0)] * 5
            seen = len(engine.seen)
            sandbox.deliver(question(50))
            await engine.restarted()
            while (now := await searched(4)) != (4, 0):
                assert sum(now) >= 4, "a mail is neither found nor said to be waiting"
            assert not [one for one in engine.seen[seen:] if isinstance(one, ErrorReported)]

"""Checks of storage and search (SQLite full text, Chroma, embedding model, spelling) and of processes (engine, helpers)."""

import asyncio
import contextlib
import io
import multiprocessing
import os
import sqlite3
import subprocess
import sys
import threading
from datetime import datetime

from app.cli.self_test.run import CheckContext, expect
from app.config.paths import DataFolder
from app.domain.ids import AccountId, MessageId
from app.domain.protocol.events import EngineReady
from app.domain.protocol.queries import CheckSpelling, SuggestSpelling
from app.link.client import ClientEnd
from app.link.codec import Hello

LETTER = """From ana Mon Mar  2 10:00:00 2026
From: Ana <ana@partner.example>
To: Me <me@example.org>
Subject: Quinces
Date: Mon, 2 Mar 2026 10:00:00 +0100
Message-ID: <quinces@partner.example>
MIME-Version: 1.0
Content-Type: text/html; charset=utf-8

<p>The <b>quinces</b> are ripe.<script>alert(1)</script></p>
"""


def mail_store(context: CheckContext) -> str:
    """A mail is imported from an archive and found by full text."""
    from app.engine.files.archive_importer import run_import
    from app.store.db.database import Database
    from app.store.search.search import Search

    file = context.folder / "one.mbox"
    file.write_text(LETTER, encoding="utf-8")
    with contextlib.redirect_stderr(io.StringIO()) as said:
        code = run_import(context.folder / "archive", file)
    expect(code == 0, f"the archive was not read: {said.getvalue().strip()}")
    db = Database.open(DataFolder(context.folder / "archive").database)
    try:
        search = Search(db)
        found = len(search.thread_ids("quinces")), len(search.thread_ids("pears"))
        search.close()
    finally:
        db.close()
    expect(found == (1, 0), f"full text found {found[0]} of 1")
    return f"SQLite {sqlite3.sqlite_version} with FTS5"


def vectors(context: CheckContext) -> str:
    """Vectors are stored, found by similarity, and still there after reopening."""
    from app.store.search.vectors import Vectors

    path, account = context.folder / "chroma", AccountId(1)
    for added in (True, False):
        opened = Vectors.open(path, "self-test", 3)
        try:
            if added:
                opened.upsert(account, [(MessageId(1), [1.0, 0.0, 0.0], "other"), (MessageId(2), [0.0, 1.0, 0.0], "other")])
            nearest = [number for number, _ in opened.nearest(account, [0.1, 0.9, 0.0], 2)]
        finally:
            opened.close()
        expect(nearest == [2, 1], f"the nearest of two are {nearest}")
    import chromadb

    return f"Chroma {chromadb.__version__}"


def embedding(_context: CheckContext) -> str:
    """Texts with the same meaning are more similar than others, without network access."""
    from app.agent.retrieval import MiniLm

    model = MiniLm.open()
    asked, alike, other = model.embed(["When does the meeting begin?", "What time is our meeting?", "Tomatoes like warm soil."])
    near, far = (sum(a * b for a, b in zip(asked, one, strict=True)) for one in (alike, other))
    expect(near > far + 0.2, f"likeness {near:.2f}, unlikeness {far:.2f}")
    return f"{model.model_id}, {model.dimension} dimensions"


def spelling(_context: CheckContext) -> str:
    """The bundled dictionary finds and corrects a mistake."""
    from app.engine.commands.spelling import Spelling

    async def asked() -> tuple[tuple[str, ...], tuple[str, ...]]:
        speller = Spelling(())
        found = await speller.answer(CheckSpelling("Hello, this is a sentense with nothing else wrong in it."))
        return found.words, (await speller.answer(SuggestSpelling("sentense", "en"))).words

    words, cures = asyncio.run(asked())
    expect(words == ("sentense",) and "sentence" in cures, f"misspelt: {words}, meant: {cures}")
    return "Hunspell, English"


def program_files(context: CheckContext) -> str:
    """The version, package metadata and time zones are there."""
    from importlib.metadata import distributions
    from zoneinfo import ZoneInfo

    built = getattr(sys, "frozen", False)
    expect(not (built and "+" in context.program), "the built program does not know its version")
    names = {str(one.metadata["Name"]).lower() for one in distributions()}
    missing = {"pyside6-essentials", "litellm", "chromadb", "keyring"} - {name.replace("_", "-") for name in names}
    expect(not missing, f"without records: {', '.join(sorted(missing))}")
    offset = datetime(2026, 7, 1, tzinfo=ZoneInfo("Europe/Prague")).utcoffset()
    expect(offset is not None and offset.total_seconds() == 7200, "time zones are wrong")
    return f"Replyroom {context.program}{', built' if built else ''}, {len(names)} packages"


ENGINE_LIMIT_S = 60.0
HELPER_LIMIT_S = 30.0


def engine(context: CheckContext) -> str:
    """The engine starts as the window starts it and becomes ready. It ends when its input closes."""
    data = DataFolder(context.folder / "engine")
    data.prepare()

    process = subprocess.Popen(
        [*context.ourselves, "engine", "--data", str(data.root)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None and process.stdout is not None
    too_long = threading.Timer(ENGINE_LIMIT_S, process.kill)
    too_long.start()
    end, program, ready = ClientEnd("self-test"), "", False
    try:
        process.stdin.write(end.hello())
        process.stdin.flush()
        while not ready and (data_read := os.read(process.stdout.fileno(), 65_536)):
            for received in end.receive(data_read):
                program = received.program if isinstance(received, Hello) else program
                ready |= isinstance(received, EngineReady)
        process.stdin.close()
        process.stdout.read()
        code = process.wait()
    finally:
        too_long.cancel()
        process.stdout.close()
    expect(ready, "the engine was not ready in time")
    expect(program, "the engine did not greet")
    expect(code == 0, f"the engine ended with {code}")
    return program


def helpers(_context: CheckContext) -> str:
    """A `multiprocessing` child runs and ends. In a built program it starts this program again."""
    child = multiprocessing.get_context("spawn").Process(target=os.getpid)
    child.start()
    child.join(HELPER_LIMIT_S)
    hung = child.is_alive()
    if hung:
        child.kill()
        child.join()
    code = child.exitcode
    child.close()
    expect(not hung and code == 0, f"the helper {'did not end' if hung else f'ended with {code}'}")
    return "helpers of libraries end"

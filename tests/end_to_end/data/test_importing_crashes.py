"""An engine killed again and again while it reads an archive and its newer copy: nothing is lost, nothing is doubled."""

import random
from pathlib import Path

import pytest

from app.domain.protocol.archive_commands import ImportArchive, ImportProgress
from fakes.engine.engine_process import running_engine, start_engine
from fakes.gmail.sending import opened

pytestmark = [pytest.mark.soak, pytest.mark.timeout(1800)]
OLD, NEW = 6000, 8000
KILLS = 8


def takeout(path: Path, count: int, labels: str) -> Path:
    """A Takeout of so many mails."""
    with path.open("wb") as file:
        for number in range(count):
            head = f"From {number}@xxx Mon Nov 02 10:00:00 +0000 2026\nX-GM-THRID: {number // 3}\nX-Gmail-Labels: {labels}\n"
            rest = f"From: a@b.example\nSubject: {number}\nMessage-ID: <{number}@b.example>\n\nWords {number}.\n\n"
            file.write((head + rest).encode())
    return path


def stored(folder: Path) -> list[tuple[str, str]]:
    """Message-IDs and labels of all mail, in order."""
    with opened(folder) as db:
        sql = (
            "SELECT m.rfc822_id, group_concat(l.label) FROM messages m JOIN message_labels l ON l.message_id = m.id GROUP BY m.id"
        )
        return sorted((row[0], ",".join(sorted(row[1].split(",")))) for row in db.read(sql))


def state(folder: Path) -> str:
    """Where the archive stands."""
    with opened(folder) as db:
        return str(db.read("SELECT state FROM archives")[0][0])


async def killed_until_done(folder: Path, chance: random.Random) -> None:
    """Restart the engine and kill it somewhere in its work, several times, then let it come to its end."""
    for _ in range(KILLS):
        if state(folder) == "done":
            return
        engine = await start_engine(folder)
        for _ in range(chance.randrange(1, 12)):
            if (await engine.event(ImportProgress)).state == "done":
                break
        await engine.kill()
    if state(folder) != "done":
        async with running_engine(folder) as engine:
            await engine.event(ImportProgress, lambda one: one.state == "done")


async def begun(folder: Path, wanted: ImportArchive) -> None:
    """Begin to read, with the engine killed in its midst."""
    engine = await start_engine(folder)
    await engine.do(wanted)
    await engine.event(ImportProgress, lambda one: one.seen >= 80)
    await engine.kill()


@pytest.mark.parametrize("seed", range(3))
async def test_killed_at_any_time(tmp_path: Path, seed: int) -> None:
    chance, folder, path = random.Random(seed), tmp_path / "box", tmp_path / "all.mbox"
    await begun(folder, ImportArchive(takeout(path, OLD, "Inbox,Trips")))
    await killed_until_done(folder, chance)
    assert stored(folder) == sorted((f"<{number}@b.example>", "archive:Trips") for number in range(OLD))
    await begun(folder, ImportArchive(takeout(path, NEW, "Inbox,Work")))
    await killed_until_done(folder, chance)
    wanted = [
        (f"<{number}@b.example>", "archive:Trips,archive:Work" if number < OLD else "archive:Work") for number in range(NEW)
    ]
    assert stored(folder) == sorted(wanted)

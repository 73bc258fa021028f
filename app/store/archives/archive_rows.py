"""Reads rows of the table `archives` and reports their progress."""

import sqlite3
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from app.domain.ids import AccountId
from app.domain.protocol.archive_commands import ImportProgress


class ArchiveState(StrEnum):
    """The state of an import. `ENDED`: the owner ended it; `LEAVING`: its mail is being removed."""

    READING = "reading"
    STOPPED = "stopped"
    ENDED = "ended"
    DONE = "done"
    FAILED = "failed"
    LEAVING = "leaving"


GONE = "gone"
"""Reported for an archive that is no longer an account."""


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive. `place` is the reader's note of where to continue; sizes are in bytes.

    `reading` numbers its imports. `seen`, `added` and `relabelled` count mail of the last one.
    """

    account_id: AccountId
    path: Path
    state: ArchiveState
    place: str
    done_bytes: int
    total_bytes: int
    mails: int
    reading: int
    seen: int
    added: int
    relabelled: int


def archive_of(row: sqlite3.Row) -> Archive:
    return Archive(
        AccountId(row["account_id"]),
        Path(row["path"]),
        ArchiveState(row["state"]),
        row["place"],
        row["done_bytes"],
        row["total_bytes"],
        row["mails"],
        row["reading"],
        row["seen"],
        row["added"],
        row["relabelled"],
    )


def progress_of(one: Archive) -> ImportProgress:
    return ImportProgress(
        one.account_id,
        one.path.name,
        str(one.state),
        one.done_bytes,
        one.total_bytes,
        one.mails,
        one.seen,
        one.added,
        one.relabelled,
        one.reading > 1,
    )

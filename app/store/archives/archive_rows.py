"""A row of the archives table, and what is told of it. Reads only."""

import sqlite3
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from app.domain.ids import AccountId
from app.domain.protocol.archive_commands import ImportProgress


class ArchiveState(StrEnum):
    """Where the reading of an archive is. `ended`: the user wants no more of it; `leaving`: what it brought is taken away."""

    READING = "reading"
    STOPPED = "stopped"
    ENDED = "ended"
    DONE = "done"
    FAILED = "failed"
    LEAVING = "leaving"


GONE = "gone"
"""Told of an archive that is no account any more."""


@dataclass(frozen=True, slots=True)
class Archive:
    """`place` is the reader's own note of where it goes on; sizes in bytes. `reading` numbers its readings, the counts are the
    last one's."""

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
    """An `archives` row."""
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
    """What is told of it."""
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

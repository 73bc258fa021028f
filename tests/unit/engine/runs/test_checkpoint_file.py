"""Damaged checkpoints are put aside, good ones stay."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from app.engine.runs.agent_runtime import put_aside_if_damaged


@pytest.mark.expects_warnings
def test_only_a_damaged_file_moves(tmp_path: Path) -> None:
    path = tmp_path / "checkpoints.db"
    put_aside_if_damaged(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE checkpoints (a)")
    put_aside_if_damaged(path)
    assert [one.name for one in tmp_path.iterdir()] == ["checkpoints.db"]
    path.write_bytes(b"garbage" * 1000)
    path.with_name("checkpoints.db-wal").write_bytes(b"log")
    put_aside_if_damaged(path)
    left = {one.name for one in tmp_path.iterdir()}
    assert {"checkpoints.db.damaged", "checkpoints.db.damaged-wal"} <= left
    assert not left & {"checkpoints.db", "checkpoints.db-wal", "checkpoints.db-shm"}

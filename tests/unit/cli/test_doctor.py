"""The doctor says what is wrong and what to do, and changes nothing."""

import json
from pathlib import Path

import pytest

from app.agent.retrieval import MiniLm
from app.cli.doctor import examine, run_doctor
from app.config.paths import DataFolder


def test_a_good_installation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_doctor(tmp_path / "data", as_json=True) == 0
    findings = {entry["name"]: entry for entry in json.loads(capsys.readouterr().out)}
    assert findings["Embedding model"]["detail"].endswith("384 dimensions")
    assert not findings["Keyring"]["ok"]
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("settings.toml", "[sending]\nundo_s = -3\n", "settings.toml:2: sending.undo_s"),
        ("routing.yaml", "a: 1\n", "routing.yaml:1: Unknown key “a”"),
        ("routing.yaml", "agent:\n  profiles:\n    p: x\n", "routing.yaml:3: p isn't a mapping"),
    ],
)
def test_a_broken_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, words: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert run_doctor(tmp_path, as_json=False) == 1
    assert words in capsys.readouterr().out
    assert (tmp_path / name).read_text(encoding="utf-8") == text


def test_a_newer_store_is_refused_untouched(tmp_path: Path) -> None:
    import sqlite3

    database = DataFolder(tmp_path).database
    connection = sqlite3.connect(database)
    connection.execute("PRAGMA user_version = 9999")
    connection.commit()
    connection.close()
    before = database.read_bytes()
    finding = next(f for f in examine(DataFolder(tmp_path)) if f.name == "Mail store")
    assert not finding.ok
    assert database.read_bytes() == before


def test_a_file_in_place_of_the_folder_is_not_blamed_on_the_installation(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("mine")
    for root in (tmp_path / "data", tmp_path / "data" / "below"):
        finding = next(f for f in examine(DataFolder(root)) if f.name == "Data folder")
        assert (finding.ok, "no folder" in finding.detail, "--data" in finding.detail) == (False, True, True)


@pytest.mark.expects_warnings
def test_a_check_that_breaks_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> MiniLm:
        raise ZeroDivisionError("odd library")

    monkeypatch.setattr(MiniLm, "open", broken)
    found = {finding.name: finding for finding in examine(DataFolder(tmp_path))}
    assert (found["Embedding model"].ok, found["Embedding model"].detail) == (
        False,
        "ZeroDivisionError: odd library. Install Replyroom again, or run packaging/dev.py once.",
    )
    assert "Keyring" in found

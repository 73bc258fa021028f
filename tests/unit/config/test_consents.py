"""Consents survive a restart, are taken back whole, and a broken file is no consent."""

from pathlib import Path

import pytest

from app.config.consents import ConsentFile


def test_consent_and_pins_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    consents = ConsentFile(path)
    assert not consents.granted("a")
    assert consents.pins("a") is None
    consents.grant("a", "npx a")
    assert consents.pins("a") is None, "nothing was listed yet"
    consents.pin("a", {"x": "1", "y": "2"})
    consents.pin("a", {"y": "3"})
    again = ConsentFile(path)
    assert again.granted("a")
    assert again.pins("a") == {"x": "1", "y": "3"}
    again.grant("a", "npx a")
    assert again.pins("a") == {"x": "1", "y": "3"}
    assert path.stat().st_mode & 0o077 == 0


def test_what_is_taken_back_takes_its_pins_along(tmp_path: Path) -> None:
    consents = ConsentFile(tmp_path / "mcp.json")
    consents.grant("a", "npx a")
    consents.pin("a", {"x": "1"})
    consents.revoke("a")
    assert not consents.granted("a")
    consents.grant("a", "npx a")
    assert consents.pins("a") is None


def test_pins_need_consent(tmp_path: Path) -> None:
    consents = ConsentFile(tmp_path / "mcp.json")
    consents.pin("a", {"x": "1"})
    assert not consents.granted("a")
    assert not (tmp_path / "mcp.json").exists()


@pytest.mark.expects_warnings
@pytest.mark.parametrize("text", ["", "[", "[]", '{"a": 3}', "\xff"])
def test_a_broken_file_is_no_consent(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mcp.json"
    path.write_bytes(text.encode("latin-1"))
    consents = ConsentFile(path)
    assert not consents.granted("a")
    consents.grant("a", "npx a")
    assert ConsentFile(path).granted("a")

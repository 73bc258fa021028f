"""The chore that tries the README's commands on a minimal Debian: what it takes along, and when it says no."""

from pathlib import Path
from types import ModuleType

import pytest

from fakes.engine.processes.build_script import loaded_script

ROOT = Path(__file__).resolve().parents[3]
FRESH = ROOT / "packaging" / "fresh.py"


@pytest.fixture
def fresh() -> ModuleType:
    """The script as a module."""
    return loaded_script(FRESH)


@pytest.fixture
def fit(fresh: ModuleType, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script on a machine on which it can work."""
    monkeypatch.setattr(fresh.sys, "platform", "linux")
    monkeypatch.setattr(fresh.os, "geteuid", lambda: 0, raising=False)
    monkeypatch.setattr(fresh.shutil, "which", lambda name: f"/usr/bin/{name}")
    return fresh


def test_it_says_what_is_lacking(fit: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    assert fit.unfit() == ""
    monkeypatch.setattr(fit.shutil, "which", lambda name: None if name == "mmdebstrap" else name)
    assert "run apt-get install mmdebstrap" in fit.unfit()
    monkeypatch.setattr(fit.shutil, "which", lambda name: None if name in ("unshare", "git") else name)
    assert fit.unfit().startswith("unshare and git cannot be found")
    monkeypatch.setattr(fit.os, "geteuid", lambda: 1000, raising=False)
    assert "only root may do" in fit.unfit()
    monkeypatch.setattr(fit.sys, "platform", "darwin")
    assert "only Linux" in fit.unfit()


def test_a_folder_of_somebody_else_is_left_alone(fit: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "letter").write_text("mine")
    monkeypatch.setattr(fit, "LOGS", tmp_path / "logs")
    with pytest.raises(SystemExit, match="was not made by fresh"):
        fit.main(["--root", str(tmp_path / "root"), "demo"])
    assert (tmp_path / "root" / "letter").read_text() == "mine"

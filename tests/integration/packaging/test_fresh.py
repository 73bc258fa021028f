"""The chore that tries the README's commands on a minimal Debian: what it takes along, and when it says no."""

import os
import sys
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


def test_it_ends_with_that_sentence_before_it_makes_anything(
    fit: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fit.os, "geteuid", lambda: 1000, raising=False)
    with pytest.raises(SystemExit, match="start it with sudo"):
        fit.main(["--root", str(tmp_path / "root"), "demo"])
    assert not (tmp_path / "root").exists()


def test_a_folder_of_somebody_else_is_left_alone(fit: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "letter").write_text("mine")
    monkeypatch.setattr(fit, "LOGS", tmp_path / "logs")
    with pytest.raises(SystemExit, match="was not made by fresh"):
        fit.main(["--root", str(tmp_path / "root"), "demo"])
    assert (tmp_path / "root" / "letter").read_text() == "mine"


def test_variables_about_fetching_go_along_and_no_others(fresh: ModuleType) -> None:
    along = dict.fromkeys(("PIP_INDEX_URL", "UV_DEFAULT_INDEX", "https_proxy", "NO_PROXY", "SSL_CERT_FILE", "PIP_CERT"), "x")
    others = ("HOME", "DISPLAY", "LANG", "PYTHONPATH", "UV_CACHE_DIR", "PIP_CACHE_DIR", "UV_PYTHON", "OPENAI_API_KEY", "PIPE_X")
    assert fresh.passed({**along, **dict.fromkeys(others, "x"), "UV_INDEX": ""}) == along


def test_folders_with_packages_are_found_in_settings(fresh: ModuleType, tmp_path: Path) -> None:
    wheels, index = tmp_path / "wheels", tmp_path / "mirror" / "simple"
    for folder in (wheels, index):
        folder.mkdir(parents=True)
    (tmp_path / "own.crt").touch()
    settings = (
        f"[global]\ncert = {tmp_path}/own.crt\nfind-links = {wheels}\n    {tmp_path}/none\n"
        f"extra-index-url = file://{index} https://example.org{wheels}\n"
    )
    assert fresh.places(settings) == [tmp_path / "own.crt", wheels, tmp_path / "mirror"]


def test_the_system_is_the_one_that_runs_here(fresh: ModuleType) -> None:
    assert fresh.suite_of('ID=debian\nVERSION_CODENAME=bookworm\nNAME="x"\n') == "bookworm"
    assert fresh.suite_of("ID=odd\n") == "stable"


def test_the_end_of_a_log_and_the_first_failure_are_handed_on(
    fresh: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(fresh, "ROOT", tmp_path)
    monkeypatch.setattr(fresh, "LOGS", tmp_path)

    class Ended(fresh.FreshRoot):  # type: ignore[misc,name-defined]
        """Commands that end at once, without a root."""

        def run(self, words: list[str], log: Path) -> int:
            code = {"demo": 0, "test": 3, "check": 4}[words[0]]
            lines = f"print('\\n'.join(f'line {{n}}' for n in range(40))); raise SystemExit({code})"
            return int(fresh.logged([sys.executable, "-c", lines], log, dict(os.environ)))

    assert fresh.tried(Ended(tmp_path), [["demo"], ["test", "-k", "a b"], ["check"]]) == 3
    said = capsys.readouterr().out
    assert "python3 packaging/dev.py test -k 'a b'" in said
    assert "line 39\n[test] exit code 3 after" in said
    assert "line 14\n" not in said

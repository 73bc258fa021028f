"""The door for chores: what it says when it cannot do something."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from fakes.loaded_script import loaded_script

DEV = Path(__file__).resolve().parents[2] / "packaging" / "dev.py"


@pytest.fixture
def dev() -> Iterator[ModuleType]:
    """The script as a module."""
    yield loaded_script(DEV)


def test_it_uses_the_standard_library_only() -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(DEV.parent)!r}); before = set(sys.modules); import dev; "
        "new = {m.split('.')[0] for m in set(sys.modules) - before}; print(sorted(new - set(sys.stdlib_module_names) - {'dev'}))"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("arguments", [[], ["nonsense"]])
def test_an_unknown_chore_lists_the_known_ones(arguments: list[str]) -> None:
    done = subprocess.run([sys.executable, str(DEV), *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "demo | test" in done.stderr.replace("run | ", "")


def test_a_failed_step_is_named_with_its_remedy(dev: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        dev.run("Reading the stars", [sys.executable, "-c", "raise SystemExit(3)"], "Wait for a clear night.")
    assert caught.value.code == 1
    shown = capsys.readouterr().err
    assert "Reading the stars failed." in shown
    assert "clear night" in shown


def test_a_missing_program_is_no_traceback(dev: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        dev.run("Calling nobody", ["/nonexistent/program"], "Install it.")
    assert "Calling nobody failed." in capsys.readouterr().err


def test_missing_libraries_are_named_as_packages(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dev.ctypes.util, "find_library", lambda name: None if name == "xcb-cursor" else "found")
    assert dev.missing_libraries() == ["libxcb-cursor0"]


def test_without_rights_the_one_line_is_printed(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(dev, "missing_libraries", lambda: ["libegl1"])
    monkeypatch.setattr(dev, "missing_fonts", list)
    monkeypatch.setattr(dev.shutil, "which", lambda name: "/usr/bin/" + name)
    monkeypatch.setattr(dev.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(dev.sys, "platform", "linux")
    with pytest.raises(SystemExit):
        dev.ensure_qt()
    assert "sudo apt-get install --no-install-recommends -y libegl1" in capsys.readouterr().err

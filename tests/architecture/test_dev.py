"""The door for chores: what it says when it cannot do something."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from fakes.engine.processes.build_script import loaded_script

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


def test_an_older_python_can_read_it_and_hands_over(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    ast.parse(DEV.read_text(encoding="utf-8"), feature_version=(3, 8))
    assert not hasattr(dev, "tomllib"), "older Pythons have none"
    monkeypatch.setattr(dev, "PYTHON", Path(sys.executable))
    started: list[list[str]] = []
    monkeypatch.setattr(dev, "chore", lambda command: started.append([str(part) for part in command]) or 7)
    with monkeypatch.context() as older:
        older.setattr(dev.sys, "version_info", (3, 10, 0))
        older.setattr(dev.sys, "executable", "/usr/bin/python3.10")
        assert dev.main(["test", "-q"]) == 7
    assert started == [[sys.executable, str(DEV), "test", "-q"]]


def test_without_a_supported_python_it_is_said(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(dev, "SUPPORTED", ((3, 98), (3, 99)))
    with pytest.raises(SystemExit):
        dev.find_python()
    assert "Replyroom needs Python 3.11" in capsys.readouterr().err


def test_missing_libraries_are_named_as_packages(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = {"libxcb-cursor.so.0", "libgio-2.0.so.0"}
    monkeypatch.setattr(dev, "is_found", lambda name: name not in lost)
    assert dev.missing_libraries() == ["libglib2.0-0 | libglib2.0-0t64", "libxcb-cursor0"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks the loader of Linux")
def test_the_loader_is_asked_for_the_library_itself(dev: ModuleType) -> None:
    assert dev.is_found("libc.so.6")
    assert dev.is_found("ld-linux-aarch64.so.1" if os.uname().machine == "x86_64" else "ld-linux-x86-64.so.2")
    assert not dev.is_found("libnobody-has-this.so.7")


POLICY = """libasound2:
  Installed: (none)
  Candidate: (none)
  Version table:
libasound2t64:
  Installed: (none)
  Candidate: 1.2.11-1build2
  Version table:
     1.2.11-1build2 500
libcups2:
  Installed: 2.4.2-3
  Candidate: 2.4.2-3
"""


@pytest.mark.skipif(os.name == "nt", reason="starts a script of the shell")
def test_of_two_names_the_one_that_apt_knows_is_taken(dev: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = ["libasound2 | libasound2t64", "libcups2 | libcups2t64", "libodd1 | libodd1t64", "libc6 (>= 2.36)", "libegl1"]
    monkeypatch.setenv("PATH", str(tmp_path))
    assert dev.packages(wanted) == ["libasound2", "libcups2", "libodd1", "libc6", "libegl1"], "without apt the first"
    (tmp_path / "apt-cache").write_text(f"#!/bin/sh\n/bin/cat <<END\n{POLICY}END\n")
    (tmp_path / "apt-cache").chmod(0o755)
    assert dev.packages(wanted) == ["libasound2t64", "libcups2", "libodd1", "libc6", "libegl1"]


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

"""The installer for Windows: made by NSIS where it is there, and run under Wine where that is there too."""

import os
import shutil
import subprocess
import time
from pathlib import Path
from types import ModuleType

import pytest

from fakes.engine.processes.build_script import loaded_script

FOLDER = Path(__file__).resolve().parents[3] / "packaging" / "windows"


with_nsis = pytest.mark.skipif(shutil.which("makensis") is None, reason="NSIS is not installed here")
with_wine = pytest.mark.skipif(shutil.which("wine") is None, reason="Wine is not installed here")
WAITS = """Unicode true
Target amd64-unicode
OutFile "{file}"
RequestExecutionLevel user
SilentInstall silent
Section
Sleep 20000
SectionEnd
"""
"""A program for Windows that runs for a while, in NSIS's own words: there is no compiler for Windows here."""


@pytest.fixture(scope="module")
def installer() -> ModuleType:
    """The script as a module."""
    return loaded_script(FOLDER / "installer.py")


@pytest.fixture
def payload(tmp_path: Path) -> Path:
    """What stands in for a frozen program."""
    folder = tmp_path / "replyroom"
    (folder / "_internal" / "deep").mkdir(parents=True)
    (folder / "_internal" / "deep" / "a.dll").write_text("new")
    (folder / "replyroom.exe").write_bytes(b"MZ")
    return folder


@with_nsis
@pytest.mark.parametrize("target", ["", "amd64-unicode"])
def test_it_compiles_without_a_warning(installer: ModuleType, payload: Path, tmp_path: Path, target: str) -> None:
    made = installer.make(payload, tmp_path / "out", target)
    assert made.name == f"Replyroom-{installer.version()}-setup.exe"
    assert "ProductVersion".encode("utf-16-le") + b"\0\0" in made.read_bytes()
    assert f"{installer.version()}\0".encode("utf-16-le") in made.read_bytes()


class Windows:
    """A Windows of Wine's, without a display; NSIS runs silently in it."""

    def __init__(self, folder: Path) -> None:
        self.drive = folder / "drive_c"
        quiet = {"WINEDEBUG": "-all", "WINEDLLOVERRIDES": "winemenubuilder.exe=d;mscoree=d;mshtml=d", "DISPLAY": ""}
        self.environment = {**os.environ, **quiet, "WINEPREFIX": str(folder)}
        self.run("wineboot", "-i")
        self.run("winecfg", "-v", "win10")
        self.local = next(self.drive.glob("users/*/AppData/Local"))
        self.program = self.local / "Programs" / "Replyroom"

    def run(self, *command: str | Path) -> int:
        """Run a program of Windows to its end."""
        return subprocess.run(["wine", *map(str, command)], env=self.environment, check=False, timeout=120).returncode

    def start(self, program: Path) -> "subprocess.Popen[bytes]":
        """Start one beside."""
        return subprocess.Popen(["wine", str(program)], env=self.environment)

    def uninstall(self) -> int:
        """In place, so that its end is the end; the uninstaller itself stays then."""
        return self.run(
            self.program / "replyroom-uninstall.exe", "/S", "_?=C:" + str(self.program)[len(str(self.drive)) :].replace("/", "\\")
        )

    def registry(self) -> str:
        """What is said of the program in the user's registry."""
        done = subprocess.run(
            ["wine", "reg", "query", "HKCU\\Software", "/s"], env=self.environment, capture_output=True, check=False, timeout=120
        )
        return "\n".join(line for line in done.stdout.decode(errors="replace").splitlines() if "replyroom" in line.lower())

    def names(self) -> set[str]:
        """What lies in the program's folder."""
        return {path.relative_to(self.program).as_posix() for path in self.program.rglob("*")}


@pytest.mark.soak
@pytest.mark.timeout(600)
@with_nsis
@with_wine
def test_installing_upgrading_and_uninstalling(installer: ModuleType, payload: Path, tmp_path: Path) -> None:
    (tmp_path / "waits.nsi").write_text(WAITS.format(file=payload / "replyroom.exe"))
    subprocess.run(["makensis", "-V1", tmp_path / "waits.nsi"], check=True)
    setup = installer.make(payload, tmp_path / "out", "amd64-unicode")
    windows = Windows(tmp_path / "wine")
    whole = {"replyroom.exe", "replyroom-uninstall.exe", "_internal", "_internal/deep", "_internal/deep/a.dll"}

    assert windows.run(setup, "/S") == 0
    assert windows.names() == whole
    for words in ("Clients\\Mail\\Replyroom\\Capabilities\\URLAssociations", "Uninstall\\Replyroom", "Replyroom.Url.mailto"):
        assert words in windows.registry()
    assert list(windows.drive.glob("users/*/AppData/Roaming/**/Programs/Replyroom.lnk"))

    (windows.program / "_internal" / "stale.dll").write_text("of the version before")
    (windows.program / "_internal" / "deep" / "a.dll").write_text("old")
    (windows.program / "mine.txt").write_text("somebody's")
    running = windows.start(windows.program / "replyroom.exe")
    time.sleep(4)
    assert windows.run(setup, "/S") == 2, "not while it runs"
    assert windows.uninstall() == 2, "not while it runs"
    assert (windows.program / "_internal" / "deep" / "a.dll").read_text() == "old"
    assert windows.names() == whole | {"_internal/stale.dll", "mine.txt"}
    running.wait(60)
    assert windows.run(setup, "/S") == 0
    assert windows.names() == whole | {"mine.txt"}
    assert (windows.program / "_internal" / "deep" / "a.dll").read_text() == "new"

    (windows.drive / "other").mkdir()
    (windows.drive / "other" / "file.txt").write_text("somebody's")
    assert windows.run(setup, "/S", "/D=C:\\other") == 2
    assert [path.name for path in (windows.drive / "other").iterdir()] == ["file.txt"]

    (windows.local / "Replyroom").mkdir()
    (windows.local / "Replyroom" / "mail.db").write_text("mail")
    assert windows.uninstall() == 0
    assert windows.names() == {"mine.txt", "replyroom-uninstall.exe"}
    assert (windows.local / "Replyroom" / "mail.db").read_text() == "mail"
    assert windows.registry() == ""
    assert not list(windows.drive.glob("users/*/AppData/Roaming/**/Replyroom.lnk"))

"""The installer for Windows: made by NSIS where it is there, and run under Wine where that is there too."""

import os
import re
import shutil
import struct
import subprocess
import time
from pathlib import Path
from types import ModuleType

import pytest

from fakes.engine.processes.build_script import loaded_script

FOLDER = Path(__file__).resolve().parents[3] / "packaging" / "windows"
SCRIPT = (FOLDER / "installer.nsi").read_text(encoding="utf-8")
WORDS = (FOLDER / "languages.nsh").read_text(encoding="utf-8")
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


@pytest.mark.parametrize(
    ("version", "four"),
    [("0.1.0", "0.1.0.0"), ("1.2", "1.2.0.0"), ("1.2rc3", "1.2.0.0"), ("1.2.3.4.5", "1.2.3.4"), ("2.0.1.dev5+local", "2.0.1.0")],
)
def test_a_version_has_four_numbers_for_windows(installer: ModuleType, version: str, four: str) -> None:
    assert installer.four_numbers(version) == four


def test_something_else_than_a_frozen_program_is_refused(installer: ModuleType, payload: Path, tmp_path: Path) -> None:
    (payload / "secrets.txt").write_text("x")
    with pytest.raises(SystemExit, match=r"should hold replyroom.exe and _internal, and holds .*secrets.txt"):
        installer.make(payload, tmp_path / "out")
    with pytest.raises(SystemExit, match="holds nothing"):
        installer.make(tmp_path / "nothing", tmp_path / "out")


def test_without_nsis_it_says_what_to_install(
    installer: ModuleType, payload: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installer.shutil, "which", lambda _name: None)
    with pytest.raises(SystemExit, match="install NSIS"):
        installer.make(payload, tmp_path / "out")


def test_both_languages_say_everything() -> None:
    told = re.findall(r"^LangString (\w+) \$\{LANG_(\w+)\} \"(.+)\"$", WORDS, re.MULTILINE)
    names = {name for name, _language, _words in told}
    assert names == set(re.findall(r"\$\((\w+)\)", SCRIPT))
    assert len(told) == 2 * len(names) == WORDS.count("\nLangString")
    for name, language, words in told:
        assert language == "ENGLISH" or not re.search(r"(?<!\w)[kosuvzai] \w", words, re.IGNORECASE), name


def test_which_program_opens_addresses_is_left_to_windows() -> None:
    written = [line for line in SCRIPT.splitlines() if line.strip().startswith("WriteReg")]
    assert any("Capabilities\\URLAssociations" in line for line in written)
    assert all(" HKCU " in line for line in written), "nothing for all users"
    assert not [
        line for line in written if "UserChoice" in line or "Classes\\mailto" in line or '"Software\\Clients\\Mail"' in line
    ]
    assert "CurrentVersion\\Run" not in SCRIPT, "no start by itself"


def test_icons_have_the_sizes_that_systems_ask_for(installer: ModuleType) -> None:
    ico, icns = installer.icons.ico(), installer.icons.icns()
    count = struct.unpack_from("<HHH", ico)[2]
    entries = [struct.unpack_from("<BBBBHHII", ico, 6 + 16 * at) for at in range(count)]
    assert [entry[0] for entry in entries] == [16, 20, 24, 32, 40, 48, 64, 0]
    assert entries[-1][-1] + entries[-1][-2] == len(ico)
    assert struct.unpack_from(">I", icns, 4)[0] == len(icns)
    assert b"ic10" in icns


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

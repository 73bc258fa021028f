"""What the installer for Linux is made from: quick looks at its files. The whole build is behind `-m soak`."""

import configparser
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest
from ruamel.yaml import YAML

from fakes.engine.processes.build_script import loaded_script

ROOT = Path(__file__).resolve().parents[3]
PACKAGING = ROOT / "packaging"
LINUX = PACKAGING / "linux"


@pytest.fixture
def linux_package(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The script, with a builder's name."""
    monkeypatch.setenv("DEBFULLNAME", "Ana Nová")
    monkeypatch.setenv("DEBEMAIL", "ana@example.org")
    yield loaded_script(PACKAGING / "linux_package.py")


def test_the_desktop_file_is_a_candidate_and_no_more() -> None:
    read = configparser.RawConfigParser(delimiters=("=",), interpolation=None)
    read.optionxform = str  # type: ignore[assignment,method-assign]
    read.read(LINUX / "replyroom.desktop", encoding="utf-8")
    entry = read["Desktop Entry"]
    assert (entry["Exec"], entry["MimeType"], entry["Icon"]) == ("replyroom %u", "x-scheme-handler/mailto;", "replyroom")
    assert read.sections() == ["Desktop Entry"]
    texts = [path.read_text(encoding="utf-8") for path in (LINUX / "nfpm.yaml", *(LINUX / "scripts").iterdir())]
    for word in ("autostart", "mimeapps.list", "xdg-mime", "xdg-settings"):
        assert not [text for text in texts if f"/{word}" in text or f"{word} default" in text]


def test_the_store_page_agrees_with_the_desktop_file() -> None:
    root = ElementTree.parse(LINUX / "replyroom.metainfo.xml").getroot()
    desktop = (LINUX / "replyroom.desktop").read_text(encoding="utf-8")
    assert root.findtext("launchable") == "replyroom.desktop"
    assert f"Name={root.findtext('name')}\n" in desktop
    for summary in root.findall("summary"):
        language = summary.get("{http://www.w3.org/XML/1998/namespace}lang", "")
        assert f"Comment{f'[{language}]' if language else ''}={summary.text}\n" in desktop
    assert (root.findtext("project_license"), root.findtext("provides/binary")) == ("MIT", "replyroom")


def test_versions_agree(linux_package: ModuleType) -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert linux_package.version() == version
    assert re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE).group(1) == version  # type: ignore[union-attr]
    for name in ("replyroom.1", "replyroom.metainfo.xml", "nfpm.yaml"):
        text = (LINUX / name).read_text(encoding="utf-8")
        assert "@VERSION@" in text or "$version" in text
        assert version not in text


def test_the_package_is_made_from_files_that_are_there(linux_package: ModuleType, tmp_path: Path) -> None:
    made = YAML(typ="safe").load(linux_package.filled(tmp_path / "bundle", tmp_path / "made"))
    assert made["maintainer"] == "Ana Nová <ana@example.org>"
    sources = [Path(entry["src"]) for entry in made["contents"] if entry.get("type") != "symlink"]
    assert not [path for path in [*sources, *map(Path, made["scripts"].values())] if LINUX in path.parents and not path.is_file()]
    known = linux_package.libraries()
    assert set(made["depends"]) == set(known["needed"])
    assert "libEGL.so.1()(64bit)" in made["overrides"]["rpm"]["depends"]
    names = [name for table in known.values() for listed in table.values() for name in listed]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", ["postinst", "prerm"])
def test_scripts_are_shell(name: str) -> None:
    subprocess.run(["sh", "-n", LINUX / "scripts" / name], check=True)


NAMES = ("LD_LIBRARY_PATH", "LD_LIBRARY_PATH_ORIG", "_PYI_ARCHIVE_FILE")
SHOW = f"import json, os; print(json.dumps([os.environ.get(name) for name in {NAMES}]))"


@pytest.mark.parametrize("before", [None, "/opt/theirs"])
def test_children_get_the_libraries_path_that_the_program_got(before: str | None) -> None:
    hook = (PACKAGING / "pyinstaller" / "rthooks" / "surroundings.py").read_text(encoding="utf-8")
    environment = {**os.environ, "LD_LIBRARY_PATH": "/ours/_internal", "_PYI_ARCHIVE_FILE": "/ours/replyroom"}
    environment.update({"LD_LIBRARY_PATH_ORIG": before} if before else {})
    started = f"{hook}\nimport subprocess\nsubprocess.run([sys.executable, '-c', {SHOW!r}], check=True)"
    done = subprocess.run([sys.executable, "-c", started], env=environment, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [before, None, None]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at libraries for Linux")
def test_trimming_keeps_what_is_reached_and_leaves_the_system_its_own(tmp_path: Path) -> None:
    trimming = loaded_script(PACKAGING / "trimming.py")
    inside = tmp_path / "_internal"
    lib = inside / "PySide6" / "Qt" / "lib"
    for folder in (lib, inside / "PySide6" / "Qt" / "qml" / "Odd", inside / "shiboken6"):
        folder.mkdir(parents=True)
    import _ssl
    import _uuid

    shutil.copy(_ssl.__file__, inside / "PySide6" / "QtCore.abi3.so")
    reached = next(name for name in trimming.needed(inside / "PySide6" / "QtCore.abi3.so") if name.startswith("libssl"))
    for name in (reached, "libQt6Charts.so.6"):
        shutil.copy(_uuid.__file__, lib / name)
        (inside / name).symlink_to(lib / name)
    for name in ("libstdc++.so.6", "libsqlite3.so.0"):
        shutil.copy(_uuid.__file__, inside / name)
    (inside / "PySide6" / "Qt" / "qml" / "Odd" / "qmldir").write_text("module Odd")
    gone = trimming.trim(tmp_path)
    left = {path.relative_to(inside).as_posix() for path in inside.rglob("*")}
    assert left == {"PySide6", "PySide6/QtCore.abi3.so", "PySide6/Qt", "PySide6/Qt/lib", f"PySide6/Qt/lib/{reached}", reached,
                    "libsqlite3.so.0"}  # fmt: skip
    assert gone["the system's libraries"] > 0
    assert not [folder for path in trimming.binaries(inside) for folder in trimming.searched(path) if folder.startswith("/")]
    assert {oct(path.stat().st_mode & 0o777) for path in inside.rglob("*.so*") if not path.is_dir()} == {"0o644"}
    assert "libcrypto.so.3" in trimming.outside(tmp_path)


def test_no_library_looks_where_the_build_machine_had_its_own() -> None:
    trimming = loaded_script(PACKAGING / "trimming.py")
    before = b"\x7fELF...libssl.so.3\0/home/ana/python/lib\0libc.so.6\0"
    after = trimming.elsewhere(before, "/home/ana/python/lib")
    assert len(after) == len(before)
    assert after.replace(b"\0", b" ").split() == [b"\x7fELF...libssl.so.3", b"$ORIGIN", b"libc.so.6"]
    with pytest.raises(SystemExit, match="too short"):
        trimming.elsewhere(before, "/lib")


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="builds the installer for Linux")
def test_the_installer_is_built(tmp_path: Path) -> None:
    """Everything, from an environment made anew to a package that lintian takes."""
    command = [sys.executable, PACKAGING / "build.py", "all", "--work", tmp_path / "work", "--target", tmp_path / "dist"]
    subprocess.run(command, check=True, cwd=ROOT)
    (file,) = (tmp_path / "dist").glob("*.deb")
    subprocess.run(["dpkg-deb", "--extract", file, tmp_path / "root"], check=True)
    program = tmp_path / "root" / "usr" / "bin" / "replyroom"
    done = subprocess.run([program.resolve(), "demo", "--headless"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr

"""The table of the system's libraries: all that Qt's modules and plugins name stand in it, and dev.py installs them."""

import ast
import sys
from collections import defaultdict
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from types import ModuleType

import PySide6
import pytest

from fakes.engine.processes.build_script import loaded_script

ROOT = Path(__file__).resolve().parents[3]
PACKAGING = ROOT / "packaging"
QT = Path(PySide6.__path__[0])
PLUGINS = (
    "iconengines",
    "imageformats",
    "networkinformation",
    "platforminputcontexts",
    "platforms",
    "platformthemes",
    "printsupport",
    "tls",
    "wayland-decoration-client",
    "wayland-graphics-integration-client",
    "wayland-shell-integration",
    "xcbglintegrations",
)
"""Folders of the plugins that belong to the modules in use."""

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at libraries for Linux")


@cache
def script(name: str) -> ModuleType:
    """A script of packaging/."""
    return loaded_script(PACKAGING / f"{name}.py")


def modules() -> set[str]:
    """Qt's modules that the program imports."""
    found = set()
    for path in (ROOT / "app").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("PySide6."):
                found.add(str(node.module).split(".")[1])
    return found


def in_use() -> list[Path]:
    """Modules, plugins but for those that the build takes out, and Chromium's process."""
    unused = [pattern for patterns in script("trimming").UNUSED.values() for pattern in patterns]
    plugins = [path for folder in PLUGINS for path in sorted((QT / "Qt" / "plugins" / folder).glob("*.so"))]
    kept = [path for path in plugins if not any(fnmatch(path.relative_to(QT.parent).as_posix(), one) for one in unused)]
    process = QT / "Qt" / "libexec" / "QtWebEngineProcess"
    return [*(QT / f"{name}.abi3.so" for name in sorted(modules())), *kept, process]


def asked_of_the_system() -> dict[str, set[str]]:
    """Libraries that Qt's wheels do not bring, each with the files that name them."""
    brought = {path.name: path for folder in (QT, QT / "Qt" / "lib", QT.parent / "shiboken6") for path in folder.glob("*.so*")}
    waiting, seen, found = in_use(), set(), defaultdict(set)
    while waiting:
        path = waiting.pop()
        for name in script("elf").needed(path):
            if name not in brought:
                found[name].add(path.name)
            elif name not in seen:
                seen.add(name)
                waiting.append(brought[name])
    return found


def test_the_program_uses_more_than_the_core() -> None:
    assert {"QtCore", "QtGui", "QtWidgets", "QtWebEngineCore"} <= modules()
    assert {"libqxcb.so", "libqwayland.so", "QtWebEngineProcess"} <= {path.name for path in in_use()}
    assert "libqtiff.so" not in {path.name for path in in_use()}


def test_all_that_qt_names_stands_in_the_table() -> None:
    known = {name for part in script("linux_package").libraries().values() for names in part.values() for name in names}
    asked = asked_of_the_system()
    assert {"libwayland-cursor.so.0", "libxcb-cursor.so.0", "libnss3.so", "libEGL.so.1"} <= asked.keys()
    assert {name: by for name, by in asked.items() if name not in known} == {}


def test_whichever_is_missing_has_its_package_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    dev, table = script("dev"), script("linux_package").libraries()
    optional = {name for names in table["recommended"].values() for name in names}
    lost = sorted(name for name in asked_of_the_system().keys() - optional if not name.startswith("ld-linux"))
    for name in lost:
        monkeypatch.setattr(dev, "is_found", lambda one, name=name: one != name)
        assert [name in table["needed"][package] for package in dev.missing_libraries()] == [True], name

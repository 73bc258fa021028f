"""Takes out of the frozen program what it never uses, and libraries that belong to the system. Says how much that was.

Works on a folder that PyInstaller made, on Linux. What Qt still needs is found by following its libraries, not by a list.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path

from elf import is_binary, needed, searched

QT = "PySide6/Qt"

UNUSED = {
    "QML, which no window of ours uses": [f"{QT}/qml/*", f"{QT}/plugins/qmltooling/*"],
    "Python's side of it": [
        f"PySide6/{name}.abi3.so" for name in ("QtQml", "QtQuick", "QtQuickWidgets", "QtOpenGL", "QtPositioning")
    ],
    "on-screen keyboard (GPL only)": [f"{QT}/plugins/platforminputcontexts/libqtvirtualkeyboardplugin.so"],
    "screens without a desktop": [
        *(f"{QT}/plugins/platforms/libq{name}.so" for name in ("eglfs", "linuxfb", "minimalegl", "vkkhrdisplay", "vnc")),
        f"{QT}/plugins/egldeviceintegrations/*",
        f"{QT}/plugins/generic/*",
    ],
    "pictures of kinds that no mail shows": [
        f"{QT}/plugins/imageformats/libq{name}.so" for name in ("icns", "pdf", "tga", "tiff", "wbmp")
    ],
    "parts for Word files that none needs": [
        *("lxml/objectify.*", "lxml/isoschematron/*", "lxml/html/*"),
        "docx/templates/default-docx-template/*",  # the same as default.docx, unpacked
    ],
    "descriptions of services that no model has": ["boto3/data/*"],
    "where the computer stands": [f"{QT}/plugins/position/*"],
    "Chromium's tools for developers": [f"{QT}/resources/qtwebengine_devtools_resources.pak"],
    "modules for a terminal": ["python3.*/lib-dynload/readline.*", "python3.*/lib-dynload/_curses*"],
    "a second backend": ["zstandard/_cffi.*"],
    "tests and sources of packages": ["*/.gitattributes", "*/tests/*", "*/test/*", "*.c", "*.cpp", "*.pyx", "*.pxd", "*.h"],
    "what only tools of developers read": ["*.pyi", "*.pxi", "*/py.typed"],
    "sources of our catalogues": ["resources/i18n/*.ts"],
}
"""Why, and paths in the bundle."""

ONLY = {
    f"{QT}/translations/*": ("qtbase_cs.qm", "qtbase_en.qm", "cs.pak", "en-US.pak"),
    "botocore/data/*": ("bedrock", "bedrock-runtime", "sts", "sso", "sso-oidc", "partitions.json", "endpoints.json",
                        "_retry.json", "sdk-default-configuration.json"),
    "*.dist-info/*": ("METADATA", "entry_points.txt"),
}  # fmt: skip
"""Folders of which only these are kept: words in our two languages, what litellm needs of Amazon's client for Bedrock, and of the
packages' records what a running program asks for. Licence texts are in one file of all packages."""

OURS = ("libpython3*", "libsqlite3.so*", "libffi.so*", "libbz2.so*", "liblzma.so*")
"""Libraries of the build machine that are included. All others come with the system, which fixes their faults and matches them to
its own: mixing ours into them is how frozen programs crash."""


PROGRAMS = {"replyroom", "QtWebEngineProcess"}
BESIDE = b"$ORIGIN"


def trim(bundle: Path) -> dict[str, float]:
    """Take out what is not used; megabytes by reason."""
    inside = bundle / "_internal"
    gone: dict[str, float] = defaultdict(float)
    for reason, patterns in UNUSED.items():
        for pattern in patterns:
            gone[reason] += _remove(path for path in inside.glob("**/*") if _fits(inside, path, pattern))
    for pattern, kept in ONLY.items():
        gone[f"other languages and services: {pattern}"] += _remove(_others(inside, pattern, kept))
    gone["the system's libraries"] += _remove(_of_the_system(inside))
    gone["Qt libraries that nothing needs"] += _remove(_unreached(inside))
    _tidy(inside)
    settle(bundle)
    return dict(gone)


def settle(bundle: Path) -> None:
    """Everybody may read everything, only programs are programs, and no library looks for others where the build machine had its
    own: somebody else may live in that folder."""
    for path in [bundle, *bundle.rglob("*")]:
        if path.is_symlink():
            continue
        path.chmod(0o755 if path.is_dir() or path.name in PROGRAMS else 0o644)
    for path in binaries(bundle):
        for folder in searched(path):
            if folder.startswith("/"):
                path.write_bytes(elsewhere(path.read_bytes(), folder))


def elsewhere(data: bytes, folder: str) -> bytes:
    """A library that looks beside itself instead of in an absolute folder. In place: nothing else in it moves."""
    before = folder.encode() + b"\0"
    if len(before) <= len(BESIDE):
        raise SystemExit(f"{folder} is too short to be replaced; build with a Python that lies elsewhere")
    return data.replace(before, BESIDE.ljust(len(before), b"\0"))


def binaries(folder: Path) -> Iterator[Path]:
    """All programs and libraries below, each once."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and is_binary(path):
            yield path


def outside(bundle: Path) -> dict[str, list[str]]:
    """Libraries that the system has to bring, each with the files that need it."""
    here = {path.name for path in bundle.rglob("*.so*")}
    found: dict[str, list[str]] = defaultdict(list)
    for path in binaries(bundle):
        for name in needed(path):
            if name not in here:
                found[name].append(path.relative_to(bundle).as_posix())
    return dict(sorted(found.items()))


def _fits(inside: Path, path: Path, pattern: str) -> bool:
    return not path.is_dir() and fnmatch(path.relative_to(inside).as_posix(), pattern)


def _others(inside: Path, pattern: str, kept: tuple[str, ...]) -> Iterator[Path]:
    """What lies below the pattern's folder and is not kept, by its own name or that of the folder it is in."""
    for top in inside.glob(pattern.removesuffix("/*")):
        for path in top.rglob("*"):
            if not path.is_dir() and not set(path.relative_to(top).parts) & set(kept):
                yield path


def _of_the_system(inside: Path) -> Iterator[Path]:
    """Libraries that lie beside the packages: none of these brings its own there."""
    for path in inside.glob("lib*.so*"):
        if not path.is_symlink() and not any(fnmatch(path.name, pattern) for pattern in OURS):
            yield path


def _unreached(inside: Path) -> Iterator[Path]:
    """Libraries of Qt that neither Python's modules, nor plugins, nor Chromium's process lead to."""
    folder = inside / QT / "lib"
    waiting = [path for path in binaries(inside / "PySide6") if path.parent != folder] + [*binaries(inside / "shiboken6")]
    reached: set[str] = set()
    while waiting:
        for name in needed(waiting.pop()):
            if name not in reached and (folder / name).exists():
                reached.add(name)
                waiting.append(folder / name)
    yield from (path for path in folder.iterdir() if path.name not in reached)


def _remove(paths: Iterable[Path]) -> float:
    """Delete files; megabytes that they took."""
    size = 0
    for path in list(paths):
        size += 0 if path.is_symlink() else path.stat().st_size
        path.unlink()
    return size / 1e6


def _tidy(inside: Path) -> None:
    """No link that leads nowhere, no empty folder."""
    for path in [path for path in inside.rglob("*") if path.is_symlink() and not path.exists()]:
        path.unlink()
    for path in sorted((path for path in inside.rglob("*") if path.is_dir()), reverse=True):
        if not any(path.iterdir()):
            path.rmdir()

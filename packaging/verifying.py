"""Looks at what was built: sizes against the budgets, the self-test, libraries, licences, and what may not be in it.

Each look gives sentences about what is wrong; none means good.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import time
import tomllib
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path

import linux_package
import trimming

HERE = Path(__file__).resolve().parent
GPL_ONLY = (
    "Charts", "DataVisualization", "Graphs", "HttpServer", "Lottie", "Mqtt", "NetworkAuth", "Quick3D", "QuickTimeline",
    "VirtualKeyboard", "WaylandCompositor", "Coap", "OpcUa",
)  # fmt: skip
"""Parts of Qt that are under the GPL alone for who does not pay."""

SHIPPED = ("LGPL-3", "GPL-3", "NOTICE-Qt", "THIRD-PARTY-NOTICES.txt", "notices.json", "sbom.cdx.json")
SELF_TEST_S = 300


def budgets() -> dict[str, float]:
    """The limits for this system."""
    table: dict[str, float] = tomllib.loads((HERE / "pyinstaller" / "budgets.toml").read_text(encoding="utf-8"))["linux"]
    return table


def megabytes(path: Path) -> float:
    """Millions of bytes of a file, or of all files in a folder, links not counted."""
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file() and not file.is_symlink()) / 1e6


def over(name: str, found: float) -> Iterator[str]:
    """Whether a budget was passed; it is printed either way."""
    limit = budgets()[name]
    print(f"  {name}: {found:.1f} of {limit:g}")
    if found > limit:
        yield f"{name} is {found:.1f}, at most {limit:g} is allowed"


def libraries(bundle: Path) -> Iterator[str]:
    """The system's libraries that the program asks for are those of the table."""
    tables = linux_package.libraries().values()
    known = {name for table in tables for names in table.values() for name in names}
    asked = trimming.outside(bundle)
    yield from (f"{name} is needed by {asked[name][0]} but is in no package" for name in asked.keys() - known)
    yield from (f"{name} is in libraries.toml, but nothing needs it" for name in known - asked.keys())


def parts(bundle: Path) -> Iterator[str]:
    """Nothing that may not be shipped, and all licence texts."""
    for path in bundle.rglob("libQt6*"):
        if any(fnmatch(path.name, f"libQt6{name}*") for name in GPL_ONLY):
            yield f"{path.name} is under the GPL only"
    folder = bundle / "_internal" / "resources" / "licenses"
    yield from (f"{name} is missing; run: build.py licenses" for name in SHIPPED if not (folder / name).is_file())


def self_test(program: Sequence[str | Path], environment: dict[str, str] | None = None) -> Iterator[str]:
    """All parts work, within the time of a processor that they may take."""
    surroundings = {**(environment or os.environ), "QT_QPA_PLATFORM": "offscreen"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [*program, "--self-test"], env=surroundings, stdout=subprocess.PIPE, text=True, check=False, timeout=SELF_TEST_S
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    print("".join(f"  {line}\n" for line in done.stdout.splitlines()), end="")
    if done.returncode != 0:
        yield "the self-test: " + (done.stdout.splitlines() or ["nothing was said"])[-1]
    yield from over("self_test_cpu_s", after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def version(program: Path) -> Iterator[str]:
    """The program says the version of pyproject.toml, and starts quickly."""
    begun = time.perf_counter()
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False, timeout=SELF_TEST_S).stdout.strip()
    print(f"  {said} ({time.perf_counter() - begun:.2f} s)")
    if said != f"Replyroom {linux_package.version()}":
        yield f"the program says {said!r}, and pyproject.toml {linux_package.version()}"


def files(made: Path, root: Path) -> Iterator[str]:
    """Files for desktops are without errors, as the tools for them see it; a tool that is not installed is named. AppStream warns
    of a name that begins with no domain: there is none."""
    checks = {
        "desktop-file-validate": [root / "linux" / "replyroom.desktop"],
        "appstreamcli": ["validate", "--no-net", made / "replyroom.metainfo.xml"],
    }
    for tool, arguments in checks.items():
        if shutil.which(tool) is None:
            print(f"  {tool} is not installed: not looked at")
            continue
        done = subprocess.run([tool, *arguments], capture_output=True, text=True, check=False)
        lines = [line for line in (done.stdout + done.stderr).splitlines() if line.startswith("E:") or "error:" in line]
        yield from (f"{tool}: {line}" for line in lines)


def deb(file: Path) -> Iterator[str]:
    """Its size, and what lintian says."""
    yield from over("deb_mb", megabytes(file))
    if shutil.which("lintian") is None:
        print("  lintian is not installed: not looked at")
        return
    command = ["lintian", "--fail-on", "error,warning", "--tag-display-limit", "20", file]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    print("".join(f"  {line}\n" for line in done.stdout.splitlines()), end="")
    if done.returncode != 0:
        yield "lintian is not content"

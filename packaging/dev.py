"""Runs the chores. First makes .venv, installs from the lock and finds Qt's system libraries.

    python3 packaging/dev.py demo | test | run | check | shots | bench NAME --json | package | installer | lock | fresh

Standard library only; Linux, macOS and Windows. A failed step says which step, and what to do.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import re
import shutil
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
LOCK = ROOT / "requirements.lock"
STAMP = VENV / "replyroom-lock.sha256"
SUPPORTED = ((3, 11), (3, 13))
LIBRARIES = ROOT / "packaging" / "linux" / "libraries.toml"
IN_WHEEL = (
    "app/main.py",
    "app/_resources/themes/light.toml",
    "app/_resources/sample/index.yaml",
    "app/_resources/models/tokenizer.json",
    "app/_resources/i18n/replyroom_cs.qm",
    "entry_points.txt",
    "licenses/LICENSE",
)
FONTS = ("fonts-noto-core", "fonts-noto-cjk", "fonts-noto-color-emoji")


def fail(step: str, remedy: str) -> int:
    """Say which step failed and what to do, and end."""
    print(f"\n{step} failed.\n{remedy}", file=sys.stderr)
    raise SystemExit(1)


def run(step: str, command: list[str | Path], remedy: str, environment: dict[str, str] | None = None) -> None:
    """Run a step; its output is shown, its failure explained."""
    print(f"[{step}]", flush=True)
    try:
        done = subprocess.run([str(part) for part in command], cwd=ROOT, env=environment, check=False)
    except OSError as error:
        fail(step, f"{error}. {remedy}")
    if done.returncode != 0:
        fail(step, remedy)


def find_python() -> str:
    """Find a supported interpreter: this, .venv's, or one on the path."""
    if SUPPORTED[0] <= sys.version_info[:2] <= SUPPORTED[1]:
        return sys.executable
    others = [str(PYTHON), *(shutil.which(f"python3.{minor}") for minor in (13, 12, 11))]
    for other in others:
        if other and Path(other).exists() and is_supported(other):
            return other
    return str(fail("Finding Python", "Replyroom needs Python 3.11, 3.12 or 3.13; install one of them and try again."))


def is_supported(python: str) -> bool:
    """Tell whether an interpreter starts and has a supported version."""
    asked = f"import sys; sys.exit(not {SUPPORTED[0]} <= sys.version_info[:2] <= {SUPPORTED[1]})"
    try:
        return subprocess.run([python, "-c", asked], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def ensure_venv() -> None:
    """Make .venv and bring it to the lock; quick when nothing changed."""
    digest = hashlib.sha256(LOCK.read_bytes()).hexdigest()
    if PYTHON.exists() and STAMP.exists() and STAMP.read_text(encoding="utf-8") == digest:
        return
    if not PYTHON.exists():
        run("Making .venv", [find_python(), "-m", "venv", VENV], "On Debian: apt install python3-venv, then try again.")
    online = "Check the connection to your package index (pip's settings are used) and try again."
    if shutil.which("uv") is None and not (BIN / ("uv.exe" if os.name == "nt" else "uv")).exists():
        run("Installing uv into .venv", [PYTHON, "-m", "pip", "install", "--quiet", "uv"], online)
    uv = shutil.which("uv") or BIN / "uv"
    environment = {**os.environ, "VIRTUAL_ENV": str(VENV)}
    command = [uv, "pip", "install", "--quiet", "--require-hashes", "-r", LOCK, "--python", PYTHON]
    run("Installing the locked packages", command, online, environment)
    STAMP.write_text(digest, encoding="utf-8")


def missing_libraries() -> list[str]:
    """Name the packages, as libraries.toml does, of libraries not found."""
    import tomllib  # older Pythons lack it; main() hands over to a newer one before it comes here

    with LIBRARIES.open("rb") as file:
        needed = tomllib.load(file)["needed"]
    return [package for package, names in needed.items() if not all(map(is_found, names))]


def is_found(library: str) -> bool:
    """Ask the loader for a library.

    Its own name differs from processor to processor; it is there, since it started us.
    """
    if library.startswith("ld-linux"):
        return True
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def packages(wanted: list[str]) -> list[str]:
    """Choose one plain name for each package.

    Versions are left out; of "older | newer name" it is the one that apt can install, else the first.
    """
    choices = [[name.split()[0] for name in entry.split("|")] for entry in wanted]
    offered = offered_by_apt([name for names in choices if len(names) > 1 for name in names])
    return [next((name for name in names if name in offered), names[0]) for names in choices]


def offered_by_apt(names: list[str]) -> set[str]:
    """Ask apt which of the packages it can install.

    A name that other packages merely provide is none.
    """
    if not names or shutil.which("apt-cache") is None:
        return set()
    told = {"env": {**os.environ, "LC_ALL": "C"}, "capture_output": True, "encoding": "utf-8", "errors": "replace"}
    said = subprocess.run(["apt-cache", "policy", *names], check=False, **told).stdout
    candidates = re.findall(r"^(\S+):\n(?: .*\n)*?  Candidate: (.+)$", said, re.MULTILINE)
    return {name for name, version in candidates if version != "(none)"}


def missing_fonts() -> list[str]:
    """Font packages to install where the machine has no fonts at all or lacks other scripts."""
    listing = shutil.which("fc-list")
    known = subprocess.run([listing], capture_output=True, text=True, check=False).stdout if listing else ""
    return list(FONTS) if "Noto" not in known else []


def ensure_qt() -> None:
    """On Linux, see that Qt can start: install what is missing with apt where that is possible, else print the line."""
    if not sys.platform.startswith("linux"):
        return
    missing = missing_libraries()
    if missing:
        missing += missing_fonts()
    missing += os.environ.get("REPLYROOM_ALSO_INSTALL", "").split()  # one transaction is quicker than two
    if not missing:
        return
    if shutil.which("apt-get") is None:
        print(f"Qt may miss system libraries (Debian names): {' '.join(packages(missing))}", file=sys.stderr)
        return
    install = ["install", "--no-install-recommends", "-y"]
    if os.geteuid() != 0:
        line = " ".join(["sudo apt-get", *install, *packages(missing)])
        fail("Finding Qt's system libraries", f"Run this once, then try again:\n  {line}")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    apt = ["apt-get", "-o", "DPkg::Lock::Timeout=300", "-qq"]
    run("Reading the package lists", [*apt, "update"], "See that apt-get update works, then try again.", environment)
    names = packages(missing)  # only now does apt know what there is
    remedy = f"Run by hand: apt-get {' '.join([*install, *names])}"
    run("Installing Qt's system libraries", [*apt, *install, *names], remedy, environment)


@lru_cache(maxsize=1)
def surroundings() -> dict[str, str]:
    """The environment of chores: no tracing, no price lists, and as root no Chromium sandbox, which refuses to start then."""
    environment = {**os.environ, "LANGSMITH_TRACING": "false", "LITELLM_LOCAL_MODEL_COST_MAP": "True", "PYTHONUTF8": "1"}
    # Chores start many interpreters: without bytecode each of them would compile the libraries again, which takes seconds.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    if hasattr(os, "geteuid") and os.geteuid() == 0 and "QTWEBENGINE_DISABLE_SANDBOX" not in environment:
        print("Running as root: the HTML view's sandbox is off for this chore.", file=sys.stderr)
        environment["QTWEBENGINE_DISABLE_SANDBOX"] = "1"
    return environment


def chore(command: list[str | Path]) -> int:
    """Run a chore with the environment's Python and hand its exit code on."""
    try:
        return subprocess.run([str(part) for part in command], cwd=ROOT, env=surroundings(), check=False).returncode
    except KeyboardInterrupt:
        return 130


def said(command: list[str | Path]) -> tuple[int, str]:
    """The exit code of a chore and all that it said."""
    parts = [str(part) for part in command]
    told = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "encoding": "utf-8", "errors": "replace"}
    done = subprocess.run(parts, cwd=ROOT, env=surroundings(), check=False, **told)
    return done.returncode, done.stdout


def program(arguments: list[str]) -> int:
    """`replyroom ARGUMENTS`."""
    return chore([PYTHON, "-m", "app", *arguments])


def test(arguments: list[str]) -> int:
    """The whole suite, or the folders and tests you name; whole folders on all cores."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    busy = (cores * 3 + 1) // 2  # many tests wait for another process: more of them keep the cores busy
    spread = ["--forks", str(busy)] if sys.platform == "linux" else ["-n", str(busy), "--dist", "loadfile"]
    whole = not arguments or any((ROOT / one).is_dir() for one in arguments)
    return chore([PYTHON, "-m", "pytest", *(spread if whole else []), *(arguments or ["-q"])])


def check(arguments: list[str]) -> int:
    """Lint, format, types, unused code and architecture tests (import contracts among them)."""
    steps = {
        "ruff check": [PYTHON, "-m", "ruff", "check", "app", "tests", "packaging"],
        "ruff format": [PYTHON, "-m", "ruff", "format", "--check", "app", "tests", "packaging"],
        "mypy --strict": [PYTHON, "-m", "mypy"],
        "vulture": [PYTHON, "-m", "vulture"],
        "architecture": [PYTHON, "-m", "pytest", "-q", "tests/architecture", *arguments],
    }
    with ThreadPoolExecutor() as beside:
        done = {name: beside.submit(said, command) for name, command in steps.items()}
        bad = []
        for name, told in done.items():
            code, words = told.result()
            print(f"[{name}]\n{words}", end="", flush=True)
            bad += [name] * (code != 0)
    print("check: " + (f"failed: {', '.join(bad)}" if bad else "clean"))
    return 1 if bad else 0


def shots(arguments: list[str]) -> int:
    """Pictures of every page in every state, theme and language into shots/; --help lists the choices."""
    return chore([PYTHON, ROOT / "tests" / "end_to_end" / "screenshots", *arguments])


def bench(arguments: list[str]) -> int:
    """Run tests/performance/NAME.py with the rest of the arguments; JSON on standard output with --json."""
    scripts = (ROOT / "tests" / "performance").glob("[a-z]*.py")
    names = sorted(path.stem for path in scripts if "__main__" in path.read_text(encoding="utf-8"))
    if not arguments or arguments[0] not in names:
        return fail("bench", f"Name one of: {', '.join(names)}.")
    return chore([PYTHON, ROOT / "tests" / "performance" / f"{arguments[0]}.py", *arguments[1:]])


def lock(arguments: list[str]) -> int:
    """Resolve the dependencies anew into requirements.lock (universal, hashed, without addresses)."""
    flags = "--universal --generate-hashes --no-emit-index-url --no-annotate --group dev"
    command = f"uv pip compile {flags} pyproject.toml -o requirements.lock"
    uv = shutil.which("uv") or str(BIN / "uv")
    return chore([uv, *command.split()[1:], "-q", "--custom-compile-command", command, *arguments])


def package(arguments: list[str]) -> int:
    """Build the wheel into dist/ and see that the program's files and its command are in it."""
    uv = shutil.which("uv") or str(BIN / "uv")
    run("Building the wheel", [uv, "build", "--wheel", "--quiet", "--out-dir", ROOT / "dist", *arguments], "See the lines above.")
    wheel = max((ROOT / "dist").glob("*.whl"), key=lambda path: path.stat().st_mtime)
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    missing = [name for name in IN_WHEEL if not any(one.endswith(name) for one in names)]
    if missing:
        return fail("Checking the wheel", f"{wheel.name} lacks {', '.join(missing)}; see the build section of pyproject.toml.")
    print(f"{wheel.relative_to(ROOT)}: {wheel.stat().st_size / 1e6:.1f} MB, {len(names)} files")
    return 0


def installer(arguments: list[str]) -> int:
    """The installer for Linux into dist/: freeze, trim, licences, self-test, package, verify; or the one step that is named."""
    return chore([PYTHON, ROOT / "packaging" / "build.py", *(arguments or ["all"])])


def fresh(arguments: list[str]) -> int:
    """Try the README's commands on a minimal Debian; --help lists the choices."""
    from fresh import main as in_a_fresh_root

    return in_a_fresh_root(arguments)


CHORES = {
    "run": program,
    "demo": lambda arguments: program(["demo", *arguments]),
    "test": test,
    "check": check,
    "shots": shots,
    "bench": bench,
    "package": package,
    "installer": installer,
    "lock": lock,
    "fresh": fresh,
}


def main(arguments: list[str]) -> int:
    """Prepare the machine, then do the chore."""
    if not arguments or arguments[0] not in CHORES:
        print(f"usage: python3 packaging/dev.py {{{' | '.join(CHORES)}}} ...", file=sys.stderr)
        return 2
    if arguments[0] == "fresh":  # needs neither .venv nor Qt here
        return fresh(arguments[1:])
    python = find_python()
    if python != sys.executable:
        return chore([python, Path(__file__).resolve(), *arguments])
    with ThreadPoolExecutor() as beside:
        system = beside.submit(ensure_qt)
        ensure_venv()
        system.result()
    return CHORES[arguments[0]](arguments[1:])


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

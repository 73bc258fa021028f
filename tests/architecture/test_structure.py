"""The rules of the code base that a test can hold: folders, files, names, and what may not stand in a commit."""

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "app").rglob("*.py"))
ENTRIES = 15
"""Entries of a folder, without `__init__.py` and `README.md`: more than that nobody takes in at a glance."""
LONGEST_FILE = 600
SHORTEST_FILE = 40
SHORT = {"app/__main__.py": "the command `python -m app`", "app/sandbox/__main__.py": "the command `python -m app.sandbox`"}
"""Modules of fewer lines with one importer, and why each stands alone."""
FORBIDDEN_NAMES = {"utils", "helpers", "common", "manager", "misc"}
LEFTOVERS = re.compile(r"\b(TODO|FIXME|XXX|HACK|NotImplementedError|processEvents)\b")
SILENCERS = re.compile(r"#\s*(type:\s*ignore|noqa|mypy:|ruff:)")


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _module(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_contracts_hold() -> None:
    """import-linter finds no broken contract."""
    lint = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([lint, "--no-logo"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("top", ["app", "tests"])
def test_folders_are_small(top: str) -> None:
    """No folder of code has more than 15 entries."""
    entries: dict[Path, set[str]] = defaultdict(set)
    for path in (ROOT / top).rglob("*.py"):
        if path.name != "__init__.py":
            entries[path.parent].add(path.name)
        for folder in path.relative_to(ROOT).parents:
            if folder.parent.parts:
                entries[ROOT / folder.parent].add(folder.name)
    assert not {_name(folder): len(names) for folder, names in entries.items() if len(names) > ENTRIES}


def test_files_are_one_topic_long() -> None:
    """No file has more than 600 lines."""
    sizes = {_name(path): path.read_text(encoding="utf-8").count("\n") for path in SOURCES}
    assert not {name: size for name, size in sizes.items() if size > LONGEST_FILE}


def _importers() -> dict[str, set[str]]:
    """Modules of the program by the modules that import them, imports inside functions too."""
    known = {_module(path) for path in SOURCES}
    found: dict[str, set[str]] = defaultdict(set)
    for path in SOURCES:
        for node in ast.walk(_tree(path)):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    full = f"{node.module}.{alias.name}"
                    found[full if full in known else node.module].add(_module(path))
    return found


def test_small_modules_have_a_second_importer_or_a_reason() -> None:
    """A module of fewer than 40 lines that one other module imports belongs into that one."""
    importers = _importers()
    small = {
        _name(path)
        for path in SOURCES
        if path.name != "__init__.py"
        and path.read_text(encoding="utf-8").count("\n") < SHORTEST_FILE
        and len(importers[_module(path)]) < 2
    }
    assert small == set(SHORT), "give the module to its importer, or write the reason into SHORT"


def test_public_classes_have_names_of_their_own() -> None:
    """The same public class name does not stand twice in the program."""
    names = Counter(
        node.name
        for path in SOURCES
        for node in _tree(path).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert not [name for name, count in names.items() if count > 1]


def test_modules_say_what_is_in_them() -> None:
    """Each module has a docstring, and none tells it as a refusal."""
    docs = {_name(path): ast.get_docstring(_tree(path)) or "" for path in SOURCES}
    assert not [name for name, doc in docs.items() if not doc]
    assert not [name for name, doc in docs.items() if re.search(r"\b[Rr]efuses\b", doc)]


def test_names_say_something() -> None:
    """No module is called utils, helpers or the like."""
    assert not [_name(path) for path in SOURCES if path.stem in FORBIDDEN_NAMES]


def test_no_leftovers_and_no_silenced_checks() -> None:
    """Nothing unfinished, and no check switched off in the code."""
    found = []
    for path in SOURCES:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if LEFTOVERS.search(line) or SILENCERS.search(line):
                found.append(f"{_name(path)}:{number}: {line.strip()}")
    assert not found, "\n".join(found)


def test_packaging_is_no_package() -> None:
    """`packaging/__init__.py` would shadow the library of that name."""
    assert not (ROOT / "packaging" / "__init__.py").exists()


def test_lock_holds_hashes_and_no_addresses() -> None:
    """The lock can be installed with hashes required and names no registry."""
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert "://" not in lock
    assert "--index-url" not in lock
    pins = [line for line in lock.splitlines() if "==" in line and not line.startswith("#")]
    assert len(pins) > 100
    assert lock.count("--hash=sha256:") >= len(pins)


def test_lock_agrees_with_the_project() -> None:
    """Every declared dependency is pinned."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    declared = project["project"]["dependencies"] + project["dependency-groups"]["dev"]
    names = {re.split(r"[\[<>=!~; ]", entry, maxsplit=1)[0].lower().replace("_", "-").replace(".", "-") for entry in declared}
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    pinned = {line.split("==")[0].lower() for line in lock.splitlines() if "==" in line and not line.startswith(("#", " "))}
    assert names <= pinned, names - pinned


@pytest.mark.parametrize("word", ["shared" + "/", "." + "library", "pypi" + ".org", "files.python" + "hosted"])
def test_files_name_nothing_of_the_workplace(word: str) -> None:
    """Committed files stand by themselves."""
    command = ["git", "grep", "-lI", "-F", word, "--", ".", ":!requirements.lock"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert not done.stdout.strip(), done.stdout

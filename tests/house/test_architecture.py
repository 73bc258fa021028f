"""The house: floors, sizes, mirrors and what the window may import, checked before any feature."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "app").rglob("*.py"))
HEAVY = (
    "litellm",
    "chromadb",
    "langgraph",
    "langchain_core",
    "googleapiclient",
    "sqlalchemy",
    "keyring",
    "onnxruntime",
    "openai",
    "starlette",
    "uvicorn",
)
FORBIDDEN_NAMES = {"utils", "helpers", "common", "manager", "base", "misc"}
LEFTOVERS = re.compile(r"\b(TODO|FIXME|XXX|HACK|NotImplementedError|processEvents)\b")
SILENCERS = re.compile(r"#\s*(type:\s*ignore|noqa|mypy:|ruff:)")
# A type: ignore is allowed only for a library without types, with its code and the reason in the line above.


def _functions(tree: ast.AST) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """All functions of a module, nested ones too."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def _tree(path: Path) -> ast.Module:
    """The parsed module."""
    return ast.parse(path.read_text(encoding="utf-8"))


def _name(path: Path) -> str:
    """The path as shown in failures."""
    return path.relative_to(ROOT).as_posix()


def test_contracts_hold() -> None:
    """import-linter finds no broken contract."""
    lint = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([lint, "--no-logo"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_files_and_functions_are_small() -> None:
    """No file over 400 lines, no function over 40, no class with more than 15 public methods."""
    wrong = []
    for path in SOURCES:
        lines = path.read_text(encoding="utf-8").count("\n")
        if lines > 400:
            wrong.append(f"{_name(path)}: {lines} lines")
        tree = _tree(path)
        for function in _functions(tree):
            size = (function.end_lineno or function.lineno) - function.lineno + 1
            if size > 40:
                wrong.append(f"{_name(path)}:{function.lineno} {function.name}: {size} lines")
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                public = [f for f in node.body if isinstance(f, ast.FunctionDef | ast.AsyncFunctionDef) and f.name[0] != "_"]
                if len(public) > 15 and not _is_qt_or_port(node):
                    wrong.append(f"{_name(path)}:{node.lineno} {node.name}: {len(public)} public methods")
    assert not wrong, "\n".join(wrong)


def _is_qt_or_port(node: ast.ClassDef) -> bool:
    """Ports mirror an outside interface; their length is not ours to choose."""
    return any(isinstance(parent, ast.Name) and parent.id == "Protocol" for parent in node.bases)


def test_modules_say_what_they_are_for() -> None:
    """Each module and each public class and function has a docstring."""
    silent = []
    for path in SOURCES:
        tree = _tree(path)
        if not ast.get_docstring(tree):
            silent.append(_name(path))
        for node in tree.body:
            public = isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.name[0] != "_"
            if public and not ast.get_docstring(node):  # type: ignore[arg-type]
                silent.append(f"{_name(path)}:{node.lineno} {node.name}")  # type: ignore[attr-defined]
    assert not silent, "\n".join(silent)


def test_names_are_the_fields_terms() -> None:
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
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    declared = project["project"]["dependencies"] + project["dependency-groups"]["dev"]
    names = {re.split(r"[\[<>=!~; ]", entry, maxsplit=1)[0].lower().replace("_", "-").replace(".", "-") for entry in declared}
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    pinned = {line.split("==")[0].lower() for line in lock.splitlines() if "==" in line and not line.startswith(("#", " "))}
    assert names <= pinned, names - pinned


def _has_logic(path: Path) -> bool:
    """Whether a module has functions worth a test file of their own."""
    tree = _tree(path)
    return any(len(f.body) > 1 for f in _functions(tree)) and path.stem not in {"__init__", "__main__"}


def _imported_by_tests() -> set[str]:
    """Dotted names of the program's modules that any test or fake imports."""
    found: set[str] = set()
    for path in (ROOT / "tests").rglob("*.py"):
        for node in ast.walk(_tree(path)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("app."):
                found.add(str(node.module))
                found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


def test_tests_mirror_the_house() -> None:
    """A module with logic has a test file of its own or of its folder, or is imported by a test that names what it tests."""
    missing = []
    imported = _imported_by_tests()
    for path in SOURCES:
        relative = path.relative_to(ROOT / "app")
        if not _has_logic(path) or ".".join(("app", *relative.with_suffix("").parts)) in imported:
            continue
        folder, above = ROOT / "tests" / relative.parent, ROOT / "tests" / relative.parent.parent
        names = (
            folder / f"test_{path.stem}.py",
            folder / f"test_{relative.parent.name}.py",
            above / f"test_{relative.parent.name}.py",
        )
        if not any(name.exists() for name in names):
            missing.append(_name(path))
    assert not missing, "modules without a test:\n" + "\n".join(missing)


WINDOW_MODULES = [
    "app.main",
    "app.ui.application",
    "app.ui.running",
    "app.store.mailbox",
    "app.link.codec",
    "app.config.settings",
]


def test_the_window_imports_nothing_heavy() -> None:
    """The window's modules bring none of the libraries that cost seconds."""
    code = f"import sys\nfor name in {WINDOW_MODULES!r}: __import__(name)\nprint([m for m in {HEAVY!r} if m in sys.modules])"
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False, env=environment)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


@pytest.mark.parametrize("word", ["shared" + "/", "." + "library", "pypi" + ".org", "files.python" + "hosted"])
def test_files_name_nothing_of_the_workplace(word: str) -> None:
    """Committed files stand by themselves."""
    done = subprocess.run(
        ["git", "grep", "-lI", "-F", word, "--", ".", ":!requirements.lock"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.stdout.strip(), done.stdout

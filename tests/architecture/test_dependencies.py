"""Every package that the program imports is declared, not only brought along by another one."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAME = re.compile(r"[A-Za-z0-9._-]+")


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def imported(folder: Path) -> set[str]:
    """Top-level names of absolute imports."""
    found: set[str] = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.partition(".")[0])
    return found


def test_imports_are_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    matches = [NAME.match(entry) for entry in project["dependencies"]]
    declared = {normal(match[0]) for match in matches if match}
    providers = packages_distributions()
    names = imported(ROOT / "app") - set(sys.stdlib_module_names) - {"app"}
    # PySide6's own wheels share the module names PySide6 and shiboken6.
    missing = {name for name in names if not declared & {normal(one) for one in providers.get(name, [])}} - {"shiboken6"}
    assert not missing, f"declare what provides {sorted(missing)} in pyproject.toml"

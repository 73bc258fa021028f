"""The names a profile may list are those of the tools."""

import ast
from pathlib import Path

from app.domain.agents.tools import TOOL_NAMES

MAKERS = ("ToolDefinition", "_definition")


def test_every_tool_is_named_and_every_name_is_a_tool(root: Path) -> None:
    found: set[str] = set()
    for path in (root / "app" / "agent" / "agents" / "builtin_tools").glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        namespace: dict[str, str] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("app.domain"):
                module = __import__(node.module, fromlist=["x"])
                namespace |= {one.asname or one.name: str(getattr(module, one.name, "")) for one in node.names}
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.targets[0], ast.Name):
                namespace[node.targets[0].id] = str(node.value.value)
        calls = [one for one in ast.walk(tree) if isinstance(one, ast.Call) and ast.unparse(one.func) in MAKERS]
        for call in calls:
            first = next((one.value for one in call.keywords if one.arg == "name"), None) or (call.args[0] if call.args else None)
            if isinstance(first, ast.Constant):
                found.add(str(first.value))
            elif isinstance(first, ast.Name) and first.id in namespace:
                found.add(namespace[first.id])
    assert found == TOOL_NAMES

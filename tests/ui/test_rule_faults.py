"""Why rules are refused is said in the window's language, whichever room says it."""

import ast
import re
from pathlib import Path

from app.ui.file_faults import _spoken
from app.ui.rule_faults import RULES
from app.ui.trouble import said

ROOMS = ("app/config/rule_editing.py", "app/engine/rules_desk.py", "app/engine/tool_servers.py")


def refusals(tree: ast.AST) -> set[str]:
    """What `Refused` and `NotFound` are given, with a word in each place."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("Refused", "NotFound"):
            for one in node.args:
                if isinstance(one, ast.JoinedStr):
                    found.add("".join(str(part.value) if isinstance(part, ast.Constant) else "it" for part in one.values))
                elif isinstance(one, ast.Constant) and isinstance(one.value, str):
                    found.add(one.value)
    return found


def test_every_sentence_is_known(root: Path) -> None:
    found = {text for room in ROOMS for text in refusals(ast.parse((root / room).read_text(encoding="utf-8")))}
    assert len(found) >= len(RULES)
    assert not [text for text in sorted(found) if not _spoken(text)]
    assert all(re.search(r"\w\.$", text) for text in RULES)


def test_a_refusal_in_czech(czech: None) -> None:
    words = said("refused", "routing.yaml was changed meanwhile.", "Look at the rules as they are now and change them again.")
    assert words == "Soubor routing.yaml se mezitím změnil. Podívejte se, jak pravidla vypadají teď, a změňte je znovu."

"""Rules for the window's source: plain tooltips and labels, one kind of combo box, no unused icon or colour."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from app.config.paths import resource
from app.ui.theme.appearance import Theme
from app.ui.theme.icons import read_glyphs

TAKES_RICH = {"setToolTip": 0, "setWhatsThis": 0, "showText": 1}
"""What shows words that look like HTML as HTML, and which of its arguments they are."""


OF_THE_SYSTEM = ("tray", "_tray")
"""Shown by the desktop, which knows no HTML."""


def modules(root: Path) -> Iterator[tuple[str, ast.Module]]:
    """Every module of the window."""
    for path in sorted((root / "app" / "ui").rglob("*.py")):
        yield str(path.relative_to(root)), ast.parse(path.read_text())


def plain(words: ast.expr) -> bool:
    """Whether words are ours, or made plain on the spot."""
    if isinstance(words, ast.IfExp):
        return plain(words.body) and plain(words.orelse)
    if isinstance(words, ast.Call):
        called = words.func
        ours = isinstance(called, ast.Attribute) and called.attr == "tr" and isinstance(words.args[0], ast.Constant)
        return ours or (isinstance(called, ast.Name) and called.id == "plain_tip")
    return isinstance(words, ast.Constant)


def test_no_tooltip_takes_words_as_they_come(root: Path) -> None:
    """Of a mail, a file, a label, an account or a setting: one that looks like HTML would fetch its pictures."""
    found = []
    for name, module in modules(root):
        for call in (one for one in ast.walk(module) if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute)):
            assert isinstance(call.func, ast.Attribute)
            receiver = getattr(call.func.value, "attr", getattr(call.func.value, "id", ""))
            at = TAKES_RICH.get(call.func.attr)
            if at is not None and receiver not in OF_THE_SYSTEM and not plain(call.args[at]):
                found.append(f"{name}:{call.lineno}")
    assert not found, "write plain_tip(...) around the words"


def test_no_row_has_a_tooltip_as_it_comes(root: Path) -> None:
    """Whoever answers or sets the tooltip of a row makes it plain there."""
    for name, module in modules(root):
        for function in (one for one in ast.walk(module) if isinstance(one, ast.FunctionDef)):
            parts = list(ast.walk(function))
            if any(isinstance(one, ast.Attribute) and one.attr == "ToolTipRole" for one in parts):
                assert any(isinstance(one, ast.Name) and one.id == "plain_tip" for one in parts), f"{name}:{function.lineno}"


def test_every_label_and_box_says_that_its_words_are_plain(root: Path) -> None:
    """Qt guesses where nobody says."""
    for name, module in modules(root):
        makes = [
            one
            for one in ast.walk(module)
            if isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id in ("QLabel", "QMessageBox")
        ]
        derives = [
            one
            for one in ast.walk(module)
            if isinstance(one, ast.ClassDef) and any(isinstance(base, ast.Name) and base.id == "QLabel" for base in one.bases)
        ]
        says = [one for one in ast.walk(module) if isinstance(one, ast.Attribute) and one.attr == "PlainText"]
        assert len(says) >= len(makes) + len(derives), name


TONES = ("positive", "warning", "danger", "neutral", "slot")
OWN_BOXES = {"app/ui/widgets/form_controls.py"}


def test_every_box_of_the_window_is_one(root: Path) -> None:
    made = {
        str(path.relative_to(root).as_posix())
        for path in (root / "app" / "ui").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "QComboBox"
    }
    assert made <= OWN_BOXES


def test_every_icon_is_used(root: Path) -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in (root / "app" / "ui").rglob("*.py"))
    assert not [name for name in read_glyphs(resource("icons", "icons.toml")) if not re.search(rf'["\']{name}["\']', text)]


def test_every_token_is_used(root: Path) -> None:
    sources = [path.read_text(encoding="utf-8") for path in (root / "app" / "ui").rglob("*.py")]
    text = "\n".join([*sources, resource("themes", "window.qss").read_text(encoding="utf-8")])
    unused = [
        name
        for name in Theme.__annotations__
        if name not in ("name", "dark")
        and not re.search(rf"(theme\.{name}\b|\${name}\b|\$\{{{name}\}}|\"{name}\")", text)
        and not (name.endswith("_soft") and name.removesuffix("_soft") in TONES)
    ]
    assert not unused

"""Whatever one types into comes back after a crash of the window, or stands here with a reason.

Pages and sections come from their registries and modules from the package, so that a new field is looked at without being named.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtWidgets import QAbstractSpinBox, QKeySequenceEdit, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from app.domain.review import ReviewKind
from app.ui.main_window import MainWindow
from app.ui.pages import FACTORIES
from app.ui.parts import COMES_BACK
from app.ui.settings.page import SettingsPage
from fakes.lively_store import LivelyStore

UI = Path(__file__).parents[2] / "app" / "ui"
KINDS = "LineEdit|PlainTextEdit|TextEdit|DateTimeEdit|DateEdit|TimeEdit|SpinBox|DoubleSpinBox"
MAKES = re.compile(rf"\bQ({KINDS})\(|\(Q(Plain)?TextEdit\):")
"""A field is made, or a kind of field."""
REASONS = {"Client file": "it leads to a secret: it is chosen again"}
"""Fields that do not come back, by their accessible name; besides them passwords, and keys, which are in force once pressed."""
ELSEWHERE = {
    "compose/editor.py": "the card around it says so",
    "mail/pieced_text.py": "it is read only",
    "palette/palette.py": "a palette is opened for one choice and gone with it",
    "review/editor.py": "the card around it says so",
    "settings/accounts.py": "a client file leads to a secret: it is chosen again",
    "settings/controls.py": "its form says so (`settings/half_typed.py`)",
    "settings/key.py": "a key is never written but to the keyring",
    "settings/numbers.py": "its form says so (`settings/half_typed.py`)",
    "settings/profile_trial.py": "it is read only",
    "settings/profiles.py": "it is read only",
    "welcome/guide.py": "a client file leads to a secret: it is chosen again",
}
"""Modules that make fields and do not say themselves that their words come back."""


def typed_into(root: QWidget) -> Iterator[QWidget]:
    """Every field in which words can stand; of a box with a number or a time the box, not the line in it."""
    for field in root.findChildren(QWidget):
        if isinstance(field, QLineEdit | QPlainTextEdit | QTextEdit) and field.isReadOnly():
            continue
        if isinstance(field, QLineEdit) and isinstance(field.parent(), QAbstractSpinBox | QKeySequenceEdit):
            continue
        if isinstance(field, QLineEdit | QPlainTextEdit | QTextEdit | QAbstractSpinBox):
            yield field


def lost(root: QWidget, where: str) -> list[str]:
    """Fields of which nobody says that they come back, and passwords of which somebody does."""
    found = []
    for field in typed_into(root):
        secret = isinstance(field, QLineEdit) and field.echoMode() is not QLineEdit.EchoMode.Normal
        named = secret or field.accessibleName() in REASONS
        if bool(field.property(COMES_BACK)) is named:
            found.append(f"{where}: {type(field).__name__} “{field.accessibleName()}” in {type(field.parent()).__name__}")
    return found


def test_every_field_of_every_page(window: MainWindow, store: LivelyStore) -> None:
    store.propose("asks", "m04", ReviewKind.TOOL_CALL, request_json='{"action": "reserve", "args": {"drug": "Ibalgin 400"}}')
    window.show_page("review")
    found = lost(window, "the window")
    for name in FACTORIES:
        found += lost(window.page(name), name)
    for name, review_id in store.reviews.items():
        window.show_review(review_id)
        found += lost(window.page("review"), name)
    settings = window.page("settings")
    assert isinstance(settings, SettingsPage)
    for section in settings._makers:
        settings.show_section(section)
        found += lost(settings, section)
    assert not found, "\n".join(sorted(set(found)))


def test_every_module_that_makes_a_field_says_so() -> None:
    texts = {str(path.relative_to(UI)): path.read_text(encoding="utf-8") for path in UI.rglob("*.py")}
    silent = {name for name, text in texts.items() if MAKES.search(text) and "comes_back(" not in text}
    assert silent == set(ELSEWHERE), "a reason is missing, or no longer needed"

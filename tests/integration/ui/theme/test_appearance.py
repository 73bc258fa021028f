"""Looks follow the choice, keep to the scales, and reach what is on screen."""

import re

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QListView, QWidget
from pytestqt.qtbot import QtBot

from app.config.paths import resource
from app.ui.theme.appearance import Appearance, PopupStyle, Theme, load_theme, stylesheet, theme_name
from fakes.window.contrast import contrast


@pytest.fixture
def themes() -> tuple[Theme, Theme]:
    return load_theme(resource("themes", "light.toml")), load_theme(resource("themes", "dark.toml"))


@pytest.mark.parametrize(
    ("choice", "dark", "contrast", "name"),
    [
        ("system", False, False, "light"),
        ("system", True, False, "dark"),
        ("system", False, True, "contrast-light"),
        ("system", True, True, "contrast-dark"),
        ("dark", False, False, "dark"),
        ("dark", False, True, "contrast-dark"),
        ("contrast-light", True, False, "contrast-light"),
        ("contrast-light", True, True, "contrast-light"),
    ],
)
def test_a_choice_comes_to_a_theme(choice: str, dark: bool, contrast: bool, name: str) -> None:
    assert theme_name(choice, dark, contrast) == name


def test_windows_wear_the_sheet_and_the_program_has_none(qtbot: QtBot, qapp: QApplication) -> None:
    """With a sheet of its own the program styles a page again at each step of its making."""
    qapp.setStyleSheet("")
    looks, window, gone = Appearance(qapp), QWidget(), QWidget()
    qtbot.addWidget(window)
    for one in (window, gone):
        looks.dress(one)
    shiboken6.delete(gone)
    looks.apply("dark", 1.0)
    assert (qapp.styleSheet(), looks.theme.window in window.styleSheet()) == ("", True)


def test_a_list_that_pops_up_looks_like_what_it_belongs_to(qtbot: QtBot, qapp: QApplication) -> None:
    qapp.setStyleSheet("")
    looks, window, popup = Appearance(qapp), QWidget(), QListView()
    field = QLineEdit(window)
    for one in (window, popup):
        qtbot.addWidget(one)
    looks.dress(window)
    PopupStyle(popup, field)
    for choice in ("light", "dark"):
        looks.apply(choice, 1.0)
        popup.show()
        assert popup.styleSheet() == window.styleSheet() != ""
        popup.hide()


def test_high_contrast_follows_the_system_at_once(qtbot: QtBot, qapp: QApplication) -> None:
    looks, window = Appearance(qapp), QWidget()
    qtbot.addWidget(window)
    looks.dress(window)
    looks.apply("dark", 1.0)
    wish = qapp.styleHints().accessibility().contrastPreferenceChanged
    wish.emit(Qt.ContrastPreference.HighContrast)
    assert looks.theme.name == "contrast-dark"
    assert looks.theme.window in window.styleSheet()
    wish.emit(Qt.ContrastPreference.NoPreference)
    assert looks.theme.name == "dark"
    looks.apply("light", 1.0)


def test_the_sheet_holds_only_colours_of_the_theme(themes: tuple[Theme, Theme]) -> None:
    for theme in themes:
        allowed = {theme.tone(name) for name in Theme.__annotations__ if name not in ("name", "dark", "avatars")}
        assert set(re.findall(r"#[0-9A-Fa-f]{6}", stylesheet(theme, 10.0))) <= allowed


@pytest.mark.parametrize(("choice", "least"), [("light", 4.5), ("dark", 4.5), ("contrast-light", 7.0), ("contrast-dark", 7.0)])
def test_hints_in_empty_fields_are_readable(qtbot: QtBot, qapp: QApplication, choice: str, least: float) -> None:
    """Measured by pixels: a style sheet would make them half transparent."""
    looks = Appearance(qapp)
    field = QLineEdit()
    looks.dress(field)
    looks.apply(choice, 1.0)
    field.setPlaceholderText("HHHH HHHH")
    qtbot.addWidget(field)
    field.resize(200, 40)
    image = field.grab().toImage()
    inner = {image.pixelColor(x, y).name() for x in range(8, 120) for y in range(8, 32)}
    assert max(contrast(ink, looks.theme.surface) for ink in inner) >= least
    looks.apply("light", 1.0)

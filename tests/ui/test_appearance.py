"""Looks follow the choice, keep to the scales, and reach what is on screen."""

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from app.config.paths import resource
from app.ui.appearance import Appearance, palette, theme_name
from app.ui.scale import FACTOR, Type, base_font
from app.ui.stylesheet import stylesheet
from app.ui.theme import Theme, contrast, load_theme


@pytest.fixture
def themes() -> tuple[Theme, Theme]:
    return load_theme(resource("themes", "light.toml")), load_theme(resource("themes", "dark.toml"))


def test_a_choice_is_applied_and_told(qapp: QApplication, themes: tuple[Theme, Theme]) -> None:
    looks = Appearance(qapp)
    told: list[str] = []
    looks.changed.connect(lambda: told.append(looks.theme.name))
    looks.apply("dark", 1.0)
    looks.apply("light", 1.0)
    assert told == ["dark", "light"]
    assert qapp.palette().color(QPalette.ColorRole.Window).name().upper() == themes[0].window


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


def test_high_contrast_follows_the_system_at_once(qapp: QApplication) -> None:
    looks = Appearance(qapp)
    looks.apply("dark", 1.0)
    wish = qapp.styleHints().accessibility().contrastPreferenceChanged
    wish.emit(Qt.ContrastPreference.HighContrast)
    assert looks.theme.name == "contrast-dark"
    assert looks.theme.window in qapp.styleSheet()
    wish.emit(Qt.ContrastPreference.NoPreference)
    assert looks.theme.name == "dark"
    looks.apply("light", 1.0)


def test_text_size_scales_every_role(qapp: QApplication) -> None:
    looks = Appearance(qapp)
    looks.apply("light", 1.0)
    before = {role: font.pointSizeF() for role, font in looks.fonts.items()}
    looks.apply("light", 1.25)
    for role, font in looks.fonts.items():
        assert font.pointSizeF() == pytest.approx(before[role] * 1.25, rel=0.01)
    looks.apply("light", 1.0)


def test_roles_keep_to_the_scale(qapp: QApplication) -> None:
    base = base_font(1.0).pointSizeF()
    assert base >= 9.0
    assert FACTOR[Type.CAPTION] < FACTOR[Type.BODY] < FACTOR[Type.TITLE] < FACTOR[Type.HEADLINE]


def test_the_sheet_holds_only_colours_of_the_theme(themes: tuple[Theme, Theme]) -> None:
    for theme in themes:
        allowed = {theme.tone(name) for name in Theme.__annotations__ if name not in ("name", "dark", "avatars")}
        assert set(re.findall(r"#[0-9A-Fa-f]{6}", stylesheet(theme, 10.0))) <= allowed


def test_the_palette_covers_selection_and_links(themes: tuple[Theme, Theme]) -> None:
    made = palette(themes[1])
    assert made.color(QPalette.ColorRole.Highlight).name().upper() == themes[1].accent.upper()
    assert made.color(QPalette.ColorRole.Link).name().upper() == themes[1].accent.upper()


@pytest.mark.parametrize(("choice", "least"), [("light", 4.5), ("dark", 4.5), ("contrast-light", 7.0), ("contrast-dark", 7.0)])
def test_hints_in_empty_fields_are_readable(qtbot: QtBot, qapp: QApplication, choice: str, least: float) -> None:
    """Measured by pixels: a style sheet would make them half transparent."""
    looks = Appearance(qapp)
    looks.apply(choice, 1.0)
    field = QLineEdit()
    field.setPlaceholderText("HHHH HHHH")
    qtbot.addWidget(field)
    field.resize(200, 40)
    image = field.grab().toImage()
    inner = {image.pixelColor(x, y).name() for x in range(8, 120) for y in range(8, 32)}
    assert max(contrast(ink, looks.theme.surface) for ink in inner) >= least
    looks.apply("light", 1.0)

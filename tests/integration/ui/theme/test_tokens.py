"""Colours, icons and mirrored parts of each theme."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QFontDatabase, QFontMetrics, QGuiApplication
from PySide6.QtWidgets import QApplication, QStyle

from app.config.paths import resource
from app.ui.theme.appearance import Theme, load_theme
from app.ui.theme.icons import icon_font_file, read_glyphs
from app.ui.theme.painting import visual_rect, visual_side
from fakes.window.contrast import contrast

TONES = ("positive", "warning", "danger", "neutral", "slot")
PAIRS = [
    *((ink, ground) for ink in ("text", "text_soft") for ground in ("window", "surface", "sunken", "hover", "selection")),
    *((tone, f"{tone}_soft") for tone in TONES),
    *((tone, "surface") for tone in (*TONES, "accent", "on_accent_soft")),
    *((tone, "window") for tone in ("warning", "danger", "positive", "accent")),
    ("accent", "selection"),
    ("on_accent", "accent"),
    ("on_accent", "accent_hover"),
    ("on_accent_soft", "accent_soft"),
    ("on_accent_soft", "selection"),
    ("text", "danger_soft"),
    ("text", "accent_soft"),
    ("text_soft", "neutral_soft"),
    ("on_toast", "toast"),
    ("toast_action", "toast"),
]


CONTRASTING = [
    *((ink, "neutral_soft") for ink in ("text", "text_soft")),
    *((ink, ground) for ink in (*TONES, "accent", "on_accent_soft") for ground in ("window", "surface", "selection", "hover")),
    *(("text", f"{tone}_soft") for tone in TONES),
    ("line_strong", "surface"),
    ("line_strong", "window"),
]
"""What must be readable besides, where high contrast is wanted."""


@pytest.fixture(params=["light", "dark", "contrast-light", "contrast-dark"])
def theme(request: pytest.FixtureRequest) -> Theme:
    return load_theme(resource("themes", f"{request.param}.toml"))


@pytest.mark.parametrize("name", ["contrast-light", "contrast-dark"])
def test_high_contrast_is_high(name: str) -> None:
    theme = load_theme(resource("themes", f"{name}.toml"))
    assert theme.name == name
    low = {(ink, ground) for ink, ground in (*PAIRS, *CONTRASTING) if contrast(theme.tone(ink), theme.tone(ground)) < 7.0}
    assert not low
    assert all(contrast(theme.on_avatar, ground) >= 7.0 for ground in theme.avatars)
    assert contrast(theme.line, theme.surface) >= 4.5


def test_text_is_readable(theme: Theme) -> None:
    assert not [pair for pair in PAIRS if contrast(theme.tone(pair[0]), theme.tone(pair[1])) < 4.5]


def test_monograms_are_readable(theme: Theme) -> None:
    assert all(contrast(theme.on_avatar, ground) >= 4.5 for ground in theme.avatars)


def test_edges_of_controls_stand_out(theme: Theme) -> None:
    """WCAG asks 3:1 for what shows where a control is."""
    assert contrast(theme.line_strong, theme.surface) >= 3.0


GLYPHS = read_glyphs(resource("icons", "icons.toml"))


def test_every_icon_is_in_the_font(qapp: QApplication) -> None:
    families = QFontDatabase.applicationFontFamilies(QFontDatabase.addApplicationFont(str(icon_font_file())))
    metrics = QFontMetrics(QFont(families[0]))
    assert not [name for name, glyph in GLYPHS.items() if not metrics.inFontUcs4(ord(glyph))]


WHOLE, PART = QRect(10, 5, 200, 40), QRect(30, 9, 50, 20)
DIRECTIONS = (Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft)


@pytest.fixture(params=DIRECTIONS)
def direction(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[Qt.LayoutDirection]:
    """The application reads in this direction."""
    before = QGuiApplication.layoutDirection()
    QGuiApplication.setLayoutDirection(request.param)
    yield request.param
    QGuiApplication.setLayoutDirection(before)


def test_parts_are_mirrored_as_qt_mirrors_them(direction: Qt.LayoutDirection) -> None:
    assert visual_rect(WHOLE, PART) == QStyle.visualRect(direction, WHOLE, PART)
    assert visual_rect(WHOLE, WHOLE) == WHOLE


@pytest.mark.parametrize("side", [Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight])
def test_sides_are_swapped_as_qt_swaps_them(direction: Qt.LayoutDirection, side: Qt.AlignmentFlag) -> None:
    assert visual_side(side) == QStyle.visualAlignment(direction, side)

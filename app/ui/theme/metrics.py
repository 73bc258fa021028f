"""The spacing, radius and type scales of the window."""

from enum import IntEnum, StrEnum
from functools import cache

from PySide6.QtGui import QFont, QFontDatabase, QGuiApplication


class Space(IntEnum):
    """Distances in device-independent pixels."""

    HAIR = 2
    TIGHT = 4
    SMALL = 8
    MEDIUM = 12
    LARGE = 16
    XLARGE = 24
    HUGE = 40


class Radius(IntEnum):
    """Corner radii in device-independent pixels."""

    CHIP = 4
    CONTROL = 6
    CARD = 10


class Type(StrEnum):
    CAPTION = "caption"
    BODY = "body"
    STRONG = "strong"
    TITLE = "title"
    HEADLINE = "headline"


FACTOR: dict[Type, float] = {Type.CAPTION: 0.9, Type.BODY: 1.0, Type.STRONG: 1.0, Type.TITLE: 1.25, Type.HEADLINE: 1.6}
"""Font size of each role relative to the base size."""

WEIGHT: dict[Type, QFont.Weight] = {
    Type.CAPTION: QFont.Weight.Normal,
    Type.BODY: QFont.Weight.Normal,
    Type.STRONG: QFont.Weight.DemiBold,
    Type.TITLE: QFont.Weight.DemiBold,
    Type.HEADLINE: QFont.Weight.DemiBold,
}
_GENERIC = frozenset({"Sans Serif", "Sans", "sans-serif", "MS Shell Dlg 2", ""})
_UI_FAMILIES = ("Inter", "Cantarell", "Noto Sans", "Ubuntu", "DejaVu Sans")
_SMALLEST_PT = 10.0
LARGE_TEXT = 1.4
"""From this text size on, rows of labels and controls wrap into two."""


def base_font(text_size: float) -> QFont:
    """The system's interface font at `text_size` (1.0 is 100 %). Where the platform names only a generic family, the first known
    interface family that is installed.
    """
    _usual_pt.cache_clear()
    font = QFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont))
    if font.family() in _GENERIC:
        installed = set(QFontDatabase.families())
        font.setFamilies([*(name for name in _UI_FAMILIES if name in installed), font.family()])
    font.setPointSizeF(_usual_pt() * text_size)
    return font


def text_factor() -> float:
    """Current text size, at least 1.0 (100 %)."""
    return max(1.0, QGuiApplication.font().pointSizeF() / _usual_pt())


def is_large_text() -> bool:
    """Whether controls side by side should be stacked for large text."""
    return text_factor() >= LARGE_TEXT


def at_text_size(pixels: int) -> int:
    """Scales pixels measured at 100 % to the current text size."""
    return round(pixels * text_factor())


@cache
def _usual_pt() -> float:
    """Points of body text at 100 %. Asked 200 times a page."""
    smallest = _SMALLEST_PT if QGuiApplication.platformName() not in ("cocoa", "windows") else 9.0
    return max(smallest, QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).pointSizeF())


def font_for(role: Type, base: QFont) -> QFont:
    font = QFont(base)
    font.setPointSizeF(base.pointSizeF() * FACTOR[role])
    font.setWeight(WEIGHT[role])
    return font

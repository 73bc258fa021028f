"""The current theme with its colour tokens, fonts, palette and style sheet.

It follows the system's colour scheme if the setting says so, and the system's high contrast always. Tokens are in
`resources/themes/*.toml`, the style sheet in `resources/themes/window.qss`, filled in from the theme and the scales. Widgets name
their role in dynamic properties (`role`, `type`, `tone`).
"""

import tomllib
from pathlib import Path
from string import Template
from typing import NamedTuple
from weakref import ReferenceType, ref

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from app.config.paths import resource
from app.ui.theme.metrics import FACTOR, Radius, Space, Type, base_font, font_for


class Theme(NamedTuple):
    """Colours by meaning, as `#RRGGBB`, except `name`, `dark` and `avatars` (several colours). A named tuple, because a dataclass
    with so many fields takes 3 ms to create before the first frame.
    """

    name: str
    dark: bool
    window: str
    surface: str
    sunken: str
    hover: str
    selection: str
    line: str
    line_strong: str
    text: str
    text_soft: str
    accent: str
    accent_hover: str
    on_accent: str
    accent_soft: str
    on_accent_soft: str
    positive: str
    positive_soft: str
    warning: str
    warning_soft: str
    danger: str
    danger_soft: str
    neutral: str
    neutral_soft: str
    slot: str
    slot_soft: str
    toast: str
    on_toast: str
    toast_action: str
    avatars: tuple[str, ...]
    on_avatar: str

    def tone(self, token: str) -> str:
        """Colour of a token given by name, such as `danger_soft`. Raises `TypeError` for a field that is no colour."""
        value = getattr(self, token)
        if not isinstance(value, str):
            raise TypeError(f"{token} is not a colour")
        return value


def load_theme(path: Path) -> Theme:
    """Reads a theme file of the program, with a colour for each field of `Theme`."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    return Theme(**{**table, "avatars": tuple(table["avatars"])})


TICK_PX, ARROW_PX = 1.4, 2.4
"""Pixels of a check box, and of the place of a drop-down arrow, for each point of the text beside it."""


def stylesheet(theme: Theme, base_pt: float) -> str:
    colours = {name: theme.tone(name) for name in Theme._fields if name not in ("name", "dark", "avatars")}
    sizes = {f"pt_{role}": f"{base_pt * FACTOR[role]:.2f}" for role in Type}
    spaces = {space.name.lower(): str(int(space)) for space in Space}
    tick = round(base_pt * TICK_PX)
    ground = "dark" if theme.dark else "light"
    ticks = {
        **{name: resource("themes", f"{name}-{ground}.svg").as_posix() for name in ("tick", "arrow", "earlier", "later")},
        "px_tick": str(tick),
        "px_tick_ringed": str(tick - 2),
        "px_arrow": str(round(base_pt * ARROW_PX)),
    }
    radii = {f"r_{radius.name.lower()}": str(int(radius)) for radius in Radius}
    sheet = Template(resource("themes", "window.qss").read_text(encoding="utf-8"))
    return sheet.substitute(colours | sizes | spaces | ticks | radii)


CONTRAST = "contrast-"
"""Prefix of the names of high-contrast themes."""


class Appearance(QObject):
    """The theme in use, once `choose` or `apply` was called. Emits `changed` after palette, fonts and style sheet were applied.

    The sheet is set on windows (`dress`), not on the application: otherwise Qt styles every widget again, with all below it, each
    time it gets a parent. A page of 220 widgets took 300 ms to build instead of 70.
    """

    changed = Signal()

    def __init__(self, app: QApplication) -> None:
        super().__init__()
        self._app = app
        self._styled: list[ReferenceType[QWidget | QApplication]] = []
        self.choice = "system"
        self.text_size = 1.0
        self.theme: Theme
        self.fonts: dict[Type, QFont] = {}
        hints = app.styleHints()
        hints.colorSchemeChanged.connect(self._scheme_changed)
        self._asking = hints.accessibility()
        self._contrast = self._asking.contrastPreference() is Qt.ContrastPreference.HighContrast
        self._asking.contrastPreferenceChanged.connect(self._contrast_changed)

    def apply(self, choice: str, text_size: float) -> None:
        """Applies a theme. `choice` is `system` or a theme's name; `text_size` 1.0 is 100 %."""
        self.choose(choice, text_size)
        sheet = stylesheet(self.theme, self.fonts[Type.BODY].pointSizeF())
        for one in self._styled:
            wearer = one()
            if wearer is not None and isValid(wearer):
                wearer.setStyleSheet(sheet)
        self.changed.emit()

    def dress(self, wearer: QWidget | QApplication) -> None:
        """Adds a window that gets the style sheet at each `apply`."""
        self._styled.append(ref(wearer))

    def choose(self, choice: str, text_size: float) -> None:
        """Sets theme, fonts and palette without the style sheet. Call it before widgets are made: styling a finished widget tree
        is far quicker, but existing widgets get new fonts only with the next style sheet.
        """
        self.choice, self.text_size = choice, text_size
        scheme = self._app.styleHints().colorScheme()
        name = theme_name(choice, scheme is Qt.ColorScheme.Dark, self._contrast)
        self.theme = load_theme(resource("themes", f"{name}.toml"))
        base = base_font(text_size)
        self.fonts = {role: font_for(role, base) for role in Type}
        self._app.setFont(base)
        self._app.setPalette(palette(self.theme))

    def colour(self, token: str) -> QColor:
        return QColor(self.theme.tone(token))

    def _scheme_changed(self, _scheme: Qt.ColorScheme) -> None:
        if self.choice == "system":
            self.apply(self.choice, self.text_size)

    def _contrast_changed(self, wish: Qt.ContrastPreference) -> None:
        self._contrast = wish is Qt.ContrastPreference.HighContrast
        self.apply(self.choice, self.text_size)


def theme_name(choice: str, system_dark: bool, system_contrast: bool) -> str:
    """Name of the theme for a choice. A system in high contrast gets it whatever was chosen."""
    name = ("dark" if system_dark else "light") if choice == "system" else choice
    return f"{CONTRAST}{name}" if system_contrast and not name.startswith(CONTRAST) else name


def palette(theme: Theme) -> QPalette:
    roles = QPalette.ColorRole
    colours = {
        roles.Window: theme.window,
        roles.WindowText: theme.text,
        roles.Base: theme.surface,
        roles.AlternateBase: theme.sunken,
        roles.Text: theme.text,
        roles.PlaceholderText: theme.text_soft,
        roles.Button: theme.surface,
        roles.ButtonText: theme.text,
        roles.ToolTipBase: theme.toast,
        roles.ToolTipText: theme.on_toast,
        roles.Highlight: theme.accent,
        roles.HighlightedText: theme.on_accent,
        roles.Link: theme.accent,
        roles.LinkVisited: theme.accent,
        roles.Mid: theme.line_strong,
        roles.Accent: theme.accent,
    }
    made = QPalette()
    for role, colour in colours.items():
        made.setColor(role, QColor(colour))
    for role in (roles.Text, roles.WindowText, roles.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, role, QColor(theme.line_strong))
    return made


class PopupStyle(QObject):
    """Gives a popup list without a parent its `owner`'s style sheet."""

    def __init__(self, popup: QWidget, owner: QWidget) -> None:
        super().__init__(popup)
        self._owner = owner
        popup.installEventFilter(self)

    def eventFilter(self, popup: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Polish, QEvent.Type.Show) and isinstance(popup, QWidget):
            sheet = sheet_of(self._owner)
            if popup.styleSheet() != sheet:
                popup.setStyleSheet(sheet)
        return False


def sheet_of(widget: QWidget | None) -> str:
    """Style sheet of the nearest ancestor that has one, or empty."""
    while widget is not None and not widget.styleSheet():
        widget = widget.parentWidget()
    return widget.styleSheet() if widget is not None else ""

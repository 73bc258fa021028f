"""What the window looks like now: theme, fonts, palette. Follows the system's colour scheme when asked to.

Refuses to be a global: it is made once by `application` and handed to whoever paints.
"""

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication

from app.ui.scale import Type, base_font, font_for
from app.ui.stylesheet import stylesheet
from app.ui.theme import Theme


class Appearance(QObject):
    """Holds the theme in use; emits `changed` after palette, fonts and style sheet were applied."""

    changed = Signal()

    def __init__(self, light: Theme, dark: Theme, app: QApplication) -> None:
        super().__init__()
        self._themes = {"light": light, "dark": dark}
        self._app = app
        self.choice = "system"
        self.text_size = 1.0
        self.theme = light
        self.fonts: dict[Type, QFont] = {}
        app.styleHints().colorSchemeChanged.connect(self._scheme_changed)

    def apply(self, choice: str, text_size: float) -> None:
        """`choice` is system, light or dark; `text_size` 1.0 is 100 %."""
        self.choose(choice, text_size)
        self._app.setStyleSheet(stylesheet(self.theme, self.fonts[Type.BODY].pointSizeF()))
        self.changed.emit()

    def choose(self, choice: str, text_size: float) -> None:
        """All but the style sheet, for widgets that are about to be made: a tree of widgets is styled far quicker once it
        stands, while fonts reach widgets that stand already only with the next style sheet."""
        self.choice, self.text_size = choice, text_size
        scheme = self._app.styleHints().colorScheme()
        system = "dark" if scheme is Qt.ColorScheme.Dark else "light"
        self.theme = self._themes.get(choice, self._themes[system])
        base = base_font(text_size)
        self.fonts = {role: font_for(role, base) for role in Type}
        self._app.setFont(base)
        self._app.setPalette(palette(self.theme))

    def colour(self, token: str) -> QColor:
        """A token's colour in the theme in use."""
        return QColor(self.theme.tone(token))

    def painter_of(self, token: str) -> Callable[[], QColor]:
        """The same, asked again at each painting, for icons that outlive a change of theme."""
        return lambda: self.colour(token)

    def _scheme_changed(self, _scheme: Qt.ColorScheme) -> None:
        """The desktop switched between light and dark."""
        if self.choice == "system":
            self.apply(self.choice, self.text_size)


def palette(theme: Theme) -> QPalette:
    """Qt's palette in the theme's colours, for everything that the style sheet leaves to the style."""
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

"""The window's style sheet, made from the theme. Widgets name their role through dynamic properties (`role`, `type`, `tone`);
this file alone says what a role looks like. Refuses colours that are not tokens."""

from string import Template

from app.ui.scale import FACTOR, Radius, Space, Type
from app.ui.theme import Theme

_SHEET = Template("""
QWidget { color: $text; }
QMainWindow, QWidget[role="window"] { background: $window; }
QWidget[role="surface"], QStackedWidget[role="surface"] { background: $surface; }
QFrame[role="card"] { background: $surface; border: 1px solid $line; border-radius: ${r_card}px; }
QFrame[role="bar"] { background: $surface; border: none; border-top: 1px solid $line; }
QFrame[role="header"] { background: $window; border: none; border-bottom: 1px solid $line; }
QFrame[role="footer"] { background: $window; border: none; border-top: 1px solid $line; }
QFrame[role="rule"] { background: $line; border: none; }
QFrame[role="notice"] { background: $neutral_soft; border: none; border-radius: ${r_control}px; }
QFrame[role="notice"][tone="warning"] { background: $warning_soft; }
QFrame[role="notice"][tone="danger"] { background: $danger_soft; }
QFrame[role="notice"][tone="positive"] { background: $positive_soft; }
QFrame[role="notice"][tone="accent"] { background: $accent_soft; }
QFrame[role="toast"] { background: $toast; border-radius: ${r_card}px; border: 1px solid $line; }
QFrame[role="toast"] QLabel { color: $on_toast; }
QFrame[role="toast"] QPushButton { color: $toast_action; background: transparent; border: none; font-weight: 600; padding: ${tight}px ${small}px; }
QFrame[role="toast"] QPushButton:focus { text-decoration: underline; }
QLabel { background: transparent; }
QLabel[type="caption"] { font-size: ${pt_caption}pt; }
QLabel[type="strong"] { font-weight: 600; }
QLabel[type="title"] { font-size: ${pt_title}pt; font-weight: 600; }
QLabel[type="headline"] { font-size: ${pt_headline}pt; font-weight: 600; }
QLabel[tone="soft"] { color: $text_soft; }
QLabel[tone="positive"] { color: $positive; }
QLabel[tone="warning"] { color: $warning; }
QLabel[tone="danger"] { color: $danger; }
QLabel[tone="accent"] { color: $on_accent_soft; }
QLabel[role="chip"] { background: $neutral_soft; color: $neutral; border-radius: ${r_chip}px; padding: 1px 6px; font-size: ${pt_caption}pt; }
QLabel[role="chip"][tone="positive"] { background: $positive_soft; color: $positive; }
QLabel[role="chip"][tone="warning"] { background: $warning_soft; color: $warning; }
QLabel[role="chip"][tone="danger"] { background: $danger_soft; color: $danger; }
QLabel[role="chip"][tone="accent"] { background: $accent_soft; color: $on_accent_soft; }
QLabel[role="chip"][tone="slot"] { background: $slot_soft; color: $slot; }
QPushButton { background: $surface; border: 1px solid $line_strong; border-radius: ${r_control}px; padding: 5px ${medium}px; min-height: 1.2em; }
QPushButton:hover { background: $hover; }
QPushButton:pressed { background: $selection; }
QPushButton:focus { border: 2px solid $accent; padding: 4px 11px; }
QPushButton:disabled { color: $line_strong; border-color: $line; background: $window; }
QPushButton[role="primary"] { background: $accent; color: $on_accent; border: 1px solid $accent; font-weight: 600; }
QPushButton[role="primary"]:hover { background: $accent_hover; border-color: $accent_hover; }
QPushButton[role="primary"]:focus { border: 2px solid $text; }
QPushButton[role="primary"]:disabled { background: $neutral_soft; color: $line_strong; border-color: $neutral_soft; }
QPushButton[role="danger"] { color: $danger; }
QPushButton[role="link"] { background: transparent; border: none; color: $accent; padding: 2px ${tight}px; text-align: left; min-height: 0; }
QPushButton[role="link"]:hover { text-decoration: underline; }
QPushButton[role="link"]:focus { text-decoration: underline; border: none; padding: 2px ${tight}px; }
QPushButton[role="choice"] { text-align: left; padding: ${large}px; border: 1px solid $line; border-radius: ${r_card}px; background: $surface; }
QPushButton[role="choice"]:hover { border-color: $accent; background: $sunken; }
QPushButton[role="choice"]:focus { border: 2px solid $accent; padding: 15px; }
QToolButton { background: transparent; border: 1px solid transparent; border-radius: ${r_control}px; padding: ${tight}px; }
QToolButton:hover { background: $hover; }
QToolButton:pressed, QToolButton:checked { background: $selection; }
QToolButton:focus { border: 1px solid $accent; }
QToolButton::menu-indicator { image: none; }
QLineEdit, QPlainTextEdit, QTextEdit[role="field"], QComboBox, QSpinBox, QDoubleSpinBox {
  background: $surface; border: 1px solid $line_strong; border-radius: ${r_control}px; padding: 5px ${small}px;
  selection-background-color: $accent; selection-color: $on_accent; }
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit[role="field"]:focus, QComboBox:focus, QSpinBox:focus, QDoubleSpinBox:focus { border: 2px solid $accent; padding: 4px 7px; }
QLineEdit[role="search"] { background: $surface; border: 1px solid $line; padding: 6px ${small}px; }
QLineEdit[role="search"]:focus { border: 2px solid $accent; padding: 5px 7px; }
QLineEdit[role="quiet"] { border: 1px solid transparent; background: transparent; padding: 3px 5px; }
QLineEdit[role="quiet"]:hover { border-color: $line; }
QLineEdit[role="quiet"]:focus { border: 1px solid $accent; background: $surface; padding: 3px 5px; }
QTextEdit[role="body"], QTextBrowser[role="body"] { background: $surface; border: none; selection-background-color: $accent; selection-color: $on_accent; }
QTextEdit[role="draft"] { background: $surface; border: 1px solid transparent; border-radius: ${r_control}px; selection-background-color: $accent; selection-color: $on_accent; }
QTextEdit[role="draft"]:focus { border: 1px solid $accent; }
QTextEdit[role="draft"][slot="true"] { selection-background-color: transparent; }
QTableView, QListView { background: $surface; border: none; outline: none; }
QListView[role="navigation"] { background: $window; }
QSplitter::handle { background: $line; }
QSplitter::handle:hover { background: $accent; }
QSplitter[role="gap"]::handle { background: transparent; }
QSplitter[role="gap"]::handle:hover { background: $line; }
QScrollArea { background: transparent; border: none; }
QScrollArea > QWidget > QWidget[role="plain"] { background: transparent; }
QProgressBar { background: $neutral_soft; border: none; border-radius: 2px; max-height: 4px; min-height: 4px; }
QProgressBar::chunk { background: $accent; border-radius: 2px; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: $line_strong; border-radius: 3px; margin: 2px; min-height: 32px; min-width: 32px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QMenu { background: $surface; border: 1px solid $line; padding: ${tight}px; }
QMenu::item { padding: 5px ${xlarge}px 5px ${medium}px; border-radius: ${r_chip}px; }
QMenu::item:selected { background: $selection; color: $text; }
QMenu::separator { height: 1px; background: $line; margin: ${tight}px; }
QToolTip { background: $toast; color: $on_toast; border: none; padding: ${tight}px ${small}px; }
QComboBox::drop-down { border: none; width: ${xlarge}px; }
QComboBox QAbstractItemView { background: $surface; border: 1px solid $line; selection-background-color: $selection; selection-color: $text; }
QCheckBox:focus, QRadioButton:focus { color: $accent; }
""")


def stylesheet(theme: Theme, base_pt: float) -> str:
    """The whole sheet for a theme and a base font size in points."""
    colours = {token: theme.tone(token) for token in _colour_tokens()}
    sizes = {f"pt_{role}": f"{base_pt * FACTOR[role]:.2f}" for role in Type}
    spaces = {space.name.lower(): str(int(space)) for space in Space}
    radii = {f"r_{radius.name.lower()}": str(int(radius)) for radius in Radius}
    return _SHEET.substitute(colours | sizes | spaces | radii)


def _colour_tokens() -> tuple[str, ...]:
    """The tokens that the sheet may name."""
    return tuple(token for token in Theme.__annotations__ if token not in ("name", "dark", "avatars"))

"""Requests typed into a search line. Recognises one and offers to ask the assistant, by link or key."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QLineEdit

from app.ui.editor.recipient_field import folded
from app.ui.theme.icons import Icons
from app.ui.widgets.labels import ElidedLink

ASK_KEYS = ("Ctrl+Return", "Ctrl+Enter")
FEWEST_WORDS = 3
"""A shorter line is a request only if it is a question."""
_ENGLISH = """answer ask collect compare count create draft explain find forward give how list look make prepare reply search send
    show sum summarise summarize tell what when where which who whom whose why write"""
_CZECH = """co dej jak jaka jake jaky kde kdo kdy kolik komu ktera ktere ktery kdy najdi napis odpovez porovnej posli priprav proc
    prepis projdi rekni sepis seznam shrn spocitej udelej ukaz vyhledej vypis vysvetli vytvor zjisti"""
BEGINNINGS = frozenset(f"{_ENGLISH} {_CZECH}".split())
"""First words of requests, without diacritics."""


def looks_like_request(text: str) -> bool:
    """Whether the text is a question or begins like a request."""
    words = folded(text).split()
    if any(":" in one.strip(":") for one in words):
        return False  # a search operator
    if text.rstrip().endswith("?"):
        return len(words) > 1
    return len(words) >= FEWEST_WORDS and words[0].strip(",.!") in BEGINNINGS


def offer_words(text: str) -> str:
    return QCoreApplication.translate("HandingOver", "Ask the assistant: “%1”").replace("%1", " ".join(text.split()))


def key_words() -> str:
    """Native name of the key that asks the assistant."""
    return QKeySequence(ASK_KEYS[0]).toString(QKeySequence.SequenceFormat.NativeText)


def offer_beside(line: QLineEdit, icons: Icons, ask: Callable[[str], object]) -> ElidedLink:
    """Makes a link that sends the line's text to the assistant. Hidden while the line has nothing but search operators."""
    made = ElidedLink()
    made.setIcon(icons.icon("assistant", "accent"))
    made.clicked.connect(lambda _checked=False: ask(line.text().strip()))
    made.hide()

    def follow(text: str) -> None:
        words = offer_words(text)
        made.show_words(words, f"{words} ({key_words()})")
        made.setVisible(any(":" not in word for word in text.split()))

    line.textChanged.connect(follow)
    return made


def hand_over_by_key(line: QLineEdit, ask: Callable[[str], object]) -> None:
    """Lets Ctrl+Enter send the line's text to the assistant."""

    def hand_over() -> None:
        text = line.text().strip()
        if text:
            ask(text)

    for keys in ASK_KEYS:
        made = QShortcut(QKeySequence(keys), line)
        made.setContext(Qt.ShortcutContext.WidgetShortcut)
        made.activated.connect(hand_over)

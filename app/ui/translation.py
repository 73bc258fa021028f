"""Loading the window's catalogue. English is the source; its own catalogue holds only the plural forms."""

from PySide6.QtCore import QCoreApplication, QLocale, QTranslator

from app.config.paths import resource

LANGUAGES = ("en", "cs")


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:
    """Mark a text of a table for translation; returns it unchanged (Qt's own is typed to return an object)."""
    return text


def language_of(choice: str) -> str:
    """The catalogue for a setting: an empty choice follows the system; what we do not speak becomes English."""
    wanted = choice or QLocale.system().name()[:2]
    return wanted if wanted in LANGUAGES else "en"


def load_language(app: QCoreApplication, choice: str) -> QTranslator:
    """Install the catalogue and the locale. Raises `FileNotFoundError` when it was not installed with the program."""
    language = language_of(choice)
    if choice:
        QLocale.setDefault(QLocale(language))
    for old in app.findChildren(QTranslator, "replyroom"):
        app.removeTranslator(old)
        old.deleteLater()
    translator = QTranslator(app)
    translator.setObjectName("replyroom")
    translator.load(str(resource("i18n", f"replyroom_{language}.qm")))
    app.installTranslator(translator)
    return translator

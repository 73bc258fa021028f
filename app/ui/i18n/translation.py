"""Loading the window's catalogue. English is the source; its own catalogue holds only the plural forms."""

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from app.config.paths import resource

LANGUAGES = ("en", "cs")


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:
    """Mark a text of a table for translation; returns it unchanged (Qt's own is typed to return an object)."""
    return text


def language_of(choice: str) -> str:
    """The catalogue for a setting: an empty choice follows the system; what we do not speak becomes English."""
    wanted = choice or QLocale.system().name()[:2]
    return wanted if wanted in LANGUAGES else "en"


def locale_of(language: str, system: QLocale) -> QLocale:
    """The words of a language; days, times and numbers as they are written where the system stands, if it is written there."""
    return QLocale(QLocale(language).language(), system.territory())


def load_language(app: QCoreApplication, choice: str) -> QTranslator:
    """Install the catalogue and the locale. Raises `FileNotFoundError` when it was not installed with the program."""
    language = language_of(choice)
    if choice:
        QLocale.setDefault(locale_of(language, QLocale.system()))
    for old in app.findChildren(QTranslator, "replyroom"):
        app.removeTranslator(old)
        old.deleteLater()
    if language != "en":
        _add(app, "qtbase_" + language, QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    return _add(app, str(resource("i18n", f"replyroom_{language}.qm")))


def _add(app: QCoreApplication, file: str, folder: str = "") -> QTranslator:
    """Install one catalogue; Qt's own words (menus of text fields, “Press shortcut”) stand in a catalogue of Qt's."""
    translator = QTranslator(app)
    translator.setObjectName("replyroom")
    if translator.load(file, folder):
        app.installTranslator(translator)
    return translator

"""Loads the window's translation catalogue. English is the source language; its own catalogue holds only plural forms."""

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from app.config.paths import resource

LANGUAGES = ("en", "cs")


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:
    """Marks a text of a table for translation and returns it unchanged. Qt's own function is typed to return an object."""
    return text


def language_of(choice: str) -> str:
    """Catalogue language for a setting. Empty follows the system; unsupported languages become English."""
    wanted = choice or QLocale.system().name()[:2]
    return wanted if wanted in LANGUAGES else "en"


def locale_of(language: str, system: QLocale) -> QLocale:
    return QLocale(QLocale(language).language(), system.territory())


def load_language(app: QCoreApplication, choice: str) -> QTranslator:
    """Installs catalogue and locale. Raises `FileNotFoundError` when the catalogue is not installed."""
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
    """Installs one catalogue. Qt's own texts (menus of text fields) are in a catalogue of Qt's."""
    translator = QTranslator(app)
    translator.setObjectName("replyroom")
    if translator.load(file, folder):
        app.installTranslator(translator)
    return translator

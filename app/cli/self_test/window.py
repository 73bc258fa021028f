"""Checks of the window: Qt platforms, translations, icons, themes, HTML in Chromium. Nothing appears on the screen."""

import ctypes
import os
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QDeadlineTimer, QEvent, QEventLoop, QLibraryInfo, QRect, QTimer, qVersion
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter

from app.cli.self_test.run import CheckContext, expect
from app.config.paths import resource
from app.ui.i18n.translation import load_language
from app.ui.startup.application import make_application
from app.ui.theme.appearance import Appearance, load_theme
from app.ui.theme.icons import Icons, icon_font_file, read_glyphs

PLUGINS = {"linux": ("libqxcb.so", "libqwayland.so"), "darwin": ("libqcocoa.dylib",), "win32": ("qwindows.dll",)}
"""Qt's platform plugins of each system."""

PAGE_LIMIT_MS = 30_000
LOOKED_MS = 50
GREEN = "#0a7d32"
PAGE = f'<div style="background:{GREEN};position:fixed;inset:0">A page</div>'


def window_system(_context: CheckContext) -> str:
    """Qt runs, and its platform plugins find their libraries."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    make_application()
    folder = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath), "platforms")
    names = PLUGINS.get(sys.platform, ())
    for name in names:
        ctypes.CDLL(str(folder / name))
    return f"Qt {qVersion()} on {QGuiApplication.platformName()}; {', '.join(names)} can be loaded"


def catalogues(_context: CheckContext) -> str:
    """The Czech translations of the program and of Qt load, then English again."""
    app = make_application()
    load_language(app, "cs")
    words = QCoreApplication.translate("SettingsPage", "Settings"), QCoreApplication.translate("QPlatformTheme", "Cancel")
    load_language(app, "en")
    expect(words == ("Nastavení", "Zrušit"), f"Czech says {words}")
    expect(QCoreApplication.translate("SettingsPage", "Settings") == "Settings", "English is gone")
    return "English, Czech"


def icons(_context: CheckContext) -> str:
    """Every icon is drawn, every theme loads, and SVG works."""
    glyphs = read_glyphs(resource("icons", "icons.toml"))
    pictures = Icons(Appearance(make_application()), glyphs, icon_font_file())
    area, black = QRect(0, 0, 24, 24), QColor("black")
    empty = []
    for name in glyphs:
        canvas = QImage(area.size(), QImage.Format.Format_ARGB32)
        canvas.fill(QColor("white"))
        blank = canvas.copy()
        painter = QPainter(canvas)
        pictures.paint(painter, area, name, black)
        painter.end()
        empty += [name] if canvas == blank else []
    expect(not empty, f"not drawn: {', '.join(empty)}")
    themes = [load_theme(path).name for path in sorted(resource("themes").glob("*.toml"))]
    tick = QImage(str(resource("themes", "tick-dark.svg")))
    expect(not tick.isNull(), "drawings (SVG) are not understood")
    return f"{len(glyphs)} icons, {len(themes)} themes"


def html_view(_context: CheckContext) -> str:
    """Chromium draws a page. As root its sandbox is off, because Chromium requires that."""
    root = sys.platform.startswith("linux") and os.geteuid() == 0
    if root:
        os.environ.setdefault("QTWEBENGINE_DISABLE_SANDBOX", "1")
    from app.ui.message.rendering import page
    from app.ui.message.web_view import WebBody

    make_application()
    view = WebBody(lambda _link: None)
    view.resize(300, 200)
    view.show()
    theme = load_theme(resource("themes", "light.toml"))
    view.show_page(page(PAGE, theme, "sans-serif", 10.0), QColor("white"))
    seen = _until(lambda: view.grab().toImage().pixelColor(150, 100).name() == GREEN, PAGE_LIMIT_MS)
    refused = view.refused
    view.close()
    view.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    expect(seen, "nothing was drawn")
    expect(refused == 0, f"{refused} requests were made by an empty page")
    sandbox = os.environ.get("QTWEBENGINE_DISABLE_SANDBOX", "") not in ("", "0")
    return "Chromium draws, without its sandbox" if sandbox else "Chromium draws, in its sandbox"


def _until(seen: Callable[[], bool], limit_ms: int) -> bool:
    """Processes events until `seen()` or the limit. Returns the last `seen()`."""
    deadline, turn, looking = QDeadlineTimer(limit_ms), QEventLoop(), QTimer()
    looking.timeout.connect(lambda: turn.quit() if deadline.hasExpired() or seen() else None)
    looking.start(LOOKED_MS)
    turn.exec()
    return seen()

"""Screenshots of every page in light and dark, from whatever mailbox the window shows."""

from pathlib import Path

from PySide6.QtCore import QEventLoop, QTimer

from app.ui.main_window import MainWindow
from app.ui.places import PAGES

SETTLE_MS = 350


def take(window: MainWindow, folder: Path, pages: tuple[str, ...] = (*PAGES, "welcome")) -> list[Path]:
    """Write `page-theme.png` for each page and theme into `folder`; the files written. The theme of before comes back."""
    folder.mkdir(parents=True, exist_ok=True)
    appearance = window.appearance
    before = (appearance.choice, appearance.text_size)
    page_before = window.name
    written: list[Path] = []
    for theme in ("light", "dark"):
        appearance.apply(theme, before[1])
        for page in pages:
            window.show_page(page)
            written.append(shoot(window, folder / f"{page}-{theme}.png"))
    appearance.apply(*before)
    window.show_page(page_before)
    return written


def shoot(window: MainWindow, file: Path) -> Path:
    """One picture of the window as it is, once it has settled. Never call it inside a coroutine: it runs a nested loop."""
    settle(SETTLE_MS)
    window.grab().save(str(file))
    return file


def settle(ms: int) -> None:
    """Let timers and repaints happen."""
    loop = QEventLoop()
    QTimer.singleShot(ms, loop.quit)
    loop.exec()

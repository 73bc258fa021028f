"""What a start of the window can be told."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from app.domain.protocol.views import Glance

if TYPE_CHECKING:
    from app.domain.ports.window import EngineLink

PROGRAM = "Replyroom"


def open_address(address: str) -> object:
    """Show an address in the system's browser."""
    from PySide6.QtCore import QUrl
    from PySide6.QtGui import QDesktopServices

    return QDesktopServices.openUrl(QUrl(address))


class WindowOptions(NamedTuple):
    """`sample_command` starts the demo on the sample mailbox; `glance` gives the first rows of a page for the first frame;
    `first_paint` is told `time.perf_counter()` when the first frame is out, `ready` is called when everything stands; `page`
    opens there instead of where the user left; `clock` is the time that lists show; `prepared` is handed the window's link
    before anything is heard of the engine; `mailto` is an address to write to at once, empty for none."""

    sample_command: tuple[str, ...] = ()
    glance: Callable[[str], Glance] = lambda page: Glance(accounts=True)
    first_paint: Callable[[float], None] | None = None
    ready: Callable[[], None] | None = None
    page: str = ""
    mailto: str = ""
    prepared: "Callable[[EngineLink], None] | None" = None
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    open_link: Callable[[str], object] = open_address

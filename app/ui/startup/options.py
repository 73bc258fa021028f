"""Options of a window start."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from app.domain.protocol.views import Glance

if TYPE_CHECKING:
    from app.domain.ports.window import EngineLink

PROGRAM = "Replyroom"


def open_address(address: str) -> object:
    from PySide6.QtCore import QUrl
    from PySide6.QtGui import QDesktopServices

    return QDesktopServices.openUrl(QUrl(address))


class WindowOptions(NamedTuple):
    """Options of `run_window` and `build_window`.

    - `sample_command`: command line that starts the demo on the sample mailbox
    - `glance`: gives the first rows of a page for the first frame
    - `first_paint`: called with `time.perf_counter()` after the first frame
    - `ready`: called when the window is complete
    - `page`: page to open instead of the last one
    - `mailto`: address to write to at once, empty for none
    - `prepared`: called with the engine link before the engine's first event
    - `clock`: the time shown in lists
    - `open_link`: opens web addresses
    - `sample`: marks the window as the sample mailbox, whose program ends with it
    """

    sample_command: tuple[str, ...] = ()
    glance: Callable[[str], Glance] = lambda page: Glance(accounts=True)
    first_paint: Callable[[float], None] | None = None
    ready: Callable[[], None] | None = None
    page: str = ""
    mailto: str = ""
    prepared: "Callable[[EngineLink], None] | None" = None
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    open_link: Callable[[str], object] = open_address
    sample: bool = False

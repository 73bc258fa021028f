"""`RowPresentation`: the content of a painted row of any list."""

from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtCore import Qt

LOOK_ROLE = int(Qt.ItemDataRole.UserRole) + 1
ID_ROLE = int(Qt.ItemDataRole.UserRole) + 2


class Chip(NamedTuple):
    """A small tinted label. `tone` is empty (neutral), accent, positive, warning, danger or slot."""

    text: str
    tone: str = ""


@dataclass(frozen=True, slots=True)
class RowPresentation:
    """Content of a row: three lines beside a monogram. They hold `who` and `when`, `subject`, then chips and `snippet`. `spoken`
    is the text for screen readers. A `count` over 1 follows the name. `marks` are (icon, tone) pairs before the time. `icon`
    replaces the monogram where the row is no person; `person` names the monogram's person if `who` is not a bare name. `heading`
    stands above the first row of a section (`RowList.set_headings`).
    """

    who: str
    subject: str
    snippet: str
    when: str
    spoken: str
    count: int = 0
    strong: bool = False
    chips: tuple[Chip, ...] = ()
    marks: tuple[tuple[str, str], ...] = ()
    icon: str = ""
    person: str = ""
    heading: str = ""

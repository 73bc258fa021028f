"""What a painted row looks like, whatever it stands for."""

from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtCore import Qt

LOOK_ROLE = int(Qt.ItemDataRole.UserRole) + 1
ID_ROLE = int(Qt.ItemDataRole.UserRole) + 2


class Chip(NamedTuple):
    """A small tinted word; `tone` is empty (neutral), accent, positive, warning, danger or slot."""

    text: str
    tone: str = ""


@dataclass(frozen=True, slots=True)
class RowPresentation:
    """Three lines beside a monogram: who and when, about what, and chips with the first words. `spoken` is what a screen
    reader says; `count` over 1 stands behind the name; `marks` are icon names shown before the time. An
    `icon` stands in the monogram's place where the row is no person; `person` is whose monogram it is where `who` is no bare
    name."""

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

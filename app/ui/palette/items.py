"""What the palette offers: commands, places, labels, people, templates; and how a typed line picks among them. Pure."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from app.ui.compose.completing import folded

MOST = 40
MOST_OF_PEOPLE = 6


@dataclass(frozen=True, slots=True)
class Item:
    """One line: `kind` is a short word for what it is, `keys` its shortcut; `act` does it. `also` are words it is found by."""

    title: str
    kind: str
    icon: str
    act: Callable[[], object]
    keys: str = ""
    also: str = ""


def picked(items: Iterable[Item], typed: str, most: int = MOST) -> list[Item]:
    """Items in which every typed word begins some word; those whose title begins with the line first, else in their order."""
    wanted = folded(typed).split()
    scored = [(score, item) for item in items if (score := rank(item, wanted)) >= 0]
    return [item for _, item in sorted(scored, key=lambda one: one[0])][:most]


def rank(item: Item, wanted: Sequence[str]) -> int:
    """0 where the title begins with the line, 1 where its words do, 2 where other words do, -1 where something is missing."""
    title = folded(item.title)
    words = title.split()
    more = [*words, *folded(f"{item.also} {item.kind}").split()]
    if title.startswith(" ".join(wanted)):
        return 0
    if all(any(word.startswith(one) for word in words) for one in wanted):
        return 1
    return 2 if all(any(word.startswith(one) for word in more) for one in wanted) else -1

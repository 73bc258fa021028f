"""What the palette offers: commands, places, labels, people, templates; and how a typed line picks among them. Pure."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from app.ui.compose.completing import folded

MOST = 40
MOST_OF_PEOPLE = 6
MOST_BREAKS = 4
"""Letters that are farther apart in a title were not meant."""


@dataclass(frozen=True, slots=True)
class Item:
    """One line: `kind` is a short word for what it is, `keys` its shortcut; `act` does it. `also` are words it is found by.
    `name` is what it is remembered by among the last ones, empty for what is not remembered."""

    title: str
    kind: str
    icon: str
    act: Callable[[], object]
    keys: str = ""
    also: str = ""
    name: str = ""


def picked(items: Iterable[Item], typed: str, most: int = MOST, loosely: bool = False) -> list[Item]:
    """Items in which every typed word begins some word; those whose title begins with the line first, else in their order.
    `loosely` also those in whose title the letters stand in order, the closest together first."""
    wanted = folded(typed).split()
    scored = [(score, item) for item in items if (score := rank(item, wanted, loosely)) >= 0]
    return [item for _, item in sorted(scored, key=lambda one: one[0])][:most]


def rank(item: Item, wanted: Sequence[str], loosely: bool = False) -> int:
    """0 where the title begins with the line, 1 where its words do, 2 where other words do, 3 and more where only its letters
    do, -1 where something is missing."""
    title = folded(item.title)
    words = title.split()
    more = [*words, *folded(f"{item.also} {item.kind}").split()]
    if title.startswith(" ".join(wanted)):
        return 0
    if all(any(word.startswith(one) for word in words) for one in wanted):
        return 1
    if all(any(word.startswith(one) for word in more) for one in wanted):
        return 2
    breaks = spread(title, "".join(wanted)) if loosely else -1
    return 3 + breaks if breaks >= 0 else -1


def spread(title: str, letters: str) -> int:
    """In how many places letters that stand in a title in order are apart, -1 where they do not or too far; the first one begins
    a word."""
    if not _in_order(letters).search(title):
        return -1
    starts = [at for at, char in enumerate(title) if char != " " and (at == 0 or title[at - 1] == " ")]
    found = [breaks for at in starts if (breaks := _breaks(title, letters, at)) >= 0]
    return min(found, default=-1)


@lru_cache(maxsize=4)
def _in_order(letters: str) -> re.Pattern[str]:
    """Finds titles that have all the letters in their order: the few that are worth a closer look."""
    return re.compile(".*?".join(map(re.escape, letters)), re.DOTALL)


def _breaks(title: str, letters: str, start: int) -> int:
    """The same, from one place of the title on."""
    at, breaks = start - 1, -1
    for letter in letters:
        place = title.find(letter, at + 1)
        if place < 0 or (breaks < 0 and place != start):
            return -1
        breaks += place != at + 1 or breaks < 0
        at = place
    return breaks if 0 <= breaks <= MOST_BREAKS and len(letters) > 1 else -1


def recent_first(items: Sequence[Item], recent: Sequence[str]) -> list[Item]:
    """What was done last stands first, the rest in its order."""
    named = {item.name: item for item in items if item.name}
    last = [named[name] for name in recent if name in named]
    return [*last, *(item for item in items if item not in last)]

"""Lines that typed words find: those of the palette and of the search of the settings."""

import re
from collections.abc import Callable, Iterable, Sequence

from app.domain.record import Record
from app.ui.editor.recipient_field import folded

MOST_ITEMS = 40
_ENGLISH = ("a", "an", "the", "my", "to", "in", "of", "for", "on", "i", "do", "how", "when", "make", "change", "set", "turn")
_CZECH = ("muj", "moje", "na", "v", "ve", "z", "ze", "s", "se", "si", "pro", "kdyz", "jak", "kdy", "zmenit", "nastavit")
FILLERS = frozenset((*_ENGLISH, *_CZECH))
"""Words that may be typed without being in a line that has further words."""
MOST_BREAKS = 4
"""Titles in which the typed letters lie in more separate pieces do not match."""


class Item(Record):
    """One line. `kind` is a short description, `keys` its shortcut, `act` its action, `also` further words that find it. `name`
    identifies it among recent items; empty if it is not remembered.
    """

    title: str
    kind: str
    icon: str
    act: Callable[[], object]
    keys: str = ""
    also: str = ""
    name: str = ""


def picked(items: Iterable[Item], typed: str, most: int = MOST_ITEMS, loosely: bool = False) -> list[Item]:
    """Items that match `typed`, best first. Each typed word must begin a word of the item. `loosely` also accepts titles that
    have the letters in order.
    """
    wanted = folded(typed).split()
    scored = [(score, item) for item in items if (score := rank(item, wanted, loosely)) >= 0]
    return [item for _, item in sorted(scored, key=lambda one: one[0])][:most]


def rank(item: Item, wanted: Sequence[str], loosely: bool = False) -> int:
    """Rank of an item, lower is better, -1 for no match. 0: the title begins with the line; 1: its words do; 2: other words
    do, fillers left out; 3 and more: only its letters match, where the line has no further words.
    """
    title = folded(item.title)
    words = title.split()
    more = [*words, *folded(f"{item.also} {item.kind}").split()]
    said = [one for one in wanted if not item.also or one not in FILLERS] or wanted
    if title.startswith(" ".join(wanted)):
        return 0
    if all(any(word.startswith(one) for word in words) for one in wanted):
        return 1
    if all(any(word.startswith(one) for word in more) for one in said):
        return 2
    breaks = spread(title, "".join(wanted)) if loosely and not item.also else -1
    return 3 + breaks if breaks >= 0 else -1


def spread(title: str, letters: str) -> int:
    """Number of gaps between typed letters found in a title. They must occur in order; -1 if they do not or with too many gaps.
    The first letter must begin a word.
    """
    if len(letters) < 2:
        return -1
    first, *others = map(re.escape, letters)
    in_order = f"(?<![^ ])(?={first}{''.join(f'([^{one}]*){one}' for one in others)})"
    gaps = [sum(map(bool, found.groups())) for found in re.finditer(in_order, title)]
    fewest = min(gaps, default=-1)
    return fewest if fewest <= MOST_BREAKS else -1

"""Items of the palette and how typed text matches them. Commands, places, labels, people and templates; the last five used come
first.

Recent items are kept in window.ini by the names of commands and pages, never mail or people.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from PySide6.QtCore import QCoreApplication, QSettings
from PySide6.QtGui import QKeySequence

from app.domain.mail.message import Address
from app.domain.protocol.commands import ChangeSettings
from app.ui.actions import TABLE, ActionScope, where_words
from app.ui.context import Context
from app.ui.editor.address_completer import folded
from app.ui.editor.recipients import written
from app.ui.navigation.places import LABEL
from app.ui.pages.compose.new_letter import new_letter

MOST = 40
MOST_OF_PEOPLE = 6
MOST_BREAKS = 4
"""Titles in which the typed letters lie in more separate pieces do not match."""


@dataclass(frozen=True, slots=True)
class Item:
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


def picked(items: Iterable[Item], typed: str, most: int = MOST, loosely: bool = False) -> list[Item]:
    """Items that match `typed`, best first. Each typed word must begin a word of the item. `loosely` also accepts titles that
    have the letters in order.
    """
    wanted = folded(typed).split()
    scored = [(score, item) for item in items if (score := rank(item, wanted, loosely)) >= 0]
    return [item for _, item in sorted(scored, key=lambda one: one[0])][:most]


def rank(item: Item, wanted: Sequence[str], loosely: bool = False) -> int:
    """Rank of an item, lower is better, -1 for no match. 0: the title begins with the line; 1: its words do; 2: other words do; 3
    and more: only its letters match.
    """
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
    """Number of gaps between typed letters found in a title. They must occur in order; -1 if they do not or with too many gaps.
    The first letter must begin a word.
    """
    gaps = [sum(map(bool, found.groups())) for found in _in_order(letters).finditer(title)]
    fewest = min(gaps, default=-1)
    return fewest if fewest <= MOST_BREAKS and len(letters) > 1 else -1


@lru_cache(maxsize=4)
def _in_order(letters: str) -> re.Pattern[str]:
    """Finds each word from which on a title has the letters. Its groups are what lies between them."""
    first, *others = map(re.escape, letters)
    return re.compile(f"(?<![^ ])(?={first}{''.join(f'([^{one}]*){one}' for one in others)})")


def recent_first(items: Sequence[Item], recent: Sequence[str]) -> list[Item]:
    named = {item.name: item for item in items if item.name}
    last = [named[name] for name in recent if name in named]
    return [*last, *(item for item in items if item not in last)]


RECENT = "palette/recent"
MOST_RECENT = 5


def recent(state: QSettings) -> list[str]:
    """Names of recent items, newest first."""
    found = state.value(RECENT)
    return list(map(str, found)) if isinstance(found, list) else [str(found)] if found else []


def remember(state: QSettings, name: str) -> None:
    """Notes a used item; an empty name is ignored."""
    if name:
        state.setValue(RECENT, [name, *(one for one in recent(state) if one != name)][:MOST_RECENT])


HIDDEN = frozenset({"window.palette", "window.back"})
"""Useless inside the palette."""


def command_items(context: Context, places: frozenset[ActionScope]) -> list[Item]:
    """Enabled actions of the given scopes."""
    found = []
    for spec in TABLE:
        action = context.actions[spec.id]
        if spec.where in places and spec.id not in HIDDEN and action.isEnabled() and action.isVisible():
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            kind = "" if spec.where is ActionScope.WINDOW else where_words(spec.where)
            found.append(Item(action.text(), kind, spec.icon, action.trigger, keys, name=spec.id))
    return found


def view_items(context: Context, views: list[tuple[str, str, str]]) -> list[Item]:
    """Pages and labels from (name, title, icon). Labels are the user's own words, so they are not remembered."""
    kind = QCoreApplication.translate("Palette", "page")
    show = context.navigator.show_page
    return [
        Item(title, kind, icon, partial(show, name), name="" if name.startswith(LABEL) else f"page.{name}")
        for name, title, icon in views
    ]


def setting_items(context: Context) -> list[Item]:
    """Every setting: its section, and for one with a few choices a line for each, which sets it."""
    from app.ui.pages.settings.settings_table import SettingTexts, section_of  # needed with the first palette, not at the start

    texts, kind = SettingTexts(), QCoreApplication.translate("Palette", "setting")
    show = context.navigator.show_settings
    backup = QCoreApplication.translate("Palette", "back up, move to another computer, data folder")
    sections = {name: (title, icon) for name, title, icon in texts.sections()}
    found = [
        Item(title, kind, icon, partial(show, name), also=backup if name == "about" else "", name=f"settings.{name}")
        for name, (title, icon) in sections.items()
    ]
    for key, setting in texts.settings().items():
        section = section_of(key)
        icon = sections[section][1]
        found.append(Item(setting.title, kind, icon, partial(show, section), also=f"{sections[section][0]} {setting.text}"))
        for value, words in setting.choices.items():
            act = partial(context.link.send, ChangeSettings(((key, json.dumps(value)),)))
            found.append(Item(f"{setting.title}: {words}", kind, icon, act, name=f"{key}={value}"))
    return found


def template_items(context: Context, put: Callable[[int], object]) -> list[Item]:
    """Templates, to be inserted into the open letter."""
    kind = QCoreApplication.translate("Palette", "template")
    return [Item(one.name, kind, "knowledge", partial(put, one.id), also=one.subject) for one in context.reader.templates()]


def person_items(context: Context, typed: str, most: int) -> list[Item]:
    """People to write to, by name, address or organisation."""
    accounts = context.reader.accounts()
    if not accounts:
        return []
    kind = QCoreApplication.translate("Palette", "write to")

    def write(address: Address) -> None:
        context.navigator.show_letter(new_letter(accounts[0].id, (address,)))

    return [
        Item(written((one.address,)), kind, "contact", partial(write, one.address), also=one.organization)
        for one in context.reader.people(typed, most, by_firm=True)
    ]

"""The key map: a preset plus the user's changes, stored in window.ini. The defaults are in `app.ui.actions`."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSettings
from PySide6.QtGui import QAction, QKeySequence

from app.ui.actions import TABLE, ActionScope, ActionSpec

PRESET = "keys/preset"
CHANGED = "keys/changed"
STANDARD = "standard"
Keys = dict[str, tuple[str, ...]]
"""By action: its keys in Qt's portable form."""

GMAIL: Keys = {
    "window.compose": ("C", "Ctrl+N"),
    "window.inbox": ("G, I",),
    "window.starred": ("G, S",),
    "window.back": ("Escape", "U"),
    "window.sent": ("G, T",),
    "window.drafts": ("G, D",),
    "mail.unread": ("Shift+U",),
    "mail.open": ("O",),
    "mail.archive_older": ("]",),
    "mail.archive_newer": ("[",),
    "assistant.open": ("Shift+O",),
    "mail.trash": ("#", "Delete"),
    "templates.add": ("Shift+N",),
}
NATIVE: Keys = {
    "window.search": ("Ctrl+Alt+F",),
    "window.keys": ("F1",),
    "window.undo": ("Ctrl+Z",),
    "review.edit": ("F2",),
    "review.changes": ("Ctrl+Shift+R",),
    "review.save": ("Ctrl+S",),
    "review.reject": ("Delete",),
    "review.no_answer": ("Shift+Delete",),
    "review.skip": ("Ctrl+Down",),
    "review.previous": ("Ctrl+Up",),
    "review.should": ("Ctrl+T",),
    "review.why": ("Ctrl+I",),
    "review.compare": ("Ctrl+D",),
    "review.focus": ("Ctrl+Shift+F",),
    "review.select": ("Ctrl+Space",),
    "review.extend": ("Ctrl+Shift+Down",),
    "review.extend_back": ("Ctrl+Shift+Up",),
    "review.dismiss_all": ("Ctrl+Shift+Delete",),
    "mail.next": ("Ctrl+Down",),
    "mail.previous": ("Ctrl+Up",),
    "mail.next_split": ("Ctrl+Alt+Right",),
    "mail.previous_split": ("Ctrl+Alt+Left",),
    "mail.select": ("Ctrl+Space",),
    "mail.extend": ("Ctrl+Shift+Down",),
    "mail.extend_back": ("Ctrl+Shift+Up",),
    "mail.select_all": ("Ctrl+A",),
    "mail.draft": ("Ctrl+D",),
    "mail.reply": ("Ctrl+R",),
    "mail.reply_all": ("Ctrl+Shift+R",),
    "mail.forward": ("Ctrl+L",),
    "mail.archive": ("Backspace",),
    "mail.inbox": ("Ctrl+Shift+I",),
    "mail.star": ("Ctrl+Shift+S",),
    "mail.unread": ("Ctrl+M",),
    "mail.label": ("Ctrl+Shift+L",),
    "mail.move": ("Ctrl+Shift+M",),
    "mail.snooze": ("Ctrl+Shift+B",),
    "mail.mute": ("Ctrl+Alt+M",),
    "mail.sender": ("Ctrl+Alt+P",),
    "mail.next_message": ("Ctrl+Alt+Down",),
    "mail.previous_message": ("Ctrl+Alt+Up",),
    "mail.unfold": ("Ctrl+Alt+O",),
    "mail.fold": ("Ctrl+Alt+Shift+O",),
    "mail.best_first": ("Ctrl+Alt+B",),
    "mail.spam": ("Ctrl+J",),
    "mail.should": ("Ctrl+T",),
    "mail.trash": ("Delete",),
    "outbox.cancel": ("Delete",),
    "outbox.redraft": ("Ctrl+R",),
    "outbox.look": ("Ctrl+L",),
    "outbox.undo": ("Ctrl+U",),
    "memory.add": ("Ctrl+Shift+N",),
    "memory.try": ("Ctrl+T",),
    "memory.edit": ("F2",),
    "drafts.open": ("Return",),
    "templates.add": ("Ctrl+Shift+N",),
    "subscriptions.leave": ("Ctrl+Shift+Delete",),
    "subscriptions.archive": ("Backspace",),
    "subscriptions.always": ("Ctrl+Shift+R",),
    "subscriptions.block": ("Ctrl+J",),
    "compose.help": ("Ctrl+Shift+J",),
    "waiting.nudge": ("Ctrl+R",),
    "waiting.dismiss": ("Delete",),
}
PRESETS: dict[str, Keys] = {STANDARD: {}, "gmail": GMAIL, "native": NATIVE}
"""By preset: what differs from the defaults."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """One key with two actions that can be active at the same time."""

    key: str
    first: str
    second: str


def preset_keys(preset: str) -> Keys:
    """Keys of every action in a preset; an unknown preset counts as the standard one.

    A key that the preset gives to one action is removed from the actions it would conflict with.
    """
    changed = PRESETS.get(preset, {})
    taken = {(spec.where, key) for spec in TABLE for key in changed.get(spec.id, ())}

    def left(spec: ActionSpec) -> tuple[str, ...]:
        clashing = {key for where, key in taken if where is spec.where or ActionScope.WINDOW in (where, spec.where)}
        return tuple(key for key in spec.keys if key not in clashing)

    return {spec.id: changed[spec.id] if spec.id in changed else left(spec) for spec in TABLE}


def conflicts(keys: Mapping[str, Sequence[str]]) -> list[Conflict]:
    """Keys that two actions of one scope share. A sequence also conflicts with an action on its first key."""
    places = {spec.id: spec.where for spec in TABLE}
    owners: dict[str, list[str]] = defaultdict(list)
    for name, own in keys.items():
        for key in own:
            for part in {key, key.split(", ")[0]}:
                owners[part].append(name)
    found = []
    for name, own in keys.items():
        for key in own:
            for other in owners[key]:
                together = places[name] is places[other] or ActionScope.WINDOW in (places[name], places[other])
                if other != name and together and (key in keys[other] or "," not in key):
                    found.append(Conflict(key, *sorted((name, other))))
    return list(dict.fromkeys(found))


class KeyTable:
    """The current keys. Each change is written at once and applied to the actions."""

    def __init__(self, state: QSettings, actions: Mapping[str, QAction]) -> None:
        self._state, self._actions = state, actions

    @property
    def preset(self) -> str:
        """The selected preset; the standard one if the stored name is unknown."""
        found = str(self._state.value(PRESET) or STANDARD)
        return found if found in PRESETS else STANDARD

    @property
    def changed(self) -> Keys:
        """The user's changes. Empty if the stored value cannot be read."""
        try:
            found = json.loads(str(self._state.value(CHANGED) or "{}"))
            return {name: tuple(map(str, keys)) for name, keys in found.items() if name in self._actions}
        except (ValueError, AttributeError, TypeError):
            return {}

    def take_back(self, preset: str, changed: Keys) -> None:
        self._state.setValue(PRESET, preset)
        self._state.setValue(CHANGED, json.dumps(changed))
        self.apply()

    def keys(self) -> Keys:
        return {**preset_keys(self.preset), **self.changed}

    def choose(self, preset: str) -> None:
        self._state.setValue(PRESET, preset)
        self.apply()

    def put(self, name: str, keys: Sequence[str] | None) -> None:
        """Sets the keys of an action; None restores those of the preset."""
        changed = self.changed
        changed.pop(name, None)
        if keys is not None and tuple(keys) != preset_keys(self.preset)[name]:
            changed[name] = tuple(keys)
        self._state.setValue(CHANGED, json.dumps(changed))
        self.apply()

    def apply(self) -> None:
        for name, keys in self.keys().items():
            self._actions[name].setShortcuts([QKeySequence(key) for key in keys])

"""Lines of the settings that are typed and not saved yet: after a crash they stand in their fields again, as not saved.

Refuses to apply what the user had not done with; what had been applied and not written is applied again.
"""

from collections.abc import Callable, Mapping

from app.ui.caret import Field, line_of, put_spot, spot_of, words_of
from app.ui.parts import Parts, comes_back
from app.ui.settings.controls import Control
from app.ui.whereabouts import Spot

DONE = "done:"


def keep_lines(
    parts: Parts,
    name: str,
    controls: Mapping[str, Control],
    unsaved: Callable[[], Mapping[str, bool]],
    is_read: Callable[[], bool],
) -> None:
    """`unsaved` gives the keys whose value is the user's, and whether they had done with it."""
    lines: dict[str, Field] = {key: line for key, one in controls.items() if (line := line_of(one.field)) is not None}

    def read() -> Spot:
        found: Spot = {}
        for key, done in unsaved().items():
            if key in lines:
                found |= {**spot_of(**{key: lines[key]}), f"{DONE}{key}": int(done)}
        return found

    def put_back(spot: Spot) -> bool:
        if not is_read():
            return False
        for key, line in lines.items():
            if key in spot and spot[key] != words_of(line):
                put_spot(spot, **{key: line})
                controls[key].announce_typing()
                if spot.get(f"{DONE}{key}"):
                    controls[key].settle()
        return True

    signals = [signal for key in lines for signal in (controls[key].typed, controls[key].committed, controls[key].refused)]
    if lines:
        comes_back(*lines.values())
        parts.add(f"{name}.typed", read, put_back, *signals, *(line.cursorPositionChanged for line in lines.values()))

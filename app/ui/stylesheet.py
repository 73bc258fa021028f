"""The window's style sheet: `resources/themes/window.qss` filled in from the theme and the scales.

Widgets name their role through dynamic properties (`role`, `type`, `tone`); the sheet alone says what a role looks like.
Refuses a name in the sheet that is no token.
"""

from string import Template

from app.config.paths import resource
from app.ui.scale import FACTOR, Radius, Space, Type
from app.ui.theme import Theme

TICK_PX = 1.4
"""Pixels of a box to tick for each point of the text beside it."""


def stylesheet(theme: Theme, base_pt: float) -> str:
    """The whole sheet for a theme and a base font size in points."""
    colours = {name: theme.tone(name) for name in Theme._fields if name not in ("name", "dark", "avatars")}
    sizes = {f"pt_{role}": f"{base_pt * FACTOR[role]:.2f}" for role in Type}
    spaces = {space.name.lower(): str(int(space)) for space in Space}
    tick = round(base_pt * TICK_PX)
    ticks = {
        "tick": resource("themes", f"tick-{'dark' if theme.dark else 'light'}.svg").as_posix(),
        "px_tick": str(tick),
        "px_tick_ringed": str(tick - 2),
    }
    radii = {f"r_{radius.name.lower()}": str(int(radius)) for radius in Radius}
    sheet = Template(resource("themes", "window.qss").read_text(encoding="utf-8"))
    return sheet.substitute(colours | sizes | spaces | ticks | radii)

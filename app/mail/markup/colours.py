"""Whether a colour can be told from another, for text that hides on its background."""

from collections.abc import Sequence

import tinycss2.color3
from tinycss2.ast import Node

Colour = tuple[float, float, float]
WHITE: Colour = (1.0, 1.0, 1.0)
BLACK: Colour = (0.0, 0.0, 0.0)
NEAREST = 0.06
"""Channel distance (0..1) below which two colours are one to the eye."""
SEEN_THROUGH = 0.05


def colour_of(tokens: Sequence[Node] | str, behind: Colour) -> Colour | None:
    """The colour as it looks over `behind`; None if the value names none (or `currentColor`)."""
    for token in [tokens] if isinstance(tokens, str) else tokens:
        found = tinycss2.color3.parse_color(token)
        if found is not None and not isinstance(found, str):
            alpha = found.alpha if found.alpha > SEEN_THROUGH else 0.0
            mixed = [alpha * own + (1 - alpha) * back for own, back in zip(found[:3], behind, strict=True)]
            return mixed[0], mixed[1], mixed[2]
    return None


def alike(one: Colour, other: Colour) -> bool:
    """Whether text of one colour vanishes on the other."""
    return all(abs(first - second) <= NEAREST for first, second in zip(one, other, strict=True))

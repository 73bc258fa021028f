"""Files of the app's own, as tools, drafts and models name them. Pure.

Refuses to be a path: a handle means its content, wherever that lies.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Handle:
    """A file of the app's own: `id` is what models and users name it by, `sha256` (hex) its content's digest, `size` in bytes."""

    id: str
    name: str
    sha256: str
    size: int

"""What a check is: a name, and a look that says in a few words what it saw, or raises."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path


class CheckFailed(Exception):
    """A part is there and does not do what it is for."""


@dataclass(frozen=True, slots=True)
class CheckContext:
    """Where checks work: an empty folder of their own, how this program is started with a role, and its version."""

    folder: Path
    ourselves: Sequence[str]
    program: str


Look = Callable[[CheckContext], str]
"""Raises whatever goes wrong."""


@dataclass(frozen=True, slots=True)
class Check:
    """One part of the program."""

    name: str
    look: Look


def expect(truth: object, words: str) -> None:
    """Raise `CheckFailed` with these words unless something is so."""
    if not truth:
        raise CheckFailed(words)

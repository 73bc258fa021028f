"""A check of the self-test: a name and a function that returns a short result or raises."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path


class CheckFailed(Exception):
    """A part is there but does not work."""


@dataclass(frozen=True, slots=True)
class CheckContext:
    """An empty folder for the checks, the command that starts this program, and its version."""

    folder: Path
    ourselves: Sequence[str]
    program: str


Look = Callable[[CheckContext], str]
"""Returns a short result. Any exception means failure."""


@dataclass(frozen=True, slots=True)
class Check:
    """The check of one part."""

    name: str
    look: Look


def expect(truth: object, words: str) -> None:
    """Raises `CheckFailed` with `words` unless `truth`."""
    if not truth:
        raise CheckFailed(words)

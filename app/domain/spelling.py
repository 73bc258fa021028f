"""Spelling: which words of a text are in no dictionary, and what may have been meant."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CheckSpelling:
    """A text in one language, guessed from it; answered by `Misspelled`."""

    text: str


@dataclass(frozen=True, slots=True)
class Misspelled:
    """Words as they stand in the text that no dictionary of its language has. `language` is empty when there is no dictionary
    for it on this computer; then there are no words either."""

    words: tuple[str, ...]
    language: str


@dataclass(frozen=True, slots=True)
class SuggestSpelling:
    """What `word` may have meant in `language`; answered by `Suggestions`."""

    word: str
    language: str


@dataclass(frozen=True, slots=True)
class Suggestions:
    """Best first, at most a few."""

    words: tuple[str, ...]

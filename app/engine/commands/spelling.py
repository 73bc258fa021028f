"""Spelling by Hunspell, with its own English dictionaries and the system's for other languages.

Dictionaries are opened in a thread at the first query.
"""

import asyncio
import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol, cast

from app.domain.language.words import Language, language
from app.domain.protocol.queries import CheckSpelling, Misspelled, Suggestions, SuggestSpelling

MOST_WORDS = 3000
MOST_SUGGESTIONS = 6
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
ADDRESS = re.compile(r"\S+@\S+|https?://\S+|www\.\S+")
FOLDERS = (
    "/usr/share/hunspell",
    "/usr/share/myspell",
    "/usr/share/myspell/dicts",
    "/Library/Spelling",
    "~/Library/Spelling",
    "~/.local/share/hunspell",
)
NAMES = {Language.EN: ("en_US", "en_GB"), Language.CS: ("cs_CZ", "cs"), Language.DE: ("de_DE", "de")}


class Speller(Protocol):
    """The part of Hunspell's interface that is used."""

    def spell(self, word: str) -> bool: ...

    def suggest(self, word: str) -> tuple[str, ...]:
        """Similar words from the dictionary."""


class Spelling:
    """Dictionaries by language, each opened once.

    `folders` are searched before Hunspell's own; None means the system's folders.
    """

    queries = (CheckSpelling, SuggestSpelling)

    def __init__(self, folders: tuple[Path, ...] | None = None) -> None:
        self._folders = tuple(Path(one).expanduser() for one in FOLDERS) if folders is None else folders
        self._spellers: dict[Language, Speller | None] = {}
        self._lock = asyncio.Lock()

    async def answer(self, query: CheckSpelling | SuggestSpelling) -> Misspelled | Suggestions:
        """The words that are missing from the dictionary of a text's language, or corrections of a word."""
        async with self._lock:
            if isinstance(query, CheckSpelling):
                return await asyncio.to_thread(self._check, query.text)
            return await asyncio.to_thread(self._suggest, query.word, query.language)

    def _check(self, text: str) -> Misspelled:
        spoken = language(text)
        speller = self._speller(Language.EN if spoken is Language.OTHER and text.isascii() else spoken)
        if speller is None:
            return Misspelled((), "")
        found = dict.fromkeys(WORD.findall(ADDRESS.sub(" ", text)))
        wrong = [word for word in list(found)[:MOST_WORDS] if _misspelt(speller, word)]
        return Misspelled(tuple(wrong), Language.EN if spoken is Language.OTHER else spoken)

    def _suggest(self, word: str, spoken: str) -> Suggestions:
        speller = self._speller(Language(spoken)) if spoken in set(Language) else None
        try:
            found = speller.suggest(word.replace("’", "'")) if speller is not None else ()
        except UnicodeEncodeError:
            found = ()
        return Suggestions(tuple(found)[:MOST_SUGGESTIONS])

    def _speller(self, spoken: Language) -> Speller | None:
        if spoken not in self._spellers:
            self._spellers[spoken] = _opened(spoken, self._folders)
        return self._spellers[spoken]


def _misspelt(speller: Speller, word: str) -> bool:
    """Whether the word is unknown. Not checked are abbreviations in capitals, single letters, and words that the dictionary's
    encoding cannot hold, such as foreign names.
    """
    if len(word) < 2 or word.isupper():
        return False
    try:
        return not speller.spell(word.replace("’", "'"))
    except UnicodeEncodeError:
        return False


def _opened(spoken: Language, folders: tuple[Path, ...]) -> Speller | None:
    """Opens the first dictionary found for a language, None if there is none."""
    spec = find_spec("hunspell")
    own = [Path(place, "dictionaries") for place in (spec.submodule_search_locations or ())] if spec else []
    for name in NAMES.get(spoken, ()):
        for folder in (*folders, *own):
            if spec and (folder / f"{name}.aff").is_file() and (folder / f"{name}.dic").is_file():
                return cast(Speller, import_module("hunspell").Hunspell(name, hunspell_data_dir=str(folder)))
    return None

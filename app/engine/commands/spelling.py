"""Spelling by Hunspell: English from the dictionary that comes with it, other languages from the system's own where it has them.

Opened with the first question, in a thread.
"""

import asyncio
import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol, cast

from app.agent.language.words import Language, language
from app.domain.protocol.queries import Misspelled, Suggestions

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
NAMES = {Language.EN: ("en_US", "en_GB"), Language.CS: ("cs_CZ", "cs")}


class Speller(Protocol):
    """What is used of Hunspell."""

    def spell(self, word: str) -> bool:
        """Whether the word is in the dictionary."""

    def suggest(self, word: str) -> tuple[str, ...]:
        """What may have been meant."""


class Spelling:
    """Dictionaries by language, opened once; `folders` (None: the system's) come before what Hunspell brings along."""

    def __init__(self, folders: tuple[Path, ...] | None = None) -> None:
        self._folders = tuple(Path(one).expanduser() for one in FOLDERS) if folders is None else folders
        self._spellers: dict[Language, Speller | None] = {}
        self._turn = asyncio.Lock()

    async def check(self, text: str) -> Misspelled:
        """Words that are in no dictionary of the text's language."""
        async with self._turn:
            return await asyncio.to_thread(self._check, text)

    async def suggest(self, word: str, spoken: str) -> Suggestions:
        """What a word may have meant."""
        async with self._turn:
            return Suggestions(await asyncio.to_thread(self._suggest, word, spoken))

    def _check(self, text: str) -> Misspelled:
        spoken = language(text)
        speller = self._speller(Language.EN if spoken is Language.OTHER and text.isascii() else spoken)
        if speller is None:
            return Misspelled((), "")
        found = dict.fromkeys(WORD.findall(ADDRESS.sub(" ", text)))
        wrong = [word for word in list(found)[:MOST_WORDS] if _checked(word) and _misspelt(speller, word)]
        return Misspelled(tuple(wrong), Language.EN if spoken is Language.OTHER else spoken)

    def _suggest(self, word: str, spoken: str) -> tuple[str, ...]:
        speller = self._speller(Language(spoken)) if spoken in set(Language) else None
        try:
            return () if speller is None else tuple(speller.suggest(word.replace("’", "'")))[:MOST_SUGGESTIONS]
        except UnicodeEncodeError:
            return ()

    def _speller(self, spoken: Language) -> Speller | None:
        if spoken not in self._spellers:
            self._spellers[spoken] = _opened(spoken, self._folders)
        return self._spellers[spoken]


def _misspelt(speller: Speller, word: str) -> bool:
    """A word with letters that the dictionary's encoding has no room for, such as a foreign name, is left alone."""
    try:
        return not speller.spell(word.replace("’", "'"))
    except UnicodeEncodeError:
        return False


def _checked(word: str) -> bool:
    """Abbreviations in capitals and single letters are left alone."""
    return len(word) > 1 and not word.isupper()


def _opened(spoken: Language, folders: tuple[Path, ...]) -> Speller | None:
    """The first dictionary of a language, None if there is none."""
    spec = find_spec("hunspell")
    own = [Path(place, "dictionaries") for place in (spec.submodule_search_locations or ())] if spec else []
    for name in NAMES.get(spoken, ()):
        for folder in (*folders, *own):
            if spec and (folder / f"{name}.aff").is_file() and (folder / f"{name}.dic").is_file():
                return cast(Speller, import_module("hunspell").Hunspell(name, hunspell_data_dir=str(folder)))
    return None

"""The words of the full-text index: other forms of a word, and likelier spellings of a rare one.

The index is asked for the few words with the same beginning (1 ms), so nothing is read ahead and nothing can be out of date.
"""

import sqlite3
from collections.abc import Iterable
from itertools import takewhile

from app.domain.language.word_forms import SHORTEST, STEMMERS, beginnings, same_word

LONGEST = 24
MOST_FORMS = 12
KEPT_FORMS = 500
MOST_RANGE = 4000
"""Words with the same beginning that are looked at."""
RARE = 3
"""A word in at most this many mails may be misspelled."""
LIKELIER = 10
"""How much more often a likelier spelling must occur."""
SURE = 3
"""Errors in the first letters are looked for one by one, later ones among the words that begin with these letters."""

_CREATE = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.mail_words USING fts5vocab('main', 'mail_fts', 'row')"
_RANGE = "SELECT term, doc FROM temp.mail_words WHERE term >= ? AND term < ? LIMIT ?"
_COUNT = "SELECT doc FROM temp.mail_words WHERE term = ?"
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"


class Vocabulary:
    """Words in lower-case ASCII with the number of mails that have them. Not thread-safe."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._forms: dict[str, tuple[str, ...]] = {}
        connection.execute(_CREATE)

    def refresh(self) -> None:
        """Forgets forms, because mail changed."""
        self._forms.clear()

    def count(self, word: str) -> int:
        """How many mails have the word."""
        found = self._connection.execute(_COUNT, (word,)).fetchone()
        return int(found[0]) if found else 0

    def forms(self, word: str) -> tuple[str, ...]:
        """Other forms of a folded word that occur in mail, the most frequent first."""
        if not SHORTEST <= len(word) <= LONGEST or not _fits(word):
            return ()
        if word not in self._forms:
            if len(self._forms) >= KEPT_FORMS:
                self._forms.clear()
            self._forms[word] = self._found_forms(word)
        return self._forms[word]

    def _found_forms(self, word: str) -> tuple[str, ...]:
        stems = [(stem_of, stem_of(word)) for stem_of in STEMMERS]
        begun = {start: self._beginning(start) for start in {one for _, stem in stems for one in beginnings(stem)}}
        found = {
            one: many
            for stem_of, stem in stems
            for start in beginnings(stem)
            for one, many in begun[start].items()
            if stem_of(one) == stem
        }
        found.pop(word, None)
        return tuple(sorted(found, key=lambda one: (-found[one], one))[:MOST_FORMS])

    def likelier(self, word: str) -> str:
        """A much more frequent word one typing error away from a rare one; empty for none."""
        if len(word) < SHORTEST or not _fits(word) or (have := self.count(word)) > RARE:
            return ""
        found = {one: many for one, many in self._beginning(word[:SURE]).items() if _one_error(word, one)}
        found |= {one: self.count(one) for one in _misspelled(word, SURE)}
        best = max(found, key=lambda one: found[one], default="")
        return best if best and found[best] >= max(2, LIKELIER * have) and not same_word(best, word) else ""

    def _beginning(self, start: str) -> dict[str, int]:
        rows = self._connection.execute(_RANGE, (start, f"{start}{{", MOST_RANGE))
        return {word: count for word, count in rows if _fits(word)}


def _fits(word: str) -> bool:
    return 2 < len(word) <= LONGEST and word.isascii() and word.isalpha()


def _one_error(word: str, other: str) -> bool:
    """Whether one letter is too many, too few or wrong, or two are exchanged."""
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, other, strict=False)))
    one, two = word[same:], other[same:]
    return one[1:] in (two, two[1:]) or one == two[1:] or (one[1::-1] == two[:2] and one[2:] == two[2:])


def _misspelled(word: str, before: int) -> Iterable[str]:
    """Every word with one error that begins before a place."""
    for at in range(before):
        head, tail = word[:at], word[at:]
        for letter in _ALPHABET:
            yield head + letter + tail
            if tail and letter != tail[0]:
                yield head + letter + tail[1:]
        if tail:
            yield head + tail[1:]
        if len(tail) > 1 and tail[0] != tail[1]:
            yield head + tail[1] + tail[0] + tail[2:]

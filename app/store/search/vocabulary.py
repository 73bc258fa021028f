"""The words of the full-text index: other forms of a word, and likelier spellings of a rare one.

Kept in memory as one sorted text (about 4 MB for 360,000 words) and read again after much new mail; words of single new mails are
added meanwhile. Words that are no longer in any mail may stay until then, which only makes a search look for nothing.
"""

import sqlite3
from array import array
from collections.abc import Iterable, Iterator

from app.domain.language.search_text import index_words
from app.domain.language.word_forms import SHORTEST, STEMMERS, beginning, same_word

LONGEST = 24
MOST_FORMS = 12
KEPT_FORMS = 500
FRESH = 500
"""New mails whose words are read one by one; after more the whole vocabulary is read again (0.8 s for 360,000 words)."""
MOST_RANGE = 4000
"""Words with the same beginning that are looked at."""
RARE = 3
"""A word in at most this many mails may be misspelled."""
LIKELIER = 10
"""How much more often a likelier spelling must occur."""

_CREATE = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.mail_words USING fts5vocab('main', 'mail_fts', 'row')"
_WORDS = "SELECT term, doc FROM temp.mail_words ORDER BY term"
_UPTO = "SELECT coalesce(max(id), 0) FROM mail_fts_docsize"
_NEW = "SELECT m.subject, b.text FROM messages m JOIN bodies b ON b.message_id = m.id WHERE m.id > ? AND m.id <= ?"
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"


class Vocabulary:
    """Words in lower-case ASCII with the number of mails that have them. Not thread-safe."""

    def __init__(self) -> None:
        self._text = b""
        self._starts = array("I")
        self._counts = array("I")
        self._fresh: dict[str, int] = {}
        self._forms: dict[str, tuple[str, ...]] = {}
        self._upto = -1
        self._read_upto = -1

    def refresh(self, connection: sqlite3.Connection) -> None:
        """Takes in the words of mail that was indexed since the last call."""
        upto = int(connection.execute(_UPTO).fetchone()[0])
        if upto != self._upto:
            self._forms.clear()
        if self._upto < 0 or upto < self._upto or upto - self._read_upto > FRESH:
            self._read(connection)
            self._read_upto = upto
        elif upto > self._upto:
            for row in connection.execute(_NEW, (self._upto, upto)):
                for word in {word for text in row for word in index_words(text) if _fits(word)}:
                    self._fresh[word] = self._fresh.get(word, 0) + 1
        self._upto = upto

    def count(self, word: str) -> int:
        """How many mails have the word."""
        at = self._place(word)
        known = self._counts[at] if at < len(self._starts) and self._word(at) == word else 0
        return known + self._fresh.get(word, 0)

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
        found: dict[str, int] = {}
        for stem_of in STEMMERS:
            stem = stem_of(word)
            found |= {one: count for one, count in self._beginning(beginning(stem)) if stem_of(one) == stem}
        found.pop(word, None)
        return tuple(sorted(found, key=lambda one: (-found[one], one))[:MOST_FORMS])

    def likelier(self, word: str) -> str:
        """A much more frequent word one typing error away from a rare one; empty for none."""
        have = self.count(word)
        if len(word) < SHORTEST or not _fits(word) or have > RARE:
            return ""
        found = {one: self.count(one) for one in _misspelled(word)}
        best = max(found, key=lambda one: found[one], default="")
        return best if best and found[best] >= max(2, LIKELIER * have) and not same_word(best, word) else ""

    def _beginning(self, start: str) -> Iterator[tuple[str, int]]:
        first = self._place(start)
        end = min(self._place(f"{start}{{"), first + MOST_RANGE)
        if first < end:
            last = self._starts[end] if end < len(self._starts) else len(self._text)
            words = self._text[self._starts[first] : last - 1].decode("ascii").split("\n")
            yield from zip(words, self._counts[first:end], strict=True)
        for word, count in self._fresh.items():
            if word.startswith(start):
                yield word, count

    def _read(self, connection: sqlite3.Connection) -> None:
        connection.execute(_CREATE)
        words, counts = [], array("I")
        for word, count in connection.execute(_WORDS):
            if _fits(word):
                words.append(word)
                counts.append(count)
        starts, at = array("I"), 0
        for word in words:
            starts.append(at)
            at += len(word) + 1
        self._text, self._starts, self._counts = "\n".join((*words, "")).encode("ascii"), starts, counts
        self._fresh = {}

    def _place(self, word: str) -> int:
        """Where the word stands or would stand."""
        low, high = 0, len(self._starts)
        while low < high:
            middle = (low + high) // 2
            if self._word(middle) < word:
                low = middle + 1
            else:
                high = middle
        return low

    def _word(self, at: int) -> str:
        start = self._starts[at]
        return self._text[start : self._text.index(b"\n", start)].decode("ascii")


def _fits(word: str) -> bool:
    return 2 < len(word) <= LONGEST and word.isascii() and word.isalpha()


def _misspelled(word: str) -> Iterable[str]:
    """Every word one error away: a letter too many, too few, wrong, or two exchanged."""
    for at in range(len(word) + 1):
        head, tail = word[:at], word[at:]
        for letter in _ALPHABET:
            yield head + letter + tail
            if tail and letter != tail[0]:
                yield head + letter + tail[1:]
        if tail:
            yield head + tail[1:]
        if len(tail) > 1 and tail[0] != tail[1]:
            yield head + tail[1] + tail[0] + tail[2:]

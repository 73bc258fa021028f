"""Text as the full-text index holds it, for mail and for what is searched.

The index splits at everything but letters and digits and folds marks and case. Before that, letters it cannot fold (ł, ø, ß)
become plain ones, and Chinese, Japanese and Korean runs become pairs of characters, since they have no gaps between words.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

_PLAIN = {
    "ł": "l", "ø": "o", "đ": "d", "ð": "d", "ß": "ss", "œ": "oe", "æ": "ae", "þ": "th", "ı": "i", "ħ": "h", "ŧ": "t", "ŋ": "n",
}  # fmt: skip
_LETTERS = _PLAIN | {one.upper(): plain.upper() for one, plain in _PLAIN.items() if len(one.upper()) == 1} | {"ẞ": "SS"}
_RUN = re.compile(
    "[\u2e80-\u2fdf\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\uac00-\ud7a3\U00020000-\U0003ffff]+"
)
_HYPHENATED = re.compile(r"(?<![\w-])[^\W\d_]{1,20}(?:-[^\W\d_]{1,20}){1,3}(?![\w-])")
_NUMBER = re.compile(
    r"(?<![\w.,])(?:\d{1,4}(?:[ '’,.-]\d{3}){1,4}(?:[.,]\d{1,2})?|\+\d{1,3}(?:[ .-]?\d{2,4}){2,5}"
    r"|\d{3,4}(?:-\d{2,4}){1,3})(?![\w])"
)
_DIGITS_AND_GAPS = re.compile(r"\d[\d '’,.+-]{2,}")
_DECIMALS = re.compile(r"[.,](\d{1,2})\Z")
_WORD = re.compile(r"[^\W_]+")


def index_text(text: str | None) -> str:
    """What is written to the index: the text, then its hyphenated words and grouped numbers once more, joined."""
    if not text:
        return ""
    plain = _letters(text)
    more = " ".join(joined(plain))
    spaced = plain if plain.isascii() else _RUN.sub(_pairs, plain)
    return f"{spaced}\n{more}" if more else spaced


def query_text(text: str) -> str:
    """Words of a search as `index_text` writes them, without the joined forms."""
    return text if text.isascii() else _RUN.sub(_searched_pairs, _letters(text)).strip()


def joined(text: str) -> Iterator[str]:
    """Hyphenated words and grouped numbers without their gaps: `e-mail` as email, `1,234.56` as 1234.56."""
    hyphenated = text if text.isascii() else text.replace("\u2010", "-").replace("\u2011", "-")
    for chunk in hyphenated.split() if "-" in hyphenated else ():
        if "-" in chunk:  # few words; the whole pattern tries each place
            yield from (found.replace("-", "") for found in _HYPHENATED.findall(chunk))
    for run in _DIGITS_AND_GAPS.finditer(text):
        for found in _NUMBER.finditer(text, max(run.start() - 1, 0), run.end() + 1):
            whole, decimals = found[0], ""
            if tail := _DECIMALS.search(whole):
                whole, decimals = whole[: tail.start()], f".{tail[1]}"
            digits = re.sub(r"\D", "", whole)
            if len(digits) >= 4 and digits != whole:
                yield digits + decimals


def index_words(text: str) -> list[str]:
    """The words of a text as the index has them, in order."""
    return [word for found in _WORD.findall(query_text(text)) for word in _WORD.findall(folded(found))]


def is_run(word: str) -> bool:
    """Whether a word is Chinese, Japanese or Korean, so that it is found inside other words."""
    return _RUN.fullmatch(word) is not None


def folded(text: str) -> str:
    """Lower case without marks and with plain letters; may be longer than the text."""
    return text.lower() if text.isascii() else "".join(map(_folded_letter, text))


def folded_with_places(text: str) -> tuple[str, list[int] | None]:
    """A folded text, and for each of its characters the place in `text`; None where the places are the same."""
    if text.isascii():
        return text.lower(), None
    parts = [_folded_letter(one) for one in text]
    whole = "".join(parts)
    if len(whole) == len(text) and all(len(part) == 1 for part in parts):
        return whole, None
    return whole, [at for at, part in enumerate(parts) for _ in part]


@lru_cache(maxsize=8192)
def _folded_letter(letter: str) -> str:
    plain = _letters(letter).lower()
    decomposed = unicodedata.normalize("NFD", plain) if not is_run(letter) else plain
    return "".join(one for one in decomposed if not unicodedata.combining(one))


def _letters(text: str) -> str:
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKC", text)
    for letter in [one for one in _LETTERS if one in text]:
        text = text.replace(letter, _LETTERS[letter])
    return text


def _pairs(found: re.Match[str]) -> str:
    run = found[0]
    return f" {' '.join(run[at : at + 2] for at in range(len(run)))} "


def _searched_pairs(found: re.Match[str]) -> str:
    run = found[0]
    return f" {run if len(run) < 2 else ' '.join(run[at : at + 2] for at in range(len(run) - 1))} "

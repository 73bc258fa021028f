"""A search line parted for a search by meaning: its free words, and what every answer has to fulfil besides.

What is meant by the letter stays a condition: operators, quotes, a star, and whatever is excluded.
"""

from app.store.query import EVERYTHING
from app.store.query_sql import has_word
from app.store.query_tree import AllOf, AnyOf, SearchExpression, Words


def by_meaning(expression: SearchExpression) -> tuple[str, SearchExpression]:
    """The free words in their order, empty where there are none, and the expression in which those hold for every mail."""
    match expression:
        case Words(columns=(), prefix=False, quoted=False):
            return (expression.text if has_word(expression.text) else ""), EVERYTHING
        case AllOf(parts):
            words, kept = _parted(parts)
            rest = tuple(one for one in kept if one != EVERYTHING)
            return words, rest[0] if len(rest) == 1 else AllOf(rest)
        case AnyOf(parts):
            words, kept = _parted(parts)
            return words, EVERYTHING if EVERYTHING in kept else AnyOf(kept)
        case _:
            return "", expression


def _parted(parts: tuple[SearchExpression, ...]) -> tuple[str, tuple[SearchExpression, ...]]:
    found = [by_meaning(one) for one in parts]
    return " ".join(words for words, _ in found if words), tuple(rest for _, rest in found)

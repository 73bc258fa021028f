"""The outer parts of a written mail: greeting, body, sign-off; and how to greet a sender by name.

Refuses to decline a name: Czech has a vocative that cannot be guessed safely, so a Czech draft greets without one.
"""

import re
import unicodedata
from dataclasses import dataclass

from app.agent.local.facts import fold_in_place
from app.agent.local.words import Language, fold
from app.domain.mail import Message
from app.domain.remembered import remembered

_GREETING = re.compile(
    r"^(hi|hello|hey|dear|good (?:morning|afternoon|evening|day)|morning|hiya|greetings|"
    r"dobry den|dobre rano|dobre odpoledne|dobry vecer|ahoj|cau|nazdar|zdravim(?: vas)?|mila|mily|mili|vazena|vazeny|vazeni)"
    r"\b[^,.!?:\n]{0,50}(?:,\s*(?:pane|pani|slecno)\s[^,.!?:\n]{1,40})?[,.!:]?[ \t]*"
)
_CLOSING = re.compile(
    r"^(?:(?:many |kind |best |warm |warmest )?(?:regards|wishes|thanks|greetings)|best|cheers|sincerely|yours\b.*|"
    r"all the best|love|thank you|take care|see you|s pozdravem|s uctou|zdravim|pekny den|hezky den|mejte se.*|mej se.*|"
    r"diky|dekuji|preji .*|"
    r"srdecne|tesim se)\b[^.?]{0,40}[,.!]*$"
)
_NAME = re.compile(r"^[^\W\d_][^\W\d_'’-]{0,20}(?:[-'’][^\W\d_]{2,20})?$")
_TITLES = frozenset(("mr", "mrs", "ms", "miss", "dr", "prof", "ing", "mgr", "bc", "judr", "mudr", "phd", "doc"))
_COMPANY = re.compile(
    r"team|info|support|sales|office|shop|services?|travel|group|company|gmbh|ltd|inc|llc|sro|spol|as|studio|school|"
    r"the|hotel|bank|newsletter|noreply|customer|billing|club|foundation|association|cent(?:er|re)"
)
_SIGN_OFF_LINES = 4
_GREETING_WORDS = 4


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail's newest part in three: `greeting` and `sign_off` may be empty."""

    greeting: str
    body: str
    sign_off: str


@remembered(64)
def split_letter(text: str) -> Letter:
    """Cut greeting and sign-off away from what is said between them."""
    lines = text.strip().splitlines()
    greeting, rest = _greeting(lines)
    close = next((i for i in range(max(0, len(rest) - _SIGN_OFF_LINES), len(rest)) if _closes(rest, i)), None)
    body, sign_off = (rest, []) if close is None else (rest[:close], rest[close:])
    return Letter(greeting, "\n".join(body).strip(), "\n".join(line.strip() for line in sign_off if line.strip()))


def _closes(lines: list[str], number: int) -> bool:
    """Whether a line closes the mail: its words do, and what follows is a name and the like, no sentence and no quote."""
    return bool(_CLOSING.match(fold(lines[number].strip()))) and not any(map(_speaks, lines[number + 1 :]))


def _speaks(line: str) -> bool:
    """Whether a line is a sentence or quoted."""
    small = sum(word[0].islower() for word in line.split())
    return line.lstrip().startswith(">") or (line.rstrip().endswith((".", "?", "!")) and small > 1)


def _greeting(lines: list[str]) -> tuple[str, list[str]]:
    """The greeting, and the lines after it; a greeting may share its line with the first sentence."""
    if not lines:
        return "", []
    hit = _GREETING.match(fold_in_place(lines[0]))
    if hit is None:
        return "", lines
    greeting, rest = lines[0][: hit.end()].strip(), lines[0][hit.end() :].strip()
    if not greeting.endswith((",", "!", ".", ":")) and (rest or len(greeting.split()) > _GREETING_WORDS):
        return "", lines
    return greeting, ([rest, *lines[1:]] if rest else lines[1:])


def greet(language: Language, message: Message, text: str, like: str = "") -> str:
    """A greeting line for the sender; `like` is the owner's own greeting whose opening word is kept (English only)."""
    if language is Language.CS:
        return "Dobrý den,"
    hit = _GREETING.match(fold_in_place(like))
    opening = like[: hit.end(1)] if hit is not None and hit.group(1) in {"hi", "hello", "hey", "dear"} else "Hello"
    name = first_name(message, text)
    if not name:
        return "Hello," if opening.lower() == "dear" else f"{opening},"
    return f"{opening} {name},"


def first_name(message: Message, text: str) -> str:
    """The sender's first name as signed or as in the display name; empty where it is not plainly a person's."""
    signed = split_letter(text).sign_off.splitlines()[1:2]
    for candidate in (*signed, message.sender.name):
        name = _first_of(candidate)
        if name:
            return name
    return ""


def _first_of(full: str) -> str:
    given = full.partition(",")[2] if full.count(",") == 1 and " " not in full.partition(",")[0].strip() else full
    tokens = [token.strip("\"'()[]") for token in given.split()]
    tokens = [token for token in tokens if fold(token).strip(".") not in _TITLES]
    if not 1 <= len(tokens) <= 4 or any(_COMPANY.fullmatch(fold(token).strip(".,")) for token in tokens):
        return ""
    first = tokens[0].rstrip(".,")
    return first if len(first) > 1 and _NAME.match(first) and first[0].isupper() and not first.isupper() and _latin(first) else ""


def _latin(word: str) -> bool:
    return all("LATIN" in unicodedata.name(char, "") for char in word if char.isalpha())

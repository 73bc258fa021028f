"""The parts of a reply that a lesson can be about: greeting, sign-off, form of address, lines of the signature.

Refuses to see a sign-off in a sentence: only short lines at the end count.
"""

import html
import re

from app.agent.local.letters import Letter, split_letter
from app.agent.local.words import fold

_TY = re.compile(
    r"\b(?:te|ti|tobe|tebe|tebou|tvuj|tva|tve|tvou|tveho|tvem|tvym|jsi|bys|mas|muzes|chces|vis|dej|napis|posli|ozvi)\b"
)
_VY = re.compile(
    r"\b(?:vam|vas|vami|vase|vasi|vasim|vaseho|vasem|jste|byste|mate|muzete|chcete|vite|dejte|napiste|poslete|ozvete)\b"
)
_BREAK = re.compile(r"(?i)<br\s*/?>|</(?:p|div|tr|li|h\d)>")
_TAG = re.compile(r"<[^>]{0,2000}>")
_SHORT = 60
_LAST_LINES = 3
_FAREWELL_WORDS = 4


def parts_of(text: str, like: Letter | None = None) -> Letter:
    """Greeting, body and sign-off. What no pattern knows is still seen where `like`, the proposal, had such a part there."""
    letter = split_letter(text)
    if like is None:
        return letter
    if not letter.greeting and like.greeting:
        letter = _with_greeting(letter)
    return _with_sign_off(letter, like) if not letter.sign_off and like.sign_off else letter


def form_of_address(text: str) -> str:
    """`ty` or `vy` where a Czech text plainly speaks so, else empty. Quoted lines do not count."""
    own = fold("\n".join(line for line in text.splitlines() if not line.lstrip().startswith(">")))
    familiar, polite = bool(_TY.search(own)), bool(_VY.search(own))
    if familiar == polite:
        return ""
    return "ty" if familiar else "vy"


def signature_lines(signature: str) -> frozenset[str]:
    """The lines of a signature in HTML, folded, without empty ones."""
    plain = html.unescape(_TAG.sub("", _BREAK.sub("\n", signature)))
    return frozenset(key for line in plain.splitlines() if (key := line_key(line)))


def line_key(line: str) -> str:
    """What of a line is compared."""
    return " ".join(fold(line).split())


def _says_something(line: str) -> bool:
    """Whether a line is more than a few words of farewell or a name."""
    return len(line.split()) > _FAREWELL_WORDS or line.endswith((".", "!")) or line.startswith(">")


def _with_greeting(letter: Letter) -> Letter:
    """A short first line that ends as a greeting does is one."""
    first, _, rest = letter.body.partition("\n")
    if len(first) <= _SHORT and first.rstrip().endswith((",", "!")) and rest.strip():
        return Letter(first.strip(), rest.strip(), letter.sign_off)
    return letter


def _with_sign_off(letter: Letter, like: Letter) -> Letter:
    """A last paragraph of short lines is a sign-off when it ends with the proposal's last line (the name), or when it is new and
    none of its lines is a sentence."""
    above, _, last = letter.body.rpartition("\n\n")
    lines = [line.strip() for line in last.splitlines()]
    short = len(lines) <= _LAST_LINES and all(len(line) <= _SHORT and "?" not in line for line in lines)
    named = len(lines) > 1 and lines[-1] == like.sign_off.splitlines()[-1]
    if above and short and (named or (last not in like.body and not any(map(_says_something, lines)))):
        return Letter(letter.greeting, above.strip(), "\n".join(lines))
    return letter

"""Splits a mail into greeting, body and sign-off, and greets a sender by name, in English, Czech and German.

Also finds what lessons are about: the form of address and the lines of a signature.
"""

import html
import re
import unicodedata
from collections.abc import Collection

from app.domain.language.facts import fold_in_place
from app.domain.language.words import Language, fold, words
from app.domain.mail.message import Message
from app.domain.mail.text_cache import remembered
from app.domain.record import Record

_GREETING = re.compile(
    r"^(hi|hello|hey|dear|good (?:morning|afternoon|evening|day)|morning|hiya|greetings|"
    r"dobry den|dobre rano|dobre odpoledne|dobry vecer|ahoj|cau|nazdar|zdravim(?: vas)?|mila|mily|mili|vazena|vazeny|vazeni|"
    r"hallo|guten (?:tag|morgen|abend)|liebe[rs]?|sehr geehrte[rs]?|moin|servus)"
    r"\b[^,.!?:\n]{0,50}(?:,\s*(?:pane|pani|slecno)\s[^,.!?:\n]{1,40})?[,.!:]?[ \t]*"
)
_FORMULA = (
    r"(?:(?:many |a thousand )?(?:thank you|thanks)(?: (?:very much|so much|a lot|again|in advance|and take care))*|"
    r"(?:with )?(?:many |my |our |very |kind |kindest |best |warm |warmest )*(?:regards|wishes|greetings)(?: again)?|"
    r"best|cheers|sincerely(?: yours)?|yours(?: (?:sincerely|faithfully|truly|ever))?|all the best|(?:lots of |much )?love|"
    r"take care|"
    r"see you(?: (?:soon|then|there|around))?|talk soon|speak soon|"
    r"have a (?:nice|good|great|lovely) (?:day|evening|weekend|week)|"
    r"looking forward to (?:hearing from you|your (?:reply|answer)|meeting you)|"
    r"(?:s (?:pratelskym )?pozdravem|s uctou|zdravim|srdecne|(?:preji )?(?:vam |ti )?(?:pekny|hezky|krasny) (?:den|vecer|vikend|"
    r"zbytek dne|tyden)|mejte se(?: (?:hezky|krasne|pekne|fajn))?|mej se(?: (?:hezky|krasne|pekne|fajn))?|"
    r"(?:predem |moc |mockrat )*(?:diky|dekuji|dekujeme)(?: (?:predem|moc|mockrat|vam|ti))*|tesim se(?: na (?:videnou|setkani|"
    r"(?:vasi |tvou )?odpoved))?)|"
    r"(?:mit )?(?:freundlichen|freundliche|besten|beste|herzlichen|herzliche|vielen|viele|lieben|liebe|schonen|schone) "
    r"(?:gru(?:ss|ß)en?|gru(?:ss|ß)|dank)(?: (?:im voraus|und viele gru(?:ss|ß)e))?|gru(?:ss|ß)|hochachtungsvoll|danke|lg|mfg|vg|"
    r"ihre?|deine?|"
    r"(?:bien )?cordialement|bien a vous|bonne journee|merci(?: d'avance)?|(?:un )?saludos?(?: cordial(?:es)?)?|atentamente|"
    r"(?:muchas )?gracias)"
)
_CLOSING = re.compile(rf"^{_FORMULA}(?:(?:,|\.|!| and| &| a| und| et| y)+ {_FORMULA})?[ ,.!–-]*(?P<name>.*)$")
_NAME_LINE = re.compile(r"(?:[^\W\d_a-z][\w'’.-]*\s?){1,3}[,:]")
_CLOSING_NAME = re.compile(r"(?:[^\W\d_a-z][\w.'’-]*\s*){1,3}")
_WORDS_OF_CLOSING = 4
_STRAY = re.compile(r"^[\s:;,]+(?=\w)")
"""Marks before a name that belong to no sign-off."""

_THANKS = re.compile(r"thank|cheers|love|best|see|dank|dekuj|diky|tesim|merci|gracias")
_NAME = re.compile(r"^[^\W\d_][^\W\d_'’-]{0,20}(?:[-'’][^\W\d_]{2,20})?$")
_TITLES = frozenset(("mr", "mrs", "ms", "miss", "dr", "prof", "ing", "mgr", "bc", "judr", "mudr", "phd", "doc"))
_SHORT_TITLE = re.compile(r"[^\W\d_]{2,4}\.")
_COMPANY = re.compile(
    r"team|info|support|sales|office|shop|services?|travel|group|company|gmbh|ltd|inc|llc|sro|spol|as|studio|school|"
    r"the|hotel|bank|newsletter|noreply|customer|billing|club|foundation|association|cent(?:er|re)|accounts?|accounting|careers?|"
    r"talent|hr|jobs|press|events?|admin\w*|marketing|reception|help\w*|orders?|bookings?|reservations?|secretary|"
    r"council|licen[sc]ing|city|university|institute|journal|editorial|ministry|department|authority|committee|library|"
    r"hospital|agency|union|trust|society|registry|desk|court|museum"
)
_EMPLOYER = re.compile(r"(?<=\w)\s+(?:at|from|via|von|bei)\s.*$")
_SIGN_OFF_LINES = 4
_GREETING_WORDS = 4


class LetterParts(Record):
    """The three parts of a mail's newest part. `greeting` and `sign_off` may be empty."""

    greeting: str
    body: str
    sign_off: str


@remembered(64)
def split_letter(text: str) -> LetterParts:
    lines = text.strip().splitlines()
    greeting, rest = _greeting(lines)
    close = next((i for i in range(max(0, len(rest) - _SIGN_OFF_LINES), len(rest)) if _closes(rest, i)), None)
    body, sign_off = (rest, []) if close is None else (rest[:close], rest[close:])
    return LetterParts(
        greeting, "\n".join(body).strip(), "\n".join(filter(None, (_STRAY.sub("", line).strip() for line in sign_off)))
    )


def _closes(lines: list[str], number: int) -> bool:
    """Whether a line is a closing formula, followed by no sentence and no quote."""
    return _formula(lines[number]) and not any(map(_speaks, lines[number + 1 :]))


def _formula(line: str) -> bool:
    """Whether a line is a closing formula, with nothing but a name behind it."""
    told = " ".join(line.split())
    hit = _CLOSING.match(fold(told))
    rest = told[len(told) - len(hit["name"]) :] if hit is not None and hit["name"] else ""
    return hit is not None and (not rest or _CLOSING_NAME.fullmatch(rest) is not None)


def closing_only(sign_off: str) -> bool:
    """Whether a sign-off fits any letter: a formula, or a few words that name nothing and nobody, above the writer's name."""
    first = sign_off.partition("\n")[0].strip()
    words = first.split()
    named = any(word[0].isupper() for word in words[1:]) or any(char.isdigit() for char in first)
    if _formula(first) or _THANKS.match(fold(first)):
        return _formula(first)  # thanks for something are no formula
    return len(words) <= _WORDS_OF_CLOSING and not named and not first.endswith((".", "?", "!"))


def signed_by(sign_off: str, names: Collection[str]) -> bool:
    """Whether the first name in a sign-off is one of `names`, a short form or an initial of it, or nobody is named."""
    formula, *below = sign_off.splitlines()
    hit = _CLOSING.match(fold(" ".join(formula.split())))
    named = next((found[0] for line in (hit["name"] if hit else "", *below) if (found := words(line)) and found[0].isalpha()), "")
    own = [word for name in names for word in words(name)]
    return not named or any(named[:3] == word[: len(named[:3])] for word in own)


def _speaks(line: str) -> bool:
    """Whether a line is a sentence or quoted."""
    small = sum(word[0].islower() for word in line.split())
    return line.lstrip().startswith(">") or (line.rstrip().endswith((".", "?", "!")) and small > 1)


def _greeting(lines: list[str]) -> tuple[str, list[str]]:
    """The greeting and the remaining lines. A greeting may share its line with the first sentence."""
    if not lines:
        return "", []
    hit = _GREETING.match(fold_in_place(lines[0]))
    named = _NAME_LINE.fullmatch(lines[0].strip()) is not None and not _formula(lines[0])
    if hit is None and named and any(map(str.strip, lines[1:])):
        return lines[0].strip(), lines[1:]
    if hit is None:
        return "", lines
    greeting, rest = lines[0][: hit.end()].strip(), lines[0][hit.end() :].strip()
    if not greeting.endswith((",", "!", ".", ":")) and (rest or len(greeting.split()) > _GREETING_WORDS):
        return "", lines
    return greeting, ([rest, *lines[1:]] if rest else lines[1:])


_TITLE = re.compile(r"(?:(mr|mrs|ms)|(herrn?|frau)|(pane|pani|slecno))\b\.?")
_TITLES_BY_LANGUAGE = ("Mr/Ms", "Herr/Frau", "pane/paní")


def greeting_pattern(greeting: str) -> str:
    """A greeting with `{first}` in place of the name, without anybody's name. A title stands for both genders."""
    hit = _GREETING.match(fold_in_place(greeting))
    end = greeting[-1:] if greeting[-1:] in ",!.:" else ""
    if hit is None:
        return f"{{first}}{end}" if greeting else ""
    opening, rest = greeting[: hit.end(1)], greeting[hit.end(1) : len(greeting) - len(end)]
    title = _TITLE.search(fold_in_place(rest))
    comma = "," if rest.lstrip().startswith(",") else ""
    if not rest.strip(" ,"):
        return f"{opening}{end}"
    titled = _TITLES_BY_LANGUAGE[(title.lastindex or 1) - 1] if title is not None else ""
    return " ".join(filter(None, (f"{opening}{comma}", titled, f"{{first}}{end}")))


def greet(language: Language, message: Message, text: str, like: str = "") -> str:
    """A greeting line for the sender, empty in a language that is not known.

    The opening word of `like`, the owner's own greeting, is kept in English. Czech names are never declined. In German the first
    name stands only where the mail says *du* or calls the owner by the first name.
    """
    if language is Language.CS:
        familiar = re.match(r"ahoj|cau|nazdar", fold(split_letter(text).greeting)) or _TO_ONE_FRIEND.search(fold(text))
        familiar = familiar or _YOU_DO.search(text)
        return "Ahoj," if familiar else "Dobrý den,"
    if language is Language.OTHER:
        return ""
    name = first_name(message, text)
    if language is Language.DE:
        familiar = _DU.search(fold(text)) or _FIRST_NAME_BASIS.match(fold(split_letter(text).greeting))
        return f"Hallo {name}," if name and familiar else "Guten Tag,"
    hit = _GREETING.match(fold_in_place(like))
    opening = like[: hit.end(1)] if hit is not None and hit.group(1) in {"hi", "hello", "hey", "dear"} else "Hello"
    if not name:
        return "Hello," if opening.lower() == "dear" else f"{opening},"
    return f"{opening} {name},"


_TO_ONE_FRIEND = re.compile(
    r"\b(?:dej|napis|posli|ozvi|prijd|zavolej|kup|jsi|bys|mas|muzes|chces|stihnes|vis|tobe|tebe|tebou|tvuj|tveho|tvym)\b"
)
"""Czech words of *ty*. Who uses them may still write *vás* for several people: "kolik vás bude"."""

_YOU_DO = re.compile(r"\b(?:\w+íš|[a-zěščřžýáíéúů]\w*eš)\b")
"""Czech verbs of *ty*: "víš", "budeš". Names such as Aleš are none."""

_DU = re.compile(r"\b(?:du|dir|dich|dein(?:e[rmns]?)?|kannst|hast|bist|magst|willst|euch|ihr habt)\b")

_FIRST_NAME_BASIS = re.compile(
    r"(?:hallo|hi|hey|moin|servus|liebe[rs]?) (?!frau|herr|zusammen|team|alle|kolleg|nachbar|gast|kund)\w+\W*$"
)
"""A German greeting with one name and no title."""


def first_name(message: Message, text: str) -> str:
    """The sender's first name from the sign-off or the display name. Empty where it is not clearly a person's."""
    signed = split_letter(text).sign_off.splitlines()[1:2] or _name_below(text, message.sender.email.partition("@")[0])
    for candidate in (*signed, message.sender.name):
        name = _first_of(candidate)
        if name:
            return name
    return ""


def _name_below(text: str, local: str) -> list[str]:
    """The last line, where it is a name of which the address has a part: "Don" or "Don Black" below a mail of don.black@."""
    last = text.rstrip().rpartition("\n")[2].strip()
    named = 1 <= len(last.split()) <= 3 and all(map(_NAME.match, last.split()))
    return [last] if named and not set(re.split(r"[^a-z]+", fold(local))).isdisjoint(fold(last).split()) else []


def _first_of(full: str) -> str:
    given = full.partition(",")[2] if full.count(",") == 1 and " " not in full.partition(",")[0].strip() else full
    tokens = [token.strip("\"'()[]") for token in _EMPLOYER.sub("", given).split()]
    named = [token for token in tokens if fold(token).strip(".") not in _TITLES and not _SHORT_TITLE.fullmatch(token)]
    if named != tokens and len(named) == 1:  # a title with a family name
        return ""
    tokens = named
    if not 1 <= len(tokens) <= 4 or any(_COMPANY.fullmatch(fold(token).strip(".,")) for token in tokens):
        return ""
    first = tokens[0].rstrip(".,")
    return first if len(first) > 1 and _NAME.match(first) and first[0].isupper() and not first.isupper() and _latin(first) else ""


def _latin(word: str) -> bool:
    return all("LATIN" in unicodedata.name(char, "") for char in word if char.isalpha())


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


def parts_of(text: str, like: LetterParts | None = None) -> LetterParts:
    """Splits a text like `split_letter`. Unknown greetings and sign-offs are found where `like`, the proposal, had such a
    part.
    """
    letter = split_letter(text)
    if like is None:
        return letter
    if not letter.greeting and like.greeting:
        letter = _with_greeting(letter)
    return _with_sign_off(letter, like) if not letter.sign_off and like.sign_off else letter


def form_of_address(text: str) -> str:
    """`ty` or `vy` where a Czech text clearly uses one of them, else empty. Quoted lines do not count."""
    own = fold("\n".join(line for line in text.splitlines() if not line.lstrip().startswith(">")))
    familiar, polite = bool(_TY.search(own)), bool(_VY.search(own))
    if familiar == polite:
        return ""
    return "ty" if familiar else "vy"


def signature_lines(signature: str) -> dict[str, str]:
    """The lines of an HTML signature by their key, without empty ones."""
    plain = html.unescape(_TAG.sub("", _BREAK.sub("\n", signature)))
    return {key: line.strip() for line in plain.splitlines() if (key := line_key(line))}


def without_signature(text: str, signature: str) -> str:
    """The text without last lines that are in the HTML signature."""
    known = signature_lines(signature)
    lines = text.splitlines()
    while known and lines and (not (key := line_key(lines[-1])) or key in known or key == "--"):
        lines.pop()
    return "\n".join(lines) if known and lines else text


def line_key(line: str) -> str:
    """The form in which lines are compared."""
    return " ".join(fold(line).split())


def _says_something(line: str) -> bool:
    """Whether a line is more than a few words of farewell or a name."""
    return len(line.split()) > _FAREWELL_WORDS or line.endswith((".", "!")) or line.startswith(">")


def _with_greeting(letter: LetterParts) -> LetterParts:
    """Takes a short first line that ends in a comma or exclamation mark as the greeting."""
    first, _, rest = letter.body.partition("\n")
    if len(first) <= _SHORT and first.rstrip().endswith((",", "!")) and rest.strip():
        return LetterParts(first.strip(), rest.strip(), letter.sign_off)
    return letter


def _with_sign_off(letter: LetterParts, like: LetterParts) -> LetterParts:
    """Takes a last paragraph of short lines as the sign-off.

    It must end with the proposal's last line (the name), or be new and contain no sentence.
    """
    above, _, last = letter.body.rpartition("\n\n")
    lines = [line.strip() for line in last.splitlines()]
    short = len(lines) <= _LAST_LINES and all(len(line) <= _SHORT and "?" not in line for line in lines)
    named = len(lines) > 1 and lines[-1] == like.sign_off.splitlines()[-1]
    if above and short and (named or (last not in like.body and not any(map(_says_something, lines)))):
        return LetterParts(letter.greeting, above.strip(), "\n".join(lines))
    return letter

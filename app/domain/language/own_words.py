"""The sentences that the author of a mail wrote for it: without quotes, greeting, closing, signature, disclaimer and courtesy.

Pure functions. Patterns see folded text: lower case, no diacritics. English, Czech, German, some Spanish and French.
"""

import re

from app.domain.language.words import PhraseTable, fold, split_after
from app.domain.mail.quotes import split_text
from app.domain.mail.text_cache import remembered
from app.domain.record import Record

WRAPPED = 50
"""A line at least this long may continue on the next one: mail programs wrap at 65 to 78 characters."""

NARROW = 25
"""A line at least this long without an end continues on a line that begins with a small letter."""

BEGINNING, END = 1600, 600
"""Characters of a long text that are read. What a mail wants stands there, and whole newsletters cost 15 ms."""

LONGEST_SENTENCE = 600
SIGN_OFF_LINES = 8
"""A closing formula counts where at most this many lines follow it."""

_BULLET = re.compile(r"^\s*(?:[-*•–]|\(?\d{1,2}[.)]|[a-z][.)])\s+", re.IGNORECASE)
_UNFINISHED = re.compile(
    r"\b(?:a|an|the|of|to|for|and|or|in|on|at|is|are|by|with|from|your|my|our|that|if|as|v|na|o|do|s|se|ze|der|die|das|und|mit|von|zu)$",
    re.IGNORECASE,
)
LONGEST_UNFINISHED = 8
"""Characters at the end of a line in which such a word is looked for."""

_PAUSE = re.compile(r"\s(?:(?<=\n)\s*\n|(?<=[.?!]\s)\s*)")
_BOUNDARY = re.compile(r"[?!….;][\"'»“”)\]]*\s+")
_ABBREVIATION = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|prof|st|no|nr|approx|e\.g|i\.e|etc|vs|ing|mgr|bc|mudr|c|p|tel|ul|cca|napr|tj|atd|z\. ?b|bzw|ca|"
    r"geb|gez|nar|"
    r"str|u\. ?a|"
    r"jan|feb|mar|apr|aug|sept|sep|oct|nov|dec|a\.m|p\.m|inc|ltd|corp|[a-z])|(?<![\d:])\d{1,2})\.$"
)
_SHORTENED = re.compile(r"(?<![.@\w])(?:org|dept|mgmt|govt|incl|est|max|min)\.$")
"""Abbreviations only where a small letter follows: they also end sentences."""
_NUMBER_END = re.compile(r"\d\.$")
_MONTH = re.compile(
    r"(?:jan|feb|mar|marz|apr|may|mai|maj|jun|jul|aug|sep|oct|okt|nov|dec|dez|led|uno|bre|dub|kve|cer|srp|zar|rij|lis|pro|"
    r"januar|ledna|monday|montag|tag|woche|klasse|stock|etage)"
)

_GREETING = (
    r"hi|hello|hey|hiya|dear|good (?:morning|afternoon|evening|day)|morning|afternoon|greetings|"
    r"dobry den|dobre rano|dobre odpoledne|dobry vecer|ahoj|cau|nazdar|zdravim(?: vas)?|mila|mily|mili|vazena|vazeny|vazeni|"
    r"hallo|guten (?:tag|morgen|abend)|liebe[rs]?|sehr geehrte[rs]?|moin|servus|gruss gott|"
    r"hola|buenos dias|buenas (?:tardes|noches)|estimad[oa]s?|querid[oa]s?|bonjour|bonsoir|salut|cher|chere|chers"
)
_TITLES = r"(?:\s*(?:mr|mrs|ms|dr|prof|ing|mgr|mudr|judr|herr|herrn|frau|senor|senora|monsieur|madame|pane|pani)\b\.?)*"
GREETING = re.compile(
    rf"^(?:{_GREETING})\b(?P<names>{_TITLES}[^,.!?:;\n]{{0,60}}(?:,\s*(?:pane|pani|"
    rf"slecno)\s[^,.!?:\n]{{1,40}})?)(?:[,.!:;–-]+|$)\s*"
)
GREETED_WORDS = 4
GREETED_WITHOUT_NAME = 3
"""Words of a greeting without a name, such as "dear sir or madam"."""
_CLOSING = re.compile(
    r"^(?:(?:(?:many|kind|best|warm|warmest|kindest|with kind|with best|with warm) )?(?:regards|wishes|thanks|greetings)|"
    r"best|cheers|"
    r"sincerely|yours(?: \w+)?|respectfully|all the best|love|take care|thx|thanks again|thank you|many thanks|"
    r"thanks(?: so much| a lot)?|"
    r"s pozdravem|s uctou|s pranim \w+ \w+|zdravim|hezky den|pekny den|pekny vikend|hezky vikend|mejte se(?: hezky)?|"
    r"mej se(?: hezky)?|"
    r"diky|dekuji|dekuju|srdecne|"
    r"(?:mit )?(?:freundlich\w*|herzlich\w*|lieb\w*|best\w*|schon\w*|viele|vielen) (?:grus\w*|dank)|grusse|lg|vg|mfg|"
    r"danke|hochachtungsvoll|"
    r"un saludo|saludos(?: cordiales)?|atentamente|gracias|cordialement|bien cordialement|bien a vous|merci(?: d'avance)?)"
    r"(?: (?:in advance|and (?:best |kind )?regards|a preji \w+ \w+|predem|im voraus|"
    r"aus \w+))?[,.! ]*(?:,?\s*[a-z]+(?: [a-z]+)?)?[,.!]*$"
)
_RULE = re.compile(r"^\s*[-_=*~#]{3,}\s*$")
_CONFIDENTIAL = PhraseTable(
    r"\bthis (?:e-?mail|message|communication|transmission)\b.{0,120}\b(?:confidential|intended (?:only|solely)|privileged)|"
    r"\bif you (?:are not the|have received this|received this) .{0,60}(?:recipient|error|mistake)|"
    r"\btat?o zprava .{0,60}\b(?:duvern\w+|urcena? (?:pouze|vyhradne|jen))|\bnejste-li .{0,30}adresat|"
    r"\bdiese (?:e-mail|nachricht) .{0,80}\bvertraulich|\bwenn sie nicht der .{0,30}(?:adressat|empfanger)"
)
"""Paragraphs of a disclaimer."""
_COURTESY = PhraseTable(
    # What a footer or a calendar says.
    r"please consider the environment|scanned (?:for|by) .{0,20}virus|(?:anti)?virus(?:es)? (?:free|found|checked)|"
    r"\bthis (?:e-?mail|message) was sent (?:to|from|by)|\byou (?:are receiv|receiv)\w* this|"
    r"\byou got this \w+ (?:because|as)\b|\bunsubscribe\b|"
    r"\bmanage (?:your )?(?:email )?preferences|\bregistered (?:office|in england)|^(?:\(c\) .{0,40})?all rights reserved|"
    r"\breply to this e-?mail directly\b|^reply for \S+@|\breply with yes\b(?! ?/| or no)|\bnot interested\? ",
    # What is only polite.
    r"\b(?:let me know|let us know|call|contact|write|e-?mail|ask|reach|phone|ring|shout|reply|"
    r"holler)\b.{0,40}\bif (?:there(?:'s| is) anything|you(?:'ve| have|"
    r" should have|'d like| need| want| require| run into)?(?: got)?\s*(?:any|anything|further|more|additional|other|some)\b)|"
    r"\bif (?:you (?:have|need|require|should have|do have|want) |there(?:'s| is| are) )(?:any|anything|further|more|"
    r"additional|other)\b"
    r".{0,60}\b(?:let (?:me|us) know|call|contact|write|e-?mail|ask|reach|hesitate|touch|here|help|reply|free|give (?:me|"
    r"us) a)\b|"
    r"(?:feel free|do not hesitate|don't hesitate|never hesitate|be free) (?:to|and)\b.{0,40}\b(?:call|contact|ask|reach|"
    r"write|e-?mail|let (?:me|us)|get in touch|reply|come|drop|shout)|"
    r"\b(?:call|contact|write|e-?mail|reach|phone|ring)\b.{0,30}\bwith (?:any |further |other |more )*(?:questions|comments)\b|"
    r"\bany (?:further )?(?:questions|concerns|problems)\b.{0,25}\b(?:call|contact|let (?:me|us) know|ask|e-?mail|just)\b|"
    r"\b(?:call|ring|phone) me\b.{0,80}\bif you (?:want|like|prefer|are (?:un)?sure)\b|\bwenden sie sich\b|"
    r"\b(?:here|happy|glad|available) (?:to (?:help|answer|assist)|if you need|if you have|for you)\b|"
    r"\bhow can (?:i|we) help\b|\bcan (?:i|we) help you with anything else|"
    r"^(?:so |and |hi |hey |hello )?how(?:'s| is| are| have) (?:you|it going|things|life|everything|the family|"
    r"your (?:day|week|weekend))\b.{0,40}$|^how do you do|"
    r"^(?:i |we )?(?:hope|trust|hoping) (?:you|all|this|everything|that you|your)\b|^what'?s up\b|"
    r"^how was your (?:weekend|week|holiday|trip|vacation|day)\b|"
    r"\bv pripade (?:dotaz|otazek|jakychkoli|potreby|nejasnost|problem)|\bkdyby(?:ste|s)? (?:neco|cokoli|cokoliv|"
    r"mel[ai]? (?:nejak|dotaz))|"
    r"\bnevahej(?:te)?\b|\bjsem (?:vam |ti )?k dispozici\b|\bbudete-li (?:mit|potrebovat)|\bjak se (?:mas|mate|vede|dari)|"
    r"\bdoufam,? ze (?:se|jste|jsi)|"
    r"\b(?:bei|fur) (?:weitere[nr]? |etwaige[nr]? )?(?:fragen|ruckfragen)\b|\bsollten sie (?:noch |weitere )?(?:fragen|"
    r"hilfe)|\b(?:zogern|zogere?) (?:sie )?(?:bitte )?nicht\b|"
    r"\b(?:meld\w*|ruf\w*|schreib\w*) (?:sie |dich )?(?:sich |uns |mich |mir )?(?:einfach |bitte )?(?:gern\w*|ruhig|jederzeit)\b|"
    r"\bwenn (?:du|sie|ihr) (?:noch |weitere )?(?:fragen|hilfe|etwas)\b.{0,60}\b(?:meld\w*|ruf\w*|schreib\w*|sag\w*|"
    r"bescheid)|\bwie geht(?:'s| es)\b|\b(?:ich )?hoffe,? (?:es|dir|ihnen|euch|du|sie)\b|"
    r"\b(?:no dude en|no duden en|cualquier (?:duda|pregunta|consulta)|como esta(?:s|n)?\b|espero que)|"
    r"\b(?:n'hesite[sz]? pas|restons? a (?:votre|ta) disposition|reste a (?:votre|ta) disposition|comment (?:allez-vous|"
    r"vas-tu|ca va)|ca va\b|j'espere que)",
)


class OwnWords(Record):
    """The names after the greeting, as written, and the sentences of a mail."""

    greeted: str
    sentences: tuple[str, ...]


def beginning_and_end(text: str) -> str:
    """A long text without its middle, cut where a paragraph or sentence ends."""
    if len(text) <= BEGINNING + END:
        return text
    begin, end = text[:BEGINNING], text[-END:]
    last = next(reversed([found.start() for found in _PAUSE.finditer(begin, BEGINNING // 2)]), BEGINNING)
    first = _PAUSE.search(end, 0, END // 2)
    return f"{begin[:last]}\n\n{end[first.end() if first else 0 :]}"


@remembered(256)
def own_words(text: str) -> OwnWords:
    """Reads the author's own sentences from a plain text. What is only forwarded has none."""
    lines = _above_sign_off([line.strip() for line in beginning_and_end(split_text(text).own).splitlines()])
    greeted = ""
    found: dict[str, None] = {}
    for block in _blocks(lines):
        if _CONFIDENTIAL.within(fold(block)):
            continue
        for sentence in _split(block):
            names, rest = _without_greeting(sentence)
            greeted = greeted or names
            if rest and any(map(str.isalnum, rest)) and len(rest) <= LONGEST_SENTENCE and not is_courtesy(rest):
                found.setdefault(rest)
    return OwnWords(greeted, tuple(found))


def is_courtesy(sentence: str) -> bool:
    """Whether a sentence only offers help, asks how somebody is, or is a footer's."""
    folded = fold(sentence).replace("’", "'")
    return _COURTESY.within(folded)


def _above_sign_off(lines: list[str]) -> list[str]:
    """The lines before the closing formula, without quoted ones and rows of tables."""
    filled = [number for number, line in enumerate(lines) if line]
    for place, number in enumerate(filled):
        if place and len(filled) - place - 1 <= SIGN_OFF_LINES and _CLOSING.match(fold(lines[number])):
            lines = lines[:number]
            break
    return ["" if line.startswith((">", "|")) or line.count("\t") > 1 or _RULE.match(line) else line for line in lines]


def _blocks(lines: list[str]) -> list[str]:
    """Joins wrapped lines; a blank line, a bullet or a short line ends a block."""
    blocks: list[str] = []
    before = ""
    for line in lines:
        if before and line and not _BULLET.match(line) and _continues(before, line):
            blocks[-1] = f"{blocks[-1]} {line}"
        elif line:
            blocks.append(_BULLET.sub("", line))
        before = line
    return blocks


def _continues(before: str, line: str) -> bool:
    """Whether a line goes on with the sentence of the line before it."""
    if len(before) >= WRAPPED or before[-1] in ",-–" or _UNFINISHED.search(before[-LONGEST_UNFINISHED:]):
        return True
    return len(before) >= NARROW and before[-1] not in ".?!:;" and line[0].islower()


def _split(block: str) -> list[str]:
    found: list[str] = []
    for piece in split_after(_BOUNDARY, block):
        part = " ".join(piece.split())
        if part and found and _goes_on(found[-1], part):
            found[-1] = f"{found[-1]} {part}"
        elif part:
            found.append(part)
    return found


def _goes_on(before: str, part: str) -> bool:
    """Whether the full stop between two pieces is that of an abbreviation."""
    end = fold(before[-10:])
    if _ABBREVIATION.search(end):
        return not (bool(_NUMBER_END.search(before)) and part[0].isupper() and not _MONTH.match(fold(part)))
    return part[0].islower() and _SHORTENED.search(end) is not None


def _without_greeting(sentence: str) -> tuple[str, str]:
    """The greeted names and the rest of a sentence."""
    folded = fold(sentence)
    hit = GREETING.match(folded) if len(folded) == len(sentence) else GREETING.match(sentence.lower())
    if hit is None:
        return "", sentence
    called = sentence[hit.start("names") : hit.end("names")].split()
    if len(called) > (GREETED_WORDS if called and called[0][0].isupper() else GREETED_WITHOUT_NAME):
        return "", sentence
    names = sentence[hit.start("names") : hit.end("names")].strip()
    return names or " ", sentence[hit.end() :].strip()

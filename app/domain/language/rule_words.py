"""Reads a routing rule from one English, Czech or German sentence, such as "archive newsletters from shop.com". Pure functions.

Whom and what a sentence names become conditions that must all hold; its verbs become actions.
"""

import re
from enum import StrEnum

from app.domain.agents.routing import BULK, RoutingRule, RuleAction, RuleMatch, route_for, sender_contains
from app.domain.agents.runs import Route
from app.domain.language.words import fold

LONGEST_NAME = 60
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_DOMAIN = re.compile(r"(?<![\w@.-])@?((?:[\w-]+\.)+[a-z]{2,})(?![\w-])", re.IGNORECASE)
_QUOTED = re.compile("[\"“”„'‘’]([^\"“”„'‘’]{1,100})[\"“”„'‘’]")
_ACTIONS = {
    RuleAction.ARCHIVE: re.compile(r"\b(?:archiv\w*|skip (?:the )?inbox|keep out of (?:the )?inbox)\b"),
    RuleAction.MARK_READ: re.compile(r"\bmark\w*\b.{0,30}\bread\b|\bas read\b|\bprecten\w*|\b(?:als |auf )?gelesen\b"),
    RuleAction.STAR: re.compile(r"\bstar(?:red)?\b|\bhvezdick\w*|\bohvezdick\w*|\bstern\b"),
    RuleAction.SPAM: re.compile(r"\b(?:to|as|do|als|in den) spamu?\b|\bblock\w*|\bblokuj\w*|\bblockier\w*"),
}
_NO_DRAFT = re.compile(
    r"\b(?:never|do not|don't|no) (?:draft|repl|answer)\w*|\b(?:nenavrhuj|neodpovidej|bez navrhu)\w*"
    r"|\b(?:nie|nicht|kein\w*) (?:\w+ )?(?:antwort|entwu|entwerf|beantwort)\w*"
)
_BULK = re.compile(r"\bnewsletters?\b|\bmailing lists?\b|\bnewslett?er\w*|\bzpravodaj\w*|\brundbrief\w*|\bhromadn\w*")
_EVERY = re.compile(
    r"\b(?:all|every|any) (?:e-?mails?|messages?|mail)\b"
    r"|\b(?:every|any)thing\b|\bvsechno\b|\balles\b|\b(?:vsechn\w*|kazd\w*) (?:post\w*|zprav\w*)|\balle (?:e-?)?mails?\b"
)
_STOP = (
    r"(?=\s*(?:,|;|\.?$|\b(?:and|as|to|with|about|whose|into|a|do|jako|s|und|als|mit|in den)\b"
    r"|\b(?:archiv|label|mark|star|prid|oznac|presun|etikett)\w*))"
)
_FROM = re.compile(rf"\b(?:from|by|od|von|vom)\s+(.{{1,60}}?){_STOP}", re.IGNORECASE)
_SUBJECT = re.compile(
    rf"\b(?:about|subject(?: (?:contains|has|includes|says|is|with))?"
    rf"|o predmetu|predmet\w*|betreff|über|uber|ohledne)\s+(.{{1,60}}?){_STOP}",
    re.IGNORECASE,
)
_LABELLED = r"\b(?:label|stitek|stitk|etikett)\w*\s+"
_LABEL = re.compile(
    rf"{_LABELLED}(?:(?:it|them)\s+)?(?!e?-?mail|message|mail|it\b|them\b|as\b|and\b|every|any|vse|zprav|post)(.{{1,60}}?){_STOP}"
)
_LABEL_AS = re.compile(rf"{_LABELLED}.{{0,80}}?\b(?:as|jako|als)\s+(?!read\b|spam\b|precten|gelesen)(.{{1,60}}?){_STOP}")

_IMPOSSIBLE = re.compile(
    r"\b(?:delete|trash|bin|remove|notify|alert|remind|forward(?= )|reply|smaz\w*|upozorn\w*|prepos\w*|losch\w*|weiterleit\w*)\b"
)
_TIME = r"(?:\S+ )?(?:minute|hour|day|week|month|year|minut|hodin|den|dn|tyden|tydn|mesic|rok|let|stund|tag|woche|monat|jahr)\w*"
_AGE = re.compile(
    rf"\b(?:older|newer|younger) than {_TIME}|\b(?:after|within) (?:\d+|a|an|one|two|three) {_TIME}"
    rf"|\b(?:starsi|novejsi)\w* nez {_TIME}|\b(?:po|za) \d+ {_TIME}"
    rf"|\b(?:alter|junger) als {_TIME}|\bnach (?:\d+|ein\w*) {_TIME}"
)


class SentenceGap(StrEnum):
    """Why a sentence is no rule: rules cannot do a thing, or know no age, or no message, no deed, or neither is named."""

    IMPOSSIBLE = "impossible"
    AGE = "age"
    MESSAGES = "messages"
    DEED = "deed"
    BOTH = "both"


def gap_of(sentence: str) -> tuple[SentenceGap, str] | None:
    """What keeps a sentence from being a rule, with the words that rules cannot do; None for a rule."""
    text = " ".join(sentence.split())
    folded = _same_length(text)
    named = [found.span(1) for words in (_FROM, _SUBJECT, _LABEL, _LABEL_AS) if (found := words.search(folded))]
    for found in _IMPOSSIBLE.finditer(folded):
        if not any(start <= found.start() < end for start, end in named) and not _NO_DRAFT.search(folded):
            return SentenceGap.IMPOSSIBLE, text[found.start() : found.end()]
    if age := _AGE.search(_QUOTED.sub(lambda quoted: " " * len(quoted[0]), folded)):
        return SentenceGap.AGE, text[age.start() : age.end()]
    match, deed = _match(text, folded), _deeds(text, folded)
    if any(deed) and not match.empty:
        return None
    return SentenceGap.MESSAGES if any(deed) else SentenceGap.BOTH if match.empty else SentenceGap.DEED, ""


def rule_of(sentence: str) -> RoutingRule | None:
    """The rule that a sentence describes, named by it; None where `gap_of` says what is missing."""
    text = " ".join(sentence.split())
    folded = _same_length(text)
    if gap_of(sentence) is not None:
        return None
    match, (actions, label, quiet) = _match(text, folded), _deeds(text, folded)
    route = Route.SORT if quiet else route_for(actions)
    return RoutingRule(text[:LONGEST_NAME].rstrip(" .,;"), match, route, label=label, actions=actions)


def _deeds(text: str, folded: str) -> tuple[tuple[RuleAction, ...], str, bool]:
    """The actions, the label, and whether nothing is drafted."""
    actions = tuple(action for action, words in _ACTIONS.items() if words.search(folded))
    label = _named(_LABEL_AS, text, folded) or _named(_LABEL, text, folded)
    return actions, label, bool(_NO_DRAFT.search(folded))


def _match(text: str, folded: str) -> RuleMatch:
    email = _EMAIL.search(text)
    domain = None if email else _DOMAIN.search(text)
    headers = [BULK] if _BULK.search(folded) else []
    who = "" if email or domain else _named(_FROM, text, folded)
    if who:
        headers.append(sender_contains(who))
    subject = _named(_SUBJECT, text, folded)
    found = RuleMatch(
        sender_email=email[0].lower() if email else "",
        sender_domain=domain[1].lower() if domain else "",
        subject_contains=subject,
        header_match=tuple(headers),
    )
    return RuleMatch(all=True) if found.empty and _EVERY.search(folded) else found


def _named(words: re.Pattern[str], text: str, folded: str) -> str:
    """What stands behind the words, as typed; what is in quotation marks there is taken whole."""
    found = words.search(folded)
    if found is None:
        return ""
    quoted = _QUOTED.match(text, found.start(1))
    return quoted[1].strip() if quoted else text[found.start(1) : found.end(1)].strip(" .,;\"'“”„")


def _same_length(text: str) -> str:
    """The text without accents and capitals, letter by letter, so that places in it are places in the text."""
    return "".join((fold(letter) or " ")[:1] for letter in text)

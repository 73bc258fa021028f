"""Commands about mail that need no language model, such as "unread from Ann" or "archive newsletters older than 30 days".

A line is a command only if every word of it is understood; anything else is a request in the owner's own words. English and
Czech, with or without accents. Pure.
"""

import re
import unicodedata
from collections.abc import Callable
from enum import StrEnum

from app.domain.agents.routing import BULK, RoutingRule, RuleAction, RuleMatch, route_for
from app.domain.record import Record, replace


class MailAction(StrEnum):
    """What to do with the conversations found."""

    SHOW = "show"
    ARCHIVE = "archive"
    READ = "read"
    STAR = "star"
    TRASH = "trash"


class MailCommand(Record):
    """An action and the search (Gmail's operators) that finds its conversations. `conditions` are the parts that were typed."""

    action: MailAction
    query: str
    conditions: tuple[str, ...] = ()
    words: str = ""
    """The conditions as they were typed."""


NEWSLETTERS = "(category:promotions OR list:newsletter OR list:news OR subject:newsletter)"
_ACTION_PATTERNS = (
    (MailAction.ARCHIVE, r"archive|archivuj(?:te)?|archivovat"),
    (MailAction.TRASH, r"(?:move to (?:the )?trash|trash|delete|bin|smaz(?:te|at)?|vyhod(?:te|it)?)"),
    (MailAction.STAR, r"star|oznac(?:te|it)? hvezdickou"),
    (MailAction.READ, r"mark as read|oznac(?:te|it)? (?:jako|za) prectene"),
    (MailAction.READ, r"mark(?= .* as read$)"),
    (MailAction.SHOW, r"show(?: me)?|find|list|open|ukaz(?:te|at)?|najdi|najdete|zobraz(?:te|it)?"),
)
_UNITS = {
    "d": r"days?|dni|dnu|den|dny",
    "w": r"weeks?|tydnu|tydny|tyden",
    "m": r"months?|mesicu|mesice|mesic",
    "y": r"years?|let|roky|rok",
}
_COUNT = r"(?P<count>\d{1,4})"
_UNIT = "(?P<unit>" + "|".join(_UNITS.values()) + ")"
_DATE = r"(?P<date>\d{4}-\d{2}-\d{2})"
_NEXT = "from|to|about|with|older|newer|before|after|since|as read|od|starsi|novejsi"
_ENDS = rf"(?= (?:{_NEXT}|in|pro|o|pred|po|s|that|which)\b|$)"
_NAME = rf"(?P<name>\S+(?: (?!{_NEXT}|(?:and|then|or|who|what|when|a|pak|nebo) )\S+)*?){_ENDS}"
_CONDITIONS: tuple[tuple[str, str], ...] = (
    (r"unread|neprecten[eay]|neprectenou", "is:unread"),
    (r"starred|s hvezdickou|hvezdickou", "is:starred"),
    (r"newsletters?|promotions|newslettery|newsletteru|letaky", NEWSLETTERS),
    (r"with (?:an )?attachments?|s prilohou|s prilohami", "has:attachment"),
    (r"in (?:the |my )?inbox|v dorucene poste|z dorucene posty", "in:inbox"),
    (rf"(?:older than|starsi nez) {_COUNT} {_UNIT}", "older_than:{}"),
    (rf"(?:newer than|(?:of|from|in) the last|novejsi nez|za poslednich?) {_COUNT} {_UNIT}", "newer_than:{}"),
    (rf"(?:before|pred) {_DATE}", "before:{}"),
    (rf"(?:after|since|po|od) {_DATE}", "after:{}"),
    (rf"(?:about|with subject|with the subject|s predmetem) {_NAME}", "subject:{}"),
    (rf"(?:from|od) {_NAME}", "from:{}"),
    (rf"to {_NAME}", "to:{}"),
)
_FILLERS = (
    r"everything|anything|vsechno|vse|cokoliv?|"
    r"all|my|the|any|every|of|me|mails?|e-?mails?|messages?|conversations?|that are|which are|that is|please|and|"
    r"vsechny|vsechna|vsechnu|moje|maily|mailu|e-?maily|zpravy|zpravu|postu|posta|konverzace|ktere jsou|prosim|a|as read$"
)


def mail_command(text: str) -> MailCommand | None:
    """The command in a line, None if it is anything else."""
    line = " ".join(text.strip().rstrip(".!").split())
    # Lower case without accents, one character for one.
    folded = "".join(unicodedata.normalize("NFD", one)[0].lower() for one in line)
    if len(folded) != len(line):
        return None
    at, action = 0, MailAction.SHOW  # without a verb it shows
    for verb, pattern in _ACTION_PATTERNS:
        if found := re.match(rf"(?:{pattern})(?= |$)", folded):
            at, action = found.end() + 1, verb
            break
    typed = line[at:]
    conditions: list[str] = []
    while at < len(folded):
        at, condition = _next(folded, line, at)
        if at < 0:
            return None
        if condition:
            conditions.append(condition)
    if not conditions:
        return None
    if action is MailAction.ARCHIVE and "in:inbox" not in conditions:
        conditions.append("in:inbox")
    return MailCommand(action, " ".join(conditions), tuple(conditions), typed)


_ACTIONS = {
    MailAction.SHOW: (),
    MailAction.ARCHIVE: (RuleAction.ARCHIVE,),
    MailAction.READ: (RuleAction.MARK_READ,),
    MailAction.STAR: (RuleAction.STAR,),
}
_OF_NEW_MAIL = ("in:inbox", "is:unread")
"""Conditions that all new mail meets."""
_AGES = ("older_than:", "newer_than:")
"""A rule acts on mail as it comes, so it has no age."""


def rule_of(command: MailCommand, email_of: Callable[[str], str]) -> RoutingRule | None:
    """The rule without a name that does for new mail what the command does, None where no rule can.

    `email_of` gives the address of a person by name, empty where it is not one.
    """
    actions = _ACTIONS.get(command.action)
    match = RuleMatch()
    for condition in command.conditions:
        added = _in_rule(match, condition, email_of)
        if added is None:
            return None
        match = added
    if actions is None or match.empty:
        return None
    return RoutingRule("", match, route_for(actions), actions=actions)


def _in_rule(match: RuleMatch, condition: str, email_of: Callable[[str], str]) -> RuleMatch | None:
    """The rule's conditions with one more, None where a rule has no such condition."""
    name, _, value = condition.partition(":")
    value = value.strip('"')
    if condition in _OF_NEW_MAIL or condition.startswith(_AGES):
        return match
    if condition == NEWSLETTERS:
        return replace(match, header_match=(BULK,))
    if name == "subject":
        return replace(match, subject_contains=value)
    if name != "from":
        return None
    if "@" not in value and "." in value and " " not in value:
        return replace(match, sender_domain=value.lower())
    email = value if "@" in value else email_of(value)
    return replace(match, sender_email=email.lower()) if email else None


def _next(folded: str, line: str, at: int) -> tuple[int, str]:
    """The next condition and where it ends; an empty one for a word that says nothing, -1 for one that is not understood."""
    for pattern, form in _CONDITIONS:
        found = re.compile(rf"(?:{pattern})(?= |$)").match(folded, at)
        if found:
            return found.end() + 1, form.format(_value(found, line)) if "{}" in form else form
    filler = re.compile(rf"(?:{_FILLERS})(?= |$)").match(folded, at)
    return (filler.end() + 1, "") if filler else (-1, "")


def _value(found: re.Match[str], line: str) -> str:
    """The value of a condition, in the owner's own spelling."""
    given = {name: value for name, value in found.groupdict().items() if value}
    if "count" in given:
        unit = next(key for key, words in _UNITS.items() if re.fullmatch(words, given["unit"]))
        count = int(given["count"]) * (7 if unit == "w" else 1)
        return f"{count}{'d' if unit == 'w' else unit}"
    if "date" in given:
        return given["date"].replace("-", "/")
    name = line[found.start("name") : found.end("name")].replace('"', "")
    return f'"{name}"' if " " in name else name

"""Reads the owner's sent mail: how they write, and what their signatures say of them. By code, without a model.

Only standing phrases are taken: greetings and closings from known formulas, and lines of a signature that went to several people
and name nobody else. Names of readers, their addresses and their numbers are never kept.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import tzinfo
from statistics import median

from app.agent.language.reply_parts import (
    closing_only,
    form_of_address,
    greeting_pattern,
    line_key,
    signature_lines,
    split_letter,
)
from app.domain.agents.owner_profile import OwnerFacts, Voice, WritingStyle
from app.domain.language.words import WORD, Language, fold, language
from app.domain.mail.message import Account, Message
from app.domain.mail.quotes import split_text
from app.domain.mail.recipients import own_addresses
from app.domain.record import Record

FEWEST = 3
"""Messages from which a style, and a line of a signature, is believed."""

MOST_STYLES = 5
LEAST_SHARE = 0.05
USUAL = 0.3
"""Share of a style's messages that must begin or end the same way."""

TAIL = 8
"""Last lines of a message among which a signature is looked for."""
LONGEST_LINE = 80
SPOKEN = (Language.EN, Language.CS, Language.DE)


class _Sent(Record):
    mail: Message
    spoken: Language
    formal: bool
    greeting: str
    closing: str
    name: str
    body: str


def read_sent_mail(mails: Sequence[Message], account: Account, zone: tzinfo) -> tuple[Voice, OwnerFacts]:
    """What sent mail shows of its writer. Both parts are empty while there is too little mail."""
    texts = [(one, split_text(one.body_text)) for one in mails if one.body_text.strip()]
    standing = _standing_lines([(one, f"{split.own}\n{split.signature}") for one, split in texts], account)
    read = [_read(one, split.own, account, standing) for one, split in texts if split.own.strip()]
    read = [one for one in read if one.spoken in SPOKEN]
    if len(read) < FEWEST:
        return Voice(0), OwnerFacts(0)
    return _voice(read), _facts(read, account, standing, zone)


def _read(mail: Message, own: str, account: Account, standing: Mapping[str, str]) -> _Sent:
    lines = own.strip().splitlines()
    while lines and (not lines[-1].strip() or line_key(lines[-1]) in standing):
        lines.pop()
    text = "\n".join(lines)
    letter, spoken = split_letter(text), language(text)
    first, _, name = letter.sign_off.partition("\n")
    named = name.partition("\n")[0].strip()
    closing = first if closing_only(first) else ""
    beside = next((one for one in (account.name, *account.name.split()) if one and closing.endswith((f" {one}", f",{one}"))), "")
    if beside:  # "Regards, Eva" on one line
        closing, named = f"{closing.removesuffix(beside).rstrip(' ,')},", named or beside
    named = named if _same_person(named, account) else ""
    greeting = greeting_pattern(letter.greeting)
    return _Sent(mail, spoken, _formal(text, greeting, spoken), greeting, closing, named, letter.body)


_FAMILIAR_GREETING = re.compile(r"^(?:hi|hey|hiya|hello|morning|ahoj|cau|nazdar|mil[aiy]|liebe[rs]?|hallo|moin|servus)\b")
_POLITE_GREETING = re.compile(r"^(?:dear|good|dobr[yeo]|vazen|sehr geehrte|guten)")
_DU = re.compile(r"\b(?:du|dir|dich|dein\w{0,2}|kannst|hast|bist|ihr habt|euch)\b")
_SIE = re.compile(r"\b(?:Ihnen|Ihr(?:e[nmrs]?)?)\b|[a-zäöü,] Sie\b")


def _formal(text: str, greeting: str, spoken: Language) -> bool:
    """Whether a message is in the polite form. By its pronouns first, then by its greeting."""
    if spoken is Language.CS and (form := form_of_address(text)):
        return form == "vy"
    if spoken is Language.DE and bool(_SIE.search(text)) != bool(_DU.search(fold(text))):
        return bool(_SIE.search(text))
    folded = fold(greeting)
    if _FAMILIAR_GREETING.match(folded):
        return False
    return bool(_POLITE_GREETING.match(folded)) or (spoken is not Language.EN and bool(greeting))


def _voice(read: Sequence[_Sent]) -> Voice:
    groups: dict[tuple[Language, bool], list[_Sent]] = defaultdict(list)
    for one in read:
        groups[one.spoken, one.formal].append(one)
    often = sorted(groups.items(), key=lambda item: -len(item[1]))
    least = max(FEWEST, LEAST_SHARE * len(read))
    styles = tuple(_style(*kind, group) for kind, group in often if len(group) >= least)[:MOST_STYLES]
    return Voice(len(read), styles, _plural(read), _gender([one for one in read if one.spoken is Language.CS]))


def _style(spoken: Language, formal: bool, group: Sequence[_Sent]) -> WritingStyle:
    closing = _usual([one.closing for one in group])
    name = _usual([one.name for one in group if one.closing == closing]) if closing else ""
    length = median(len(WORD.findall(one.body)) for one in group)
    words = max(5, round(length / 10) * 10 if length > 15 else round(length / 5) * 5)
    return WritingStyle(
        spoken.value, formal, _usual([one.greeting for one in group]), "\n".join(filter(None, (closing, name))), words
    )


def _usual(forms: Sequence[str]) -> str:
    """The most frequent form, empty where most differ."""
    counts = Counter(forms)
    if not counts:
        return ""
    form, count = counts.most_common(1)[0]
    if not form and count <= (1 - USUAL) * len(forms):
        form, count = next(((one, n) for one, n in counts.most_common(2) if one), ("", 0))
    return form if count >= USUAL * len(forms) else ""


_I = re.compile(
    r"\b(?:i|i'm|i'll|i've|i'd|my|me|ich|mir|mich|mein\w{0,2}|jsem|bych|budu|muj|moje|mam|mohu|muzu|posilam|dekuji|prosim|zasilam)\b"
)
_WE = re.compile(
    r"\b(?:we|we're|we'll|we've|we'd|our|us|wir|uns|unser\w{0,2}|jsme|bychom|budeme|nase|nas|mame|muzeme|posilame|dekujeme|prosime|"
    r"zasilame)\b"
)
_SHE = re.compile(r"\b\w{2,}la (?:jsem|bych)\b|\b(?:jsem|bych)(?: \w+){0,2} \w{2,}la\b|\brada bych\b|\bbych rada\b")
_HE = re.compile(r"\b\w+[aeiyu]l (?:jsem|bych)\b|\b(?:jsem|bych)(?: \w+){0,2} \w+[aeiyu]l\b|\brad bych\b|\bbych rad\b")


def _plural(read: Sequence[_Sent]) -> bool:
    """Whether the owner speaks as "we" in most messages."""
    texts = [fold(one.body).replace("’", "'") for one in read]
    counts = [(len(_I.findall(text)), len(_WE.findall(text))) for text in texts]
    several, single = sum(we > i for i, we in counts), sum(i > we for i, we in counts)
    return several >= FEWEST and several > 2 * single


def _gender(read: Sequence[_Sent]) -> str:
    """`f` or `m` where Czech verbs of the first person agree."""
    texts = [fold(one.body) for one in read]
    she, he = sum(bool(_SHE.search(text)) for text in texts), sum(bool(_HE.search(text)) for text in texts)
    if max(she, he) < FEWEST or min(she, he) * 3 > max(she, he):
        return ""
    return "f" if she > he else "m"


_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")


def _standing_lines(texts: Iterable[tuple[Message, str]], account: Account) -> dict[str, str]:
    """Lines of the signature by their key: those of Gmail's, and those below messages to several people.

    Lines with somebody else's address are left out, and so are formulas of closing and the name.
    """
    times: Counter[str] = Counter()
    readers: dict[str, set[str]] = defaultdict(set)
    written: dict[str, str] = {}
    for mail, text in texts:
        last = [line.strip() for line in text.strip().splitlines() if line.strip()][-TAIL:]
        for line in last:
            if (key := line_key(line)) and len(line) <= LONGEST_LINE:
                written.setdefault(key, line)
                readers[key] |= {one.email.lower() for one in mail.to}
        times.update({line_key(line) for line in last})
    found = {key: line for key, line in written.items() if times[key] >= FEWEST and len(readers[key]) > 1}
    found |= signature_lines(account.signature)
    own, names = own_addresses(account), {fold(one) for one in account.name.split()}
    return {key: line for key, line in found.items() if not _is_other(line, own) and not set(fold(line).split()) <= names}


def _is_other(line: str, own: frozenset[str]) -> bool:
    """Whether a line is a formula or names somebody else's address."""
    letter = split_letter(f"Text.\n\n{line}")
    return bool(letter.sign_off) or any(one.lower() not in own for one in _MAIL.findall(line))


_PHONE = re.compile(r"(?:\+|00)?\d(?:[\s()/.-]?\d){7,14}")
_SITE = re.compile(r"(?:https?://)?(?:www\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?:/\S*)?", re.IGNORECASE)
_POSTCODE = re.compile(r"\b\d{3} ?\d{2}\b|\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b|\b[A-Z]{2} \d{5}\b")
_STREET = re.compile(
    r"\b\d+\w? \w+ (?:street|st|road|rd|avenue|ave|lane|square)\b|\b\w*(?:strasse|str\.|platz|weg|allee) ?\d+|"
    r"\b(?:ulice|ul\.|namesti|nam\.|trida) .*\d"
)
_ROLE = re.compile(
    r"\b(?:manager|director|engineer|developer|designer|consultant|assistant|officer|founder|head of|lead|partner|owner|"
    r"president|accountant|lawyer|attorney|teacher|professor|analyst|architect|editor|sales|ceo|cto|cfo|coo|"
    r"jednatel\w*|reditel\w*|vedouci|manazer\w*|obchodni\w*|ucetni|asistent\w*|advokat\w*|inzenyr\w*|majitel\w*|konzultant\w*|"
    r"technik|ucitel\w*|lekar\w*|geschaftsfuhrer\w*|leiter\w*|assistentin|berater\w*|inhaber\w*)\b"
)


def _facts(read: Sequence[_Sent], account: Account, standing: Mapping[str, str], zone: tzinfo) -> OwnerFacts:
    lines = list(standing.values())
    hours = sorted(one.mail.date.astimezone(zone).hour for one in read)
    weekend = sum(one.mail.date.astimezone(zone).weekday() > 4 for one in read)
    edge = len(hours) // 10
    return OwnerFacts(
        len(read),
        _names(read, account),
        next((one for one in lines if _ROLE.search(fold(one)) and not _SITE.search(one.strip(" .,")) and len(one) < 60), ""),
        next((hit[0].strip() for one in lines if (hit := _PHONE.search(one)) and not _POSTCODE.fullmatch(hit[0])), ""),
        next((one for one in lines if _address_like(one)), ""),
        next((hit[0] for one in lines if "@" not in one and " " not in _unlabelled(one) and (hit := _SITE.search(one))), ""),
        _languages(read),
        (hours[edge], min(24, hours[-1 - edge] + 1)),
        weekend >= len(read) / 10,
    )


def _unlabelled(line: str) -> str:
    """A line without a label such as "Web:"."""
    return line.rpartition(": ")[2].strip()


def _address_like(line: str) -> bool:
    return bool(_POSTCODE.search(line) or _STREET.search(fold(line))) and not _PHONE.search(line) and "@" not in line


def _names(read: Sequence[_Sent], account: Account) -> tuple[str, ...]:
    signed = Counter(one.name for one in read if one.name)
    forms = [name for name, count in signed.most_common(4) if count >= FEWEST]
    return tuple(dict.fromkeys(filter(None, (account.name, *forms))))


def _same_person(name: str, account: Account) -> bool:
    """Whether a signed name is the owner's: a word of the account's name or address, or an initial."""
    words = {fold(one) for one in (*account.name.split(), *re.split(r"[._+-]", account.email.partition("@")[0])) if one}
    signed = fold(name).replace(".", " ").split()
    known = words | {word[:1] for word in words}
    return bool(signed) and len(signed) <= 4 and any(one in known for one in signed)


def _languages(read: Sequence[_Sent]) -> tuple[tuple[str, int], ...]:
    counts = Counter(one.spoken.value for one in read)
    shares = [(code, round(100 * count / len(read))) for code, count in counts.most_common()]
    return tuple((code, share) for code, share in shares if share >= 100 * LEAST_SHARE)

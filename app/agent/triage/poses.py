"""Whom a sender poses as: a firm by a word in its domain, a brand, the owner's firm, a person by a private address."""

import re
from collections.abc import Sequence

from app.agent.triage import threat_words as told
from app.domain.language.words import fold, words
from app.domain.mail.deception import (
    BRANDS,
    SERVICE_WORDS,
    SHORTEST_LABEL,
    brands_in,
    brands_of,
    free_mail,
    label,
    of_brand,
    of_state,
    one_edit,
    site,
    spelled_out,
)
from app.domain.mail.message import Account, Message

_LEGAL_FORMS = frozenset({"ltd", "limited", "inc", "llc", "gmbh", "sro", "group", "team", "the", "und", "and"})

_ENDINGS = frozenset({"com", "net", "cz", "de", "uk", "fr", "es", "ie", "eu", "sk", "at", "ch", "gov"})

SIGNED = 3
SHORT_LINE = 6
"""Lines at the end of a mail that may sign it, and the words that such a line has at most."""

MOST_PARTS = 2
SHORTEST_PART = 3
"""Parts between hyphens that the name of an honest domain has at most, and the letters of a part that counts."""


def _parts(domain: str) -> frozenset[str]:
    return frozenset(label(domain).split("-"))


def as_service(message: Message) -> bool:
    """Whether the domain is that of a service: it has its words, or many parts."""
    parts, ending = _parts(message.sender.domain), message.sender.domain.rpartition(".")[2]
    if free_mail(message.sender.domain):
        return False
    if sum(len(one) >= SHORTEST_PART for one in parts) > MOST_PARTS or ending in SERVICE_WORDS:
        return True
    if len(parts) > 1 and parts & _ENDINGS:  # an ending inside a name: `posta-cz.info`
        return True
    return len(parts) > 1 and any(one in SERVICE_WORDS or one.removesuffix("s") in SERVICE_WORDS for one in parts)


def adds_a_word(message: Message) -> bool:
    """Whether the domain is the whole name of the sender and a word more: `medident-renewal` for Medident."""
    parts = _parts(message.sender.domain)
    if len(parts) < 2 or free_mail(message.sender.domain):
        return False
    name = words(message.sender.name)
    said = [one for one in name if len(one) >= SHORTEST_PART and one not in SERVICE_WORDS | _LEGAL_FORMS]
    local = frozenset(words(message.sender.email.partition("@")[0].replace(".", " ").replace("_", " ")))
    person = local.intersection(said) and not told.ROLE.search(message.sender.email.partition("@")[0])
    named = frozenset(one for one in parts if one in said or (len(one) >= SHORTEST_LABEL and one in "".join(name)))
    whole = bool(named) and all(any(one in part for part in named) for one in said)
    added = {one for one in parts if len(one) >= SHORTEST_PART} - named
    return whole and bool(added) and not person


def names_brand(message: Message, text: str, hosts: Sequence[str]) -> bool:
    """Whether the mail speaks for a brand that neither its sender nor any link belongs to."""
    if message.header("List-Id") or message.in_reply_to:
        return False
    signed = brands_in("\n".join(_last_lines(text))) if not message.sender.name or speaks_as_service(message) else ()
    named = {*brands_in(message.subject), *signed, *(one for one in brands_in(text) if _speaks_for(one, fold(text)))}
    places = [message.sender.domain, *hosts]
    return any(not any(of_brand(place, one) for place in places) for one in named)


def _last_lines(text: str) -> list[str]:
    """The short lines at the end of a mail, in which it is signed."""
    lines = [line.strip() for line in text.splitlines() if line.strip()][1:]
    return [line for line in lines[-SIGNED:] if len(line.split()) <= SHORT_LINE and "|" not in line and "http" not in line]


def _speaks_for(brand: str, folded: str) -> bool:
    said = re.escape(brand)
    return bool(
        re.search(
            rf"\b(?:your|vas\w*|ihr\w*|dein\w*|su|tu|votre|ton|team|the|tym|equipo|equipe|l'equipe) {said}\b|"
            rf"\b{said} (?:team|support|account|security|customer|service|konto|ucet|kunden\w*)\b",
            folded,
        )
    )


def speaks_as_service(message: Message) -> bool:
    """Whether the name or address is that of an office and no person's."""
    local = message.sender.email.partition("@")[0]
    parts = {*words(message.sender.name), *re.split(r"[^a-z]+", local)}
    return bool(told.ROLE.search(local)) or bool(parts & SERVICE_WORDS)


def titled(message: Message, text: str) -> bool:
    """Whether somebody with a private address signs as the head of a firm or school."""
    if not free_mail(message.sender.domain):
        return False
    return told.TITLES.within(fold(" ".join((message.sender.name, *_last_lines(text)))))


def named_as(message: Message, account: Account) -> bool:
    """Whether a stranger has the owner's own name or that of another recipient."""
    said = fold(message.sender.name).split()
    place = site(message.sender.domain)
    names = [account.name, *(one.name for one in message.to + message.cc if site(one.domain) != place)]
    return len(said) > 1 and any(sorted(fold(name).split()) == sorted(said) for name in names)


def padded(message: Message) -> bool:
    """Whether the address is a person's name with a word added: `marian.cole.headteacher` for Marian Cole."""
    said = set(words(message.sender.name))
    local = [one for one in re.split(r"[^a-z]+", message.sender.email.partition("@")[0]) if len(one) > 2]
    added = [one for one in local if not any(one in name or name in one or one_edit(one, name) for name in said)]
    named = said & set(local) or {"".join(words(message.sender.name))} & set(local)
    return len(said) > 1 and bool(named) and bool(added)


def poses_as_own(message: Message, own: frozenset[str], text: str) -> bool:
    """Whether a stranger's name, address or signature speaks for the owner's own firm or school."""
    labels = [label(one.rpartition("@")[2]) for one in own if not free_mail(one.rpartition("@")[2])]
    begins, *added = label(message.sender.domain).split("-")
    if (
        begins in {one.partition("-")[0] for one in labels}
        and (SERVICE_WORDS | {"it"}).intersection(added)
        and len(begins) >= SHORTEST_LABEL
    ):
        return True
    said = fold(message.sender.name).replace(" ", "").replace("-", "")
    local = message.sender.email.partition("@")[0].replace("-", "").replace(".", "")
    private = free_mail(message.sender.domain)
    signed = " ".join(map(fold, _last_lines(text))) if private else ""
    plain = [one.replace("-", "") for one in labels if len(one) >= SHORTEST_LABEL]
    parts = re.split(r"[^a-z]+", message.sender.email.partition("@")[0]) if private else []
    begun = tuple(one for one in parts if len(one) >= SHORTEST_LABEL and one not in said)  # `ann.cole.harbour@gmail.com`
    passed_on = " via " in message.sender.name.lower()  # by a service that the firm uses
    return any(
        (one in said and not passed_on)
        or one in local.removeprefix(one)
        or one in words(signed)
        or any(map(one.startswith, begun))
        for one in plain
    )


def names_domain(text: str, own: frozenset[str]) -> bool:
    """Whether the owner's own domain is spoken of, beside addresses and links: a stranger may say that it runs out."""
    domains = {one.rpartition("@")[2] for one in own}
    said = text.lower()
    near = (one for one in domains if one in said and not free_mail(one))
    return any(re.search(rf"(?<![\w@./-]){re.escape(one)}(?![\w/])", said) for one in near)


def name_unfit(message: Message) -> bool:
    """Whether a service has a name that is nowhere in its domain."""
    domain = message.sender.domain
    if not told.ROLE.search(message.sender.email.partition("@")[0]) or of_state(domain) or brands_of(domain):
        return False
    name = f"{message.sender.name} {spelled_out(message.sender.name)}"
    said = [one for one in words(name) if len(one) > 2 and one not in SERVICE_WORDS]
    initials = "".join(one[0] for one in words(message.sender.name))
    return bool(said) and not any(one in domain.replace("-", "") for one in said) and label(domain) not in initials


def at_home(host: str, about: str) -> bool:
    """Whether a link leads to the brand or domain itself that a sender may only pretend to be: nothing is caught there."""
    if host in told.HOSTS_OF_ANYBODY or site(host) in told.HOSTS_OF_ANYBODY:
        return False
    brands = (about,) if about in BRANDS else brands_of(about)
    return site(host) == site(about) or any(of_brand(host, one) for one in brands)


def name_fits(message: Message) -> bool:
    """Whether all words of the domain's label are in the display name."""
    said = fold(f"{message.sender.name} {spelled_out(message.sender.name)}").replace(" ", "")
    return bool(said) and all(part in said for part in label(message.sender.domain).split("-") if len(part) > 2)

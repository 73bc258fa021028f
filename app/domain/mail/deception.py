"""What a received message may pretend: a known sender, a link, where an answer goes, a new bank account. Pure functions."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from html import unescape

from app.domain.mail.lookalikes import imitated, imitated_brand, shown_domain, site
from app.domain.mail.message import Address, Message
from app.domain.mail.recipients import SHARED_DOMAINS
from app.domain.mail.triage import ReasonClause, ReasonCode, decode_reason, phishing_reasons

MOST_HTML = 200_000
"""Characters of HTML that are searched for links."""
_LINK = re.compile(r"<a\b[^>]*?\bhref\s*=\s*[\"']https?://(?:[^/\"'@]*@)?([\w.\-]+)[^\"']*[\"'][^>]*>(.*?)</a>", re.I | re.S)
_TAG = re.compile(r"<[^>]+>")
_SHOWN = re.compile(r"\s*(?:https?://)?((?:[\w\-]+\.)+[a-z]{2,})(?:[/:?#]\S*)?\s*", re.I)
_ACCOUNT = (
    r"(?:bank (?:account|details)|account (?:number|details)|iban|bankovní\w* (?:účet|spojení)|čísl\w* účtu|bankverbindung)"
)
_NEW = r"(?:chang\w+|new|updated?|změn\w+|nov\w+|neue?n?|geändert)"
_NEW_ACCOUNT = re.compile(rf"\b{_ACCOUNT}\b.{{0,60}}\b{_NEW}\b|\b{_NEW}\b.{{0,60}}\b{_ACCOUNT}\b", re.I | re.S)


class SignKind(StrEnum):
    """What speaks for deception."""

    VERDICT = "verdict"
    POSES_AS = "poses_as"
    LOOK_ALIKE = "look_alike"
    FALSE_LINK = "false_link"
    ANSWERS_ELSEWHERE = "answers_elsewhere"
    NEW_ACCOUNT = "new_account"


@dataclass(frozen=True, slots=True)
class DeceptionSign:
    """`shown` is what the message shows, `real` what is behind it; either may be empty."""

    kind: SignKind
    shown: str = ""
    real: str = ""


def false_links(html: str) -> tuple[DeceptionSign, ...]:
    """Finds links whose text names one site and whose target is another."""
    found: dict[tuple[str, str], None] = {}
    for real, inside in _LINK.findall(html[:MOST_HTML]):
        shown = _SHOWN.fullmatch(unescape(_TAG.sub("", inside)))
        if shown is not None and site(shown[1]) != site(real):
            found[(shown[1].lower(), real.lower())] = None
    return tuple(DeceptionSign(SignKind.FALSE_LINK, shown, real) for shown, real in found)


def answers_elsewhere(message: Message) -> str:
    """Returns the Reply-To address of another site than the sender's, else an empty string."""
    own = site(message.sender.domain)
    return next((one.email for one in message.reply_to if one.domain and site(one.domain) != own), "")


def asks_new_account(message: Message) -> bool:
    """Whether it says that bank details changed."""
    return _NEW_ACCOUNT.search(f"{message.subject}\n{message.body_text[:20_000]}") is not None


def poses_as(sender: Address, known: Iterable[Address]) -> str:
    """Returns the address of the known person whose name the sender uses, else an empty string.

    `known` are people of that name, the one most written to first.
    """
    name = " ".join(sender.name.casefold().split())
    same = [one for one in known if " ".join(one.name.casefold().split()) == name] if name else []
    if not same or same[0].email == sender.email or site(same[0].domain) == site(sender.domain):
        return ""
    private = sender.domain in SHARED_DOMAINS and same[0].domain in SHARED_DOMAINS
    return "" if private else same[0].email


def looks_like(message: Message, known: Iterable[Address]) -> str:
    """Returns the domain that the sender's passes for: one its name shows, a brand's, a recipient's or a known person's."""
    around = {one.domain for one in (*message.to, *message.cc, *known)}
    return shown_domain(message.sender) or imitated_brand(message.sender.domain) or imitated(message.sender.domain, around)


def deception_signs(message: Message, verdict: str, known: Iterable[Address]) -> tuple[DeceptionSign, ...]:
    """Returns why a message is suspected, empty if it is not. `verdict` is the stored reason of triage.

    One sign alone is common in harmless mail, so most count only together; newsletters may count clicks through other sites.
    """
    if message.outgoing or verdict == ReasonCode.NOT_SUSPICIOUS:
        return ()
    verdicts = _verdict(verdict)
    known = tuple(known)
    twin, alike = poses_as(message.sender, known), looks_like(message, known)
    links = false_links(message.body_html)
    reply = answers_elsewhere(message)
    account = asks_new_account(message)
    is_list = bool(message.header("List-Unsubscribe") or message.header("List-Id"))
    suspected = (
        bool(verdicts)
        or bool(alike)
        or (bool(twin) and (account or bool(links) or bool(reply)))
        or (bool(links) and not is_list)
        or (account and bool(reply))
    )
    if not suspected:
        return ()
    found = list(verdicts)
    if twin:
        found.append(DeceptionSign(SignKind.POSES_AS, twin, message.sender.email))
    if alike:
        found.append(DeceptionSign(SignKind.LOOK_ALIKE, alike, message.sender.domain))
    found += links
    if reply:
        found.append(DeceptionSign(SignKind.ANSWERS_ELSEWHERE, message.sender.email, reply))
    if account:
        found.append(DeceptionSign(SignKind.NEW_ACCOUNT))
    return tuple(found)


def _verdict(stored: str) -> tuple[DeceptionSign, ...]:
    """The verdict of triage, with its stored reason as what is shown."""
    poses = any(part.said is ReasonClause.LOOKS_LIKE for part in decode_reason(stored))
    return (DeceptionSign(SignKind.VERDICT, stored),) if poses or phishing_reasons(stored) else ()

"""Spam and phishing: signs that code can see, and how likely they make each.

Gmail has filtered already: of what reaches an inbox one or two in a hundred are spam. So a verdict starts there and needs two
independent signs. That the sender is a stranger is never one; what is known about the sender speaks against.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from app.agent.triage.cues import Cue, count_cues
from app.agent.triage.lookalikes import FREE_MAIL, label, look_alike, name_twin, posed_brand
from app.domain.language.words import fold, sentences, words
from app.domain.mail.message import Account, Message
from app.domain.mail.recipients import own_addresses

NAMED_FROM = 0.65
"""Probability from which a mail is called spam or phishing."""


class ThreatSign(StrEnum):
    """One sign."""

    BRAND_NAME = "brand_name"
    LOOK_ALIKE = "look_alike"
    NAME_TWIN = "name_twin"
    POSES_AS_PROVIDER = "poses_as_provider"
    SERVICE_DOMAIN = "service_domain"
    NOT_AUTHENTIC = "not_authentic"
    UNPROVEN = "unproven"
    REPLY_ELSEWHERE = "reply_elsewhere"
    LINK_ELSEWHERE = "link_elsewhere"
    INSECURE_LINK = "insecure_link"
    ASKS_SECRETS = "asks_secrets"
    ASKS_SIGN_IN = "asks_sign_in"
    ASKS_DATA = "asks_data"
    THREATENS = "threatens"
    NEW_ACCOUNT = "new_account"
    PAY_NOW = "pay_now"
    SERVICE_LINK = "service_link"
    GIFT_CARD = "gift_card"
    SECRECY = "secrecy"
    URGENT = "urgent"
    IMPERSONAL = "impersonal"
    MONEY = "money"
    GOODS = "goods"
    PITCH = "pitch"
    LOUD = "loud"
    OFFER = "offer"
    ORDERS = "orders"


IDENTITY = frozenset(
    {
        ThreatSign.BRAND_NAME, ThreatSign.LOOK_ALIKE, ThreatSign.NAME_TWIN, ThreatSign.POSES_AS_PROVIDER,
        ThreatSign.SERVICE_DOMAIN, ThreatSign.NOT_AUTHENTIC, ThreatSign.UNPROVEN, ThreatSign.REPLY_ELSEWHERE,
        ThreatSign.LINK_ELSEWHERE, ThreatSign.SERVICE_LINK,
    }
)  # fmt: skip
"""Signs that the sender is not who it seems."""

LURES = frozenset(
    {
        ThreatSign.ASKS_SECRETS,
        ThreatSign.ASKS_SIGN_IN,
        ThreatSign.ASKS_DATA,
        ThreatSign.NEW_ACCOUNT,
        ThreatSign.PAY_NOW,
        ThreatSign.GIFT_CARD,
        ThreatSign.LINK_ELSEWHERE,
    }
)
"""Signs of what phishing wants."""

WARES = frozenset({ThreatSign.MONEY, ThreatSign.GOODS, ThreatSign.PITCH, ThreatSign.OFFER, ThreatSign.ORDERS})
"""Signs of what spam wants."""

_PHISHING_PRIOR = -5.5
_PHISHING: Mapping[ThreatSign, float] = {
    ThreatSign.BRAND_NAME: 3.5, ThreatSign.LOOK_ALIKE: 3.5, ThreatSign.NAME_TWIN: 3.5, ThreatSign.POSES_AS_PROVIDER: 2.5,
    ThreatSign.SERVICE_DOMAIN: 1.8, ThreatSign.NOT_AUTHENTIC: 2.5, ThreatSign.UNPROVEN: 1.2, ThreatSign.REPLY_ELSEWHERE: 2.0,
    ThreatSign.LINK_ELSEWHERE: 3.0, ThreatSign.INSECURE_LINK: 1.0, ThreatSign.ASKS_SECRETS: 2.8, ThreatSign.ASKS_SIGN_IN: 1.6,
    ThreatSign.NEW_ACCOUNT: 2.2, ThreatSign.GIFT_CARD: 4.6, ThreatSign.SECRECY: 1.8, ThreatSign.URGENT: 1.6,
    ThreatSign.IMPERSONAL: 1.0, ThreatSign.PAY_NOW: 2.2, ThreatSign.ASKS_DATA: 1.8, ThreatSign.THREATENS: 1.2,
    ThreatSign.SERVICE_LINK: 2.6,
}  # fmt: skip
_SPAM_PRIOR = -4.5
_SPAM: Mapping[ThreatSign, float] = {
    ThreatSign.MONEY: 2.6, ThreatSign.GOODS: 2.6, ThreatSign.ASKS_SECRETS: 1.6,
    ThreatSign.PITCH: 1.5, ThreatSign.OFFER: 1.0, ThreatSign.ORDERS: 2.5,
    ThreatSign.IMPERSONAL: 1.0, ThreatSign.UNPROVEN: 1.8, ThreatSign.NOT_AUTHENTIC: 2.0, ThreatSign.REPLY_ELSEWHERE: 1.5,
    ThreatSign.LOUD: 1.0, ThreatSign.SECRECY: 0.8, ThreatSign.INSECURE_LINK: 0.5, ThreatSign.BRAND_NAME: 2.0,
    ThreatSign.LOOK_ALIKE: 2.0, ThreatSign.NAME_TWIN: 1.0, ThreatSign.SERVICE_DOMAIN: 0.4,
}  # fmt: skip
COMMON = 5
"""Letters that two domains share at their beginning so that one passes for the other."""

_TWICE = 1.0
"""Added where several cues of one kind were found."""

_SERVICE_WORDS = frozenset(
    (
        "alerts", "alert", "support", "secure", "security", "verify", "verification", "login", "signin", "account",
        "accounts", "update", "updates", "file", "files", "share", "docs", "center", "centre", "quota", "mailbox",
        "admin", "helpdesk", "service", "services", "client", "klient", "klienti", "zakaznik", "kunde", "kunden",
        "kundenservice", "portal", "verlaengerung", "bestaetigung", "overeni", "payment", "payments", "billing",
        "invoice", "refund", "delivery", "tracking", "parcel", "customs", "hr", "payroll", "reset", "confirm", "notice",
        "notify", "info", "access", "auth", "validation", "sicherheit", "zahlung", "sign", "open", "folder", "remit",
        "expiry", "awards", "platba", "platby", "doruceni",
        "zasilka", "paket", "konto", "ucet", "banking", "ebanking",
    )
)  # fmt: skip
_DEEDS = frozenset(
    (
        "verify", "confirm", "update", "validate", "unlock", "restore", "reactivate", "activate", "enter", "provide",
        "submit", "re-enter", "reconfirm", "secure", "upgrade", "renew", "claim", "log", "sign", "complete", "overte",
        "overit", "potvrdte", "potvrdit", "aktualizujte", "aktualizovat", "zadejte", "zadat", "doplnte", "doplnit",
        "obnovte", "obnovit", "prihlaste", "prihlasit", "vyplnte", "odemknete", "bestatigen", "verifizieren",
        "aktualisieren", "eingeben", "geben", "hinterlegen", "entsperren", "freischalten", "anmelden", "reaktivieren",
        "uberprufen", "erneuern", "loggen",
    )
)  # fmt: skip
_DATA = frozenset(
    (
        "account", "password", "passwords", "identity", "details", "information", "card", "payment", "mailbox", "login",
        "access", "pin", "billing", "credentials", "delivery", "parcel", "package", "wallet", "signature", "membership",
        "ucet", "uctu", "heslo", "hesla", "udaje", "udaju", "karta", "karty", "kartu", "platba", "platbu", "platby",
        "totoznost", "adresu", "pristup", "schranku", "zasilku", "zasilka", "balik", "konto", "kontos", "passwort",
        "kennwort", "daten", "karte", "zahlung", "identitat", "zugang", "adresse", "bankverbindung", "paket", "sendung",
        "postfach", "ausweis", "kundendaten",
    )
)  # fmt: skip
"""Words that together, in one sentence, ask for data of an account or a delivery."""

_THREATS = frozenset(
    (
        "lose", "loss", "closed", "close", "cancelled", "canceled", "expire", "expires", "expired", "restricted",
        "limited", "restriction", "suspend", "suspended", "suspension", "deleted", "delete", "removed", "remove",
        "blocked", "terminated", "locked", "interrupted", "disconnected", "returned", "unusual", "unauthorized",
        "unauthorised", "suspicious", "zrusen", "zruseno", "smazan", "smazano", "uzavren", "omezen", "omezeno",
        "zablokovan", "zablokovana", "vyprsi", "propadne", "vracen", "vracena", "pozastaven", "pozastavena",
        "neobvykle", "podezrele", "odpojen", "verlieren", "geloscht", "geschlossen", "eingeschrankt", "gesperrt",
        "ablauft", "abgelaufen", "zuruckgesendet", "ungewohnliche", "verdachtige", "eingestellt",
    )
)  # fmt: skip
_HREF = re.compile(r"<a\b[^>]*?href=[\"']?(?:https?:)?//([^/\"'\s>:?#]+)[^>]*>(.*?)</a>", re.IGNORECASE | re.DOTALL)
_SHOWN_HOST = re.compile(r"^\s*(?:https?://)?((?:[a-z0-9-]+\.)+[a-z]{2,})(?:[/?#].*)?\s*$", re.IGNORECASE)
_HOST = re.compile(r"https?://([^/\s\"'>?#:]+)|\bwww\.([a-z0-9.-]+)", re.IGNORECASE)
_INSECURE = re.compile(r"\bhttp://", re.IGNORECASE)
_NUMBER_HOST = re.compile(r"^\d{1,3}(?:\.\d{1,3}){3}$")
_TAG = re.compile(r"<[^>]+>")
_PASSED = re.compile(r"\bdmarc=pass\b", re.IGNORECASE)
_SIGNED = re.compile(r"\bdkim=pass\b[^;]*?header\.[id]=@?([\w.-]+)", re.IGNORECASE)
_FAILED = re.compile(r"\b(?:dmarc|spf|dkim)=(?:fail|softfail|permerror)", re.IGNORECASE)
_NEVER = re.compile(
    r"\b(?:never|will not ask|won't ask|do not share|don't share|nikdy|nesdelujte|niemals|nie(?:mals)? nach|nennen wir)\b"
)
_ASKS_TO_PAY = re.compile(
    r"\b(?:transfer|pay|payment|wire|remit|send|uhrad\w*|zaplat\w*|posl\w*|prevest|preved\w*|uberweis\w*|zahlen|bezahl\w*|iban)\b"
)
_MODERN = "Authentication-Results"


@dataclass(frozen=True, slots=True)
class ThreatSigns:
    """The signs in a mail, those found more than once, and the brand or domain they are about.

    `authentic`: the sender's domain signed the mail. `fitting`: also its links and name belong to that domain.
    """

    signs: frozenset[ThreatSign] = frozenset()
    repeated: frozenset[ThreatSign] = frozenset()
    about: str = ""
    authentic: bool = False
    fitting: bool = False

    @property
    def weight(self) -> int:
        """Number of signs."""
        return len(self.signs)


@dataclass(frozen=True, slots=True)
class Standing:
    """What speaks for a sender: a colleague, one the owner wrote to, one who wrote before, a mail of the owner's own thread."""

    colleague: bool
    written_to: bool
    known: bool
    own_thread: bool


def threat_signs(message: Message, account: Account, text: str, cues: Mapping[Cue, int]) -> ThreatSigns:
    """Looks for signs in sender, links and text. `text` is the mail's subject and newest part, `cues` its cues."""
    authentic = _authentic(message)
    signs: set[ThreatSign] = set()
    about = _identity(message, account, text, cues, authentic, signs)
    hosts = _hosts(message, text)
    repeated = _wishes(message, text, cues, hosts, signs)
    if _link_elsewhere(message.body_html):
        signs.add(ThreatSign.LINK_ELSEWHERE)
    if (_INSECURE.search(text) and message.header(_MODERN)) or any(map(_NUMBER_HOST.match, hosts)):
        signs.add(ThreatSign.INSECURE_LINK)
    if _leads_away(message, hosts, asks=bool(signs & {ThreatSign.ASKS_SECRETS, ThreatSign.ASKS_SIGN_IN})):
        signs.add(ThreatSign.SERVICE_LINK)
    fitting = authentic and all(label(host) == label(message.sender.domain) for host in hosts) and _name_fits(message)
    return ThreatSigns(frozenset(signs), frozenset(repeated), about, authentic, fitting)


def phishing_probability(found: ThreatSigns, sender: Standing) -> float:
    """How likely the mail is phishing. Needs a lure and a doubt about the sender, or a lure that is a fraud by itself."""
    frauds = {ThreatSign.GIFT_CARD, ThreatSign.SECRECY} <= found.signs
    if not (found.signs & LURES and (found.signs & IDENTITY or frauds)) or len(found.signs) < 2:
        return 0.0
    return _probability(_PHISHING_PRIOR, _PHISHING, found, sender)


def spam_probability(found: ThreatSigns, sender: Standing) -> float:
    """How likely the mail is spam. Needs an offer or lure of spam and a second sign."""
    if not found.signs & WARES or len(found.signs) < 2:
        return 0.0
    return _probability(_SPAM_PRIOR, _SPAM, found, sender)


def _probability(prior: float, weights: Mapping[ThreatSign, float], found: ThreatSigns, sender: Standing) -> float:
    odds = prior + sum(weights.get(sign, 0.0) for sign in found.signs)
    odds += _TWICE * sum(sign in weights for sign in found.repeated)
    odds -= _credit(found, sender)
    return 1.0 / (1.0 + math.exp(-odds))


def _credit(found: ThreatSigns, sender: Standing) -> float:
    """What speaks for the sender, in log odds. A forged address or a stolen account gets less."""
    forged = bool(found.signs & {ThreatSign.NOT_AUTHENTIC, ThreatSign.LOOK_ALIKE, ThreatSign.NAME_TWIN})
    doubtful = forged or {ThreatSign.ASKS_SECRETS, ThreatSign.SERVICE_LINK} <= found.signs
    if sender.own_thread or sender.written_to or sender.colleague:
        return 1.8 if doubtful else 6.0
    return (3.0 if sender.known and not doubtful else 0.0) + (1.5 if found.fitting else 0.0)


def _identity(
    message: Message, account: Account, text: str, cues: Mapping[Cue, int], authentic: bool, signs: set[ThreatSign]
) -> str:
    """Adds the signs that the sender is not who it seems. Returns the brand or domain that is imitated."""
    domain = message.sender.domain
    brand, alike = posed_brand(message), look_alike(domain, account)
    own = own_addresses(account)
    mine = any(one.endswith(f"@{domain}") for one in own)
    folded = fold(text)
    checks = {
        ThreatSign.BRAND_NAME: bool(brand),
        ThreatSign.LOOK_ALIKE: bool(alike),
        ThreatSign.NAME_TWIN: not mine and name_twin(message.sender.name, domain, message.header("From")),
        ThreatSign.POSES_AS_PROVIDER: not mine and cues[Cue.MAILBOX] > 0 and any(one in folded for one in own),
        ThreatSign.SERVICE_DOMAIN: not mine and _adds_a_word(message),
        ThreatSign.NOT_AUTHENTIC: not authentic and _failed(message),
        ThreatSign.UNPROVEN: not authentic and not _failed(message) and bool(message.header(_MODERN)),
        ThreatSign.REPLY_ELSEWHERE: _reply_elsewhere(message),
    }
    signs.update(sign for sign, there in checks.items() if there)
    return brand or alike


def _wishes(message: Message, text: str, cues: Mapping[Cue, int], hosts: list[str], signs: set[ThreatSign]) -> set[ThreatSign]:
    """Adds the signs of what the mail wants. Returns those of which several cues were found."""
    asked = _without_warnings(text)
    secrets = count_cues(asked)[Cue.CREDENTIAL] if asked != text and cues[Cue.CREDENTIAL] else cues[Cue.CREDENTIAL]
    pays = cues[Cue.NEW_ACCOUNT] > 0 and bool(_ASKS_TO_PAY.search(fold(text)))
    in_name = count_cues(message.sender.email.replace("@", " ").replace("-", " ").replace(".", " "))
    counts = {
        ThreatSign.ASKS_SECRETS: secrets if hosts or cues[Cue.MONEY_LURE] else secrets - 1,
        ThreatSign.ASKS_SIGN_IN: cues[Cue.SIGN_IN] if hosts else 0,
        ThreatSign.ASKS_DATA: sum(map(_asks_data, sentences(asked))) if hosts else 0,
        ThreatSign.THREATENS: len(_THREATS & set(words(asked))),
        ThreatSign.NEW_ACCOUNT: int(pays),
        ThreatSign.PAY_NOW: cues[Cue.PAY_NOW],
        ThreatSign.GIFT_CARD: cues[Cue.GIFT_CARD] if cues[Cue.SECRECY] or cues[Cue.URGENCY] else 0,
        ThreatSign.SECRECY: cues[Cue.SECRECY],
        ThreatSign.URGENT: cues[Cue.URGENCY],
        ThreatSign.IMPERSONAL: cues[Cue.IMPERSONAL],
        ThreatSign.MONEY: cues[Cue.MONEY_LURE] + in_name[Cue.MONEY_LURE],
        ThreatSign.GOODS: cues[Cue.GOODS_LURE] + in_name[Cue.GOODS_LURE],
        ThreatSign.PITCH: cues[Cue.SALES_PITCH] - 1,
        ThreatSign.OFFER: cues[Cue.PROMOTION] if not message.header("List-Unsubscribe") else 0,
        ThreatSign.LOUD: int("!!" in text or message.subject.isupper()),
        ThreatSign.ORDERS: cues[Cue.TO_ASSISTANT],
    }
    signs.update(sign for sign, count in counts.items() if count > 0)
    return {sign for sign, count in counts.items() if count > 1}


def _asks_data(sentence: str) -> bool:
    found = set(words(sentence))
    return bool(found & _DEEDS and found & _DATA)


def _without_warnings(text: str) -> str:
    """The text without sentences that say what the sender never asks for."""
    kept = [one for one in sentences(text) if not _NEVER.search(fold(one))]
    return " ".join(kept)


def _hosts(message: Message, text: str) -> list[str]:
    """The hosts that links lead to."""
    plain = [one or two for one, two in _HOST.findall(text)]
    return [host.lower().rstrip(".") for host in (*plain, *(host for host, _shown in _HREF.findall(message.body_html)))]


def _authentic(message: Message) -> bool:
    """Whether the sender's domain vouches for the mail."""
    results = message.header(_MODERN)
    if _several_senders(message):
        return False
    if _PASSED.search(results):
        return True
    return any(label(signer) == label(message.sender.domain) for signer in _SIGNED.findall(results))


def _failed(message: Message) -> bool:
    return bool(_FAILED.search(message.header(_MODERN))) or _several_senders(message)


def _several_senders(message: Message) -> bool:
    """Whether the mail has more than one From header, so that programs disagree on its sender."""
    return sum(name.lower() == "from" for name, _value in message.headers) > 1


def _reply_elsewhere(message: Message) -> bool:
    """Whether answers would go to another domain than the sender's, and it is no list's."""
    if message.header("List-Id") or message.header("List-Unsubscribe") or message.header("List-Post"):
        return False
    sender = message.sender.domain
    return any(
        label(one.domain) != label(sender) and (one.domain in FREE_MAIL or bool(message.header(_MODERN)))
        for one in message.reply_to
    )


def _link_elsewhere(html: str) -> bool:
    """Whether a link shows one host and leads to another."""
    for host, shown in _HREF.findall(html):
        seen = _SHOWN_HOST.match(_TAG.sub("", shown))
        if seen is not None and label(seen.group(1)) != label(host):
            return True
    return False


def _parts(domain: str) -> frozenset[str]:
    return frozenset(label(domain).split("-"))


def _adds_a_word(message: Message) -> bool:
    """Whether the domain is a service's, or adds a word to the name of the sender: `medident-renewal` for Medident."""
    parts = _parts(message.sender.domain)
    if len(parts) < 2:
        return False
    said = frozenset(words(message.sender.name))
    local = frozenset(words(message.sender.email.partition("@")[0].replace(".", " ").replace("_", " ")))
    added = bool(said & parts) and bool(parts - said) and not (said & local)
    return added or bool(parts & _SERVICE_WORDS)


def _leads_away(message: Message, hosts: list[str], asks: bool) -> bool:
    """Whether a link leads to a service that is not the sender's, or to a domain that begins like the sender's."""
    own = label(message.sender.domain)
    away = [label(host) for host in hosts if label(host) != own]
    alike = any(len(own) > COMMON and one[:COMMON] == own[:COMMON] for one in away)
    served = any(frozenset(one.split("-")) & _SERVICE_WORDS for one in away)
    all_away = bool(away) and len(away) == len(hosts) and not message.header("List-Unsubscribe")
    return served or ((alike or all_away) and asks)


def _name_fits(message: Message) -> bool:
    """Whether all words of the domain's label are in the display name."""
    said = fold(message.sender.name).replace(" ", "")
    return bool(said) and all(part in said for part in label(message.sender.domain).split("-") if len(part) > 2)

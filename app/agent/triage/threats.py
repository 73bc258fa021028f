"""Spam and phishing: signs that code can see, and how likely they make each.

Gmail has filtered already: of what reaches an inbox one or two in a hundred are spam. So a verdict starts there and needs two
independent signs. That the sender is a stranger is never one; what is known about the sender speaks against. The weights of the
signs of phishing are trained (`app/evals/train_judgement`), those of spam are set here.
"""

import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from app.agent.triage import poses
from app.agent.triage import threat_words as told
from app.agent.triage.cues import Cue, count_cues
from app.agent.triage.habits import Habits
from app.agent.triage.linear_model import LinearModel, probability
from app.agent.triage.threat_signs import (
    FORGERIES,
    FRAUDS,
    IDENTITY,
    LINK_LURES,
    LURES,
    PASSED_ON,
    POSED,
    TAKEN_OVER,
    WARES,
    ThreatSign,
    ThreatSigns,
)
from app.domain.language.words import fold, sentences
from app.domain.mail.deception import (
    SERVICE_WORDS,
    brands_of,
    free_mail,
    imitated,
    imitated_brand,
    imitated_owner,
    label,
    name_twin,
    of_brand,
    of_state,
    posed_brand,
    shown_domain,
    site,
)
from app.domain.mail.message import Account, Message
from app.domain.mail.recipients import own_addresses
from app.domain.record import Record

NAMED_FROM = 0.65
"""Probability from which a mail is called spam or phishing."""

CAREFUL_FROM = 0.3
"""Probability of phishing from which a mail is shown with a warning that is no verdict."""


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

SHORT = 120
"""Words up to which a mail is short. What a long mail asks for is seldom what it is about."""

AT_END = 1500
"""Characters at the end of a mail where one can unsubscribe."""

_TWICE = 1.0
"""Added where several cues of one kind were found."""


_HREF = re.compile(r"<a\b[^>]*?href=[\"']?(?:https?:)?//([^/\"'\s>:?#]+)[^>]*>(.*?)</a>", re.IGNORECASE | re.DOTALL)
_SHOWN_HOST = re.compile(r"^\s*(?:https?://)?((?:[a-z0-9-]+\.)+[a-z]{2,})(?:[/?#].*)?\s*$", re.IGNORECASE)
_HOST = re.compile(r"[hw](?:(?<=h)ttps?://(?:[^/\s@?#]*@)?([\w.-]+)|(?<=\bw)ww\.([a-z0-9.-]+))")

_URL = re.compile(r"https?://[^\s<>\"')\]]+")

_REPLY = re.compile(r"\s*(?:re|aw|fwd?|wg|sv|odp|tr|rv)\s*:", re.IGNORECASE)
_INSECURE = re.compile(r"\bhttp://", re.IGNORECASE)
_PHONE = re.compile(r"\+?\d[\d ()/.-]{7,}\d")
_NUMBER_HOST = re.compile(r"^\d{1,3}(?:\.\d{1,3}){3}$")
_TAG = re.compile(r"<[^>]+>")
_PASSED = re.compile(r"\bdmarc=pass\b", re.IGNORECASE)
_SIGNED = re.compile(r"\bdkim=pass\b[^;]*?header\.[id]=@?([\w.-]+)", re.IGNORECASE)
_FAILED = re.compile(r"\b(?:dmarc|spf|dkim)=(?:fail|softfail|permerror)", re.IGNORECASE)
_MODERN = "Authentication-Results"
_LONG_NUMBER = re.compile(r"\b\d(?:[ -]?\d){7,}\b")
"""What may be the number of a bank account."""


class Standing(Record):
    """What speaks for a sender: a colleague, one the owner wrote to, one who wrote before, a mail of the owner's own thread."""

    colleague: bool
    written_to: bool
    known: bool
    own_thread: bool


def threat_signs(message: Message, account: Account, text: str, cues: Mapping[Cue, int], habits: Habits) -> ThreatSigns:
    """Looks for signs in sender, links and text. `text` is the mail's subject and newest part, `cues` its cues."""
    authentic = _authentic(message)
    signs: set[ThreatSign] = set()
    hosts = list(_hosts(message.body_html, text))
    about = _identity(message, account, text, cues, habits, signs)
    repeated = _wishes(message, text, cues, bool(hosts) or ThreatSign.DANGEROUS_FILE in signs, signs)
    asks = bool(signs & {ThreatSign.ASKS_SECRETS, ThreatSign.ASKS_SIGN_IN})
    asks = asks or {ThreatSign.ASKS_DATA, ThreatSign.PAY_NOW} <= signs
    if told.ROLE.search(message.sender.email.partition("@")[0]):  # a person may send links to anywhere
        asks = asks or bool(signs & {ThreatSign.ASKS_DATA, ThreatSign.PAY_NOW})
    bulk = _bulk(message, text)
    about = _link_signs(message, account, text, hosts, asks, bulk, signs) or about
    if free_mail(message.sender.domain) and signs & {ThreatSign.NEW_ACCOUNT, ThreatSign.PAY_NOW}:
        signs.add(ThreatSign.PRIVATE_PAYEE)
    home = bool(hosts) and all(poses.at_home(host, about) for host in hosts)
    if hosts and signs & POSED and not home:
        signs.add(ThreatSign.POSED_LINK)
    own_links = authentic and not _away(message, hosts)
    # such a domain was bought to fit
    dressed = signs & {ThreatSign.SERVICE_DOMAIN, ThreatSign.ADDED_WORD, ThreatSign.POSES_AS_OWN}
    fitting = own_links and not dressed and poses.name_fits(message)
    safe = (home and authentic and not signs & (LURES - LINK_LURES)) or (own_links and _vouched(message, text, signs, fitting))
    harmless = safe or not _ways(message, text, hosts)
    return ThreatSigns(
        frozenset(signs), frozenset(repeated), about, authentic, own_links, fitting,
        bulk=bulk, length=len(text.split()), sites=len(set(map(site, hosts))), harmless=harmless,
    )  # fmt: skip


def phishing_features(found: ThreatSigns) -> dict[str, float]:
    """What the trained model of phishing sees. A domain vouches for a mailbox that somebody took over, too."""
    stolen = _taken_over(found)
    return {
        **{sign.value: 1.0 for sign in found.signs if sign not in WARES},
        "repeated": float(min(3, len(found.repeated - WARES))),
        "lures": float(min(3, len(found.signs & LURES))),
        "doubts": float(min(3, len(found.signs & IDENTITY))),
        "pairs": math.sqrt(min(9, len(found.signs & LURES) * len(found.signs & IDENTITY))),
        "fraud": float(_fraud(found)),
        "offer": float(bool(found.signs & {ThreatSign.OFFER, ThreatSign.PITCH})),
        "authentic": float(found.authentic),
        "own_links": float(found.own_links and not stolen),
        "fitting": float(found.fitting and not stolen),
        "bulk": float(found.bulk),
        "long": min(1.5, math.log(max(1.0, found.length / SHORT))),
        "sites": min(1.5, math.log(max(1, found.sites))),
    }


def may_be_phishing(found: ThreatSigns) -> bool:
    """Whether there are a lure and a doubt about the sender, or a lure that is a fraud by itself."""
    signs = found.signs
    if found.harmless:
        return False
    haste, doubts = len(signs & {ThreatSign.THREATENS, ThreatSign.URGENT}), len(signs & IDENTITY)
    pressed = haste > 0 and (doubts > 1 or (haste > 1 and doubts and found.sites)) and not signs & WARES
    return bool(signs & LURES and signs & IDENTITY) or bool(pressed) or _fraud(found)


def _taken_over(found: ThreatSigns) -> bool:
    return any(one <= found.signs for one in TAKEN_OVER)


def _fraud(found: ThreatSigns) -> bool:
    return any(one <= found.signs for one in FRAUDS)


def phishing_probability(found: ThreatSigns, sender: Standing, model: LinearModel) -> float:
    """How likely the mail is phishing. Needs a lure and a doubt about the sender, or a lure that is a fraud by itself."""
    if not may_be_phishing(found):
        return 0.0
    return probability(model.score(phishing_features(found)) - credit(found, sender))


def wants_care(found: ThreatSigns, sender: Standing, model: LinearModel) -> bool:
    """Whether phishing is likely enough to warn, or answers about money would leave the sender's firm for a free mailbox."""
    moved = ThreatSign.FREE_REPLY in found.signs and bool(found.signs & {ThreatSign.NEW_ACCOUNT, ThreatSign.PAY_NOW})
    return moved or phishing_probability(found, sender, model) >= CAREFUL_FROM


def spam_probability(found: ThreatSigns, sender: Standing) -> float:
    """How likely the mail is spam. Needs an offer or lure of spam and a second sign."""
    if not found.signs & WARES or len(found.signs) < 2:
        return 0.0
    odds = _SPAM_PRIOR + sum(_SPAM.get(sign, 0.0) for sign in found.signs)
    odds += _TWICE * sum(sign in _SPAM for sign in found.repeated)
    return probability(odds - credit(found, sender) - (1.5 if found.fitting else 0.0))


def credit(found: ThreatSigns, sender: Standing) -> float:
    """What speaks for the sender, in log odds. A forged address or a stolen account gets less, and none for a fraud."""
    if ThreatSign.NOT_AUTHENTIC in found.signs and _fraud(found):
        return 0.0
    pages = ({ThreatSign.ASKS_SECRETS, ThreatSign.SERVICE_LINK}, {ThreatSign.ASKS_SIGN_IN, ThreatSign.STRANGE_LINK})
    stolen = ThreatSign.POSES_AS_PROVIDER in found.signs or _taken_over(found) or any(one <= found.signs for one in pages)
    doubtful = stolen or bool(found.signs & FORGERIES)
    if sender.own_thread or sender.written_to or sender.colleague:
        return 1.8 if doubtful else 6.0
    return 3.0 if sender.known and not doubtful else 0.0


def _identity(
    message: Message, account: Account, text: str, cues: Mapping[Cue, int], habits: Habits, signs: set[ThreatSign]
) -> str:
    """Adds the signs that the sender is not who it seems. Returns the brand, domain or address that is imitated."""
    domain, authentic = message.sender.domain, _authentic(message)
    own = own_addresses(account)
    mine = any(one.endswith(f"@{domain}") for one in own)
    here = {one.domain for one in message.to + message.cc}
    alike = habits.imitates or imitated_brand(domain, any_word=True) or imitated_owner(domain, account) or imitated(domain, here)
    brand, shown, reply_elsewhere = posed_brand(message), shown_domain(message.sender), _reply_elsewhere(message, own)
    folded = fold(text)
    checks = {
        ThreatSign.BRAND_NAME: bool(brand),
        ThreatSign.BRAND_ELSEWHERE: not brand and poses.names_brand(message, text, _hosts(message.body_html, text)),
        ThreatSign.LOOK_ALIKE: bool(alike),
        ThreatSign.NAME_TWIN: not mine and name_twin(message.sender.name, domain, message.header("From")),
        ThreatSign.NAMESAKE: bool(habits.namesake)
        or (message.sender.email in own and not authentic and _failed(message))
        or (not mine and poses.named_as(message, account)),
        ThreatSign.SHOWS_OTHER: bool(shown),
        ThreatSign.PADDED_ADDRESS: free_mail(domain) and poses.padded(message),
        ThreatSign.POSES_AS_PROVIDER: not mine
        and (
            (cues[Cue.MAILBOX] > 0 and any(one in folded for one in own))
            or (len(text.split()) <= SHORT and told.OWN_LOGIN.within(folded))
        ),
        ThreatSign.POSES_AS_OWN: not mine and poses.poses_as_own(message, own, text),
        ThreatSign.OWN_DOMAIN: not (mine or habits.sender.received or habits.sender.sent) and poses.names_domain(text, own),
        ThreatSign.TITLED: poses.titled(message, text),
        ThreatSign.PRIVATE_SERVICE: free_mail(domain) and poses.speaks_as_service(message),
        ThreatSign.SERVICE_DOMAIN: not mine and poses.as_service(message),
        ThreatSign.ADDED_WORD: not mine and poses.adds_a_word(message),
        ThreatSign.NAME_UNFIT: not mine and poses.name_unfit(message),
        ThreatSign.FALSE_REPLY: _false_reply(message, habits),
        ThreatSign.NOT_AUTHENTIC: not authentic and _failed(message),
        ThreatSign.UNPROVEN: not authentic and not _failed(message) and bool(message.header(_MODERN)),
        ThreatSign.REPLY_ELSEWHERE: reply_elsewhere,
        ThreatSign.FREE_REPLY: not free_mail(domain) and reply_elsewhere and free_mail(message.reply_to[0].domain),
        ThreatSign.DANGEROUS_FILE: any(_dangerous(one.filename) for one in message.attachments),
    }
    signs.update(sign for sign, there in checks.items() if there)
    return brand or alike or shown or habits.namesake


def _link_signs(
    message: Message, account: Account, text: str, hosts: list[str], asks: bool, bulk: bool, signs: set[ThreatSign]
) -> str:
    """Adds the signs of links. Returns the domain that a link imitates."""
    urls = _URL.findall(f"{text} {message.body_html}".lower())
    own = own_addresses(account)
    named = (one for one in urls[: len(urls) // 2 + 1] if any(mine in one for mine in own))
    posing = (one for one in urls if "@" in one.partition("//")[2].partition("/")[0])
    mine = {one.rpartition("@")[2] for one in own}
    away = [host for host in _away(message, hosts) if site(host) not in mine]
    if message.sender.domain in mine and _authentic(message):  # its place at a service that it uses: `firm.payroll.example`
        away = [host for host in away if host.partition(".")[0] != label(message.sender.domain)]
    alike = next((found for host in away if (found := imitated_brand(host, any_word=True) or imitated_owner(host, account))), "")
    checks = {
        ThreatSign.LINK_ELSEWHERE: _link_elsewhere(message.body_html) and not bulk,
        ThreatSign.INSECURE_LINK: (bool(_INSECURE.search(text)) and bool(message.header(_MODERN)))
        or any(_NUMBER_HOST.match(host) or "xn--" in host for host in hosts)
        or not all(map(told.OPT_OUT.search, posing)),
        ThreatSign.HOSTED_LINK: any(site(host) in told.HOSTS_OF_ANYBODY or host in told.HOSTS_OF_ANYBODY for host in away),
        ThreatSign.NAMED_LINK: not all(map(told.OPT_OUT.search, named)) and not any(host in mine for host in map(site, hosts)),
        ThreatSign.SERVICE_LINK: _leads_away(message, away, len(away) == len(hosts), asks),
        ThreatSign.LOOK_ALIKE: bool(alike),
        ThreatSign.STRANGE_LINK: not bulk and not all(map(_well_known, away)),
    }
    signs.update(sign for sign, there in checks.items() if there)
    return alike


def _wishes(message: Message, text: str, cues: Mapping[Cue, int], leads: bool, signs: set[ThreatSign]) -> set[ThreatSign]:
    """Adds the signs of what the mail wants. Returns those found twice. `leads`: there is something to open."""
    joined = " ".join(text.split())
    asked = _without_warnings(text) if told.NEVER.within(fold(joined)) else joined
    secrets = cues[Cue.CREDENTIAL] if asked is joined or not cues[Cue.CREDENTIAL] else count_cues(asked)[Cue.CREDENTIAL]
    parts = told.Sentences(sentences(_URL.sub("", asked)))  # `account.shop.com` is no account to pay to
    folded = parts.folded
    short = len(asked.split()) <= SHORT
    pays = (cues[Cue.NEW_ACCOUNT] > 0 and bool(told.ASKS_TO_PAY.search(folded))) or parts.move_account(short)
    pretext, courier = parts.have(told.PRETEXTS, told.ACCOUNT), parts.have(told.COURIER, told.PAYS)
    pays = pays or (pretext and parts.have(told.PAYS) and bool(told.IBAN.search(asked)))
    in_name = count_cues(message.sender.email.replace("@", " ").replace("-", " ").replace(".", " "))
    counts = {
        ThreatSign.ASKS_SECRETS: secrets if leads or cues[Cue.MONEY_LURE] else secrets - 1,
        ThreatSign.ASKS_SIGN_IN: (cues[Cue.SIGN_IN] if leads else 0) + int(parts.have(told.QR, told.SCANS)),
        ThreatSign.ASKS_DATA: parts.asking_for_data() + told.links_for_data(asked, _URL) if leads else 0,
        ThreatSign.THREATENS: parts.threatening(),
        ThreatSign.NEW_ACCOUNT: int(pays),
        ThreatSign.PAY_NOW: cues[Cue.PAY_NOW]
        + int(courier or parts.have(told.TRANSFER, told.AT_ONCE))
        + int(short and (told.small_fee(folded) or parts.have(told.RETURNED, told.PAYS, told.BEFOREHAND))),
        ThreatSign.GIFT_CARD: int(told.wants_codes(folded, short))
        + (cues[Cue.GIFT_CARD] if cues[Cue.SECRECY] or cues[Cue.URGENCY] else 0),
        ThreatSign.SECRECY: cues[Cue.SECRECY] + int(short and told.UNREACHABLE.within(folded)),
        ThreatSign.EXTORTS: int(told.extorts(folded)),
        ThreatSign.CALL_BACK: int(
            short and bool(_PHONE.search(asked)) and parts.have(told.CALL_US) and told.NOT_YOURS.within(folded)
        ),
        ThreatSign.FAVOUR: int(short and told.asks_favour(folded)),
        ThreatSign.FOREIGN_ACCOUNT: int(pays and told.foreign_account(asked, message.sender.domain)),
        ThreatSign.SALARY: int(pays and told.SALARIES.within(folded)),
        ThreatSign.CHECKABLE: int(pays and told.CHECKS.within(folded)),
        ThreatSign.PRETEXT: int(pretext),
        ThreatSign.PROOF: int(pays and told.PROOF.within(folded) and (told.AT_ONCE.within(folded) or cues[Cue.URGENCY] > 0)),
        ThreatSign.ERRAND: int(short and not leads and told.ERRANDS.within(folded)),
        ThreatSign.ASKS_WHO: int(short and told.asks_who_one_is(folded)),
        ThreatSign.RUNS_CODE: int(told.ENABLES.within(folded)),
        ThreatSign.BAIT: int(short and leads and told.BAITS.within(folded)),
        ThreatSign.RELAYED: int(told.NOTES.within(folded)),
        ThreatSign.ADVANCE_FEE: int(
            parts.have(told.FEE, told.BEFOREHAND, told.WINNINGS)
            or (courier and parts.have(told.COURIER, told.OVERPAID, told.PAYS))
            or (short and (told.LEFTOVER.within(folded) or told.letting_unseen(parts)))
        ),
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


def _without_warnings(text: str) -> str:
    """The text without sentences that say what the sender never asks for."""
    return " ".join(one for one in sentences(text) if not told.NEVER.within(fold(one)))


@lru_cache(maxsize=4)
def _hosts(html: str, text: str) -> tuple[str, ...]:
    """The hosts that links lead to, each once."""
    lowered = text.lower()
    found = [one or two for one, two in _HOST.findall(lowered)] if "//" in text or "www." in lowered else []
    return tuple(dict.fromkeys(host.lower().rstrip(".") for host in (*found, *(one for one, _shown in _anchors(html)))))


@lru_cache(maxsize=4)
def _anchors(html: str) -> tuple[tuple[str, str], ...]:
    """The hosts of the links in HTML with what they show."""
    return tuple(_HREF.findall(html))


def _authentic(message: Message) -> bool:
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


def _reply_elsewhere(message: Message, own: frozenset[str]) -> bool:
    """Whether answers would go to another domain than the sender's and the owner's, and it is no list's."""
    if message.header("List-Id") or message.header("List-Unsubscribe") or message.header("List-Post"):
        return False
    others = [one.domain for one in message.reply_to if one.domain and label(one.domain) != label(message.sender.domain)]
    return any(free_mail(one) or not any(mine.endswith(f"@{one}") for mine in own) for one in others)


def _link_elsewhere(html: str) -> bool:
    for host, shown in dict.fromkeys(one for one in _anchors(html) if "." in one[1]):
        seen = _SHOWN_HOST.match(_TAG.sub("", shown))
        if seen is not None and label(seen.group(1)) != label(host):
            return True
    return False


def _bulk(message: Message, text: str) -> bool:
    """Whether one can unsubscribe, which long mail tells at its end: newsletters count clicks through other sites."""
    if message.header("List-Unsubscribe") or message.header("List-Id"):
        return True
    return bool(told.OPT_OUT.search(fold(message.body_text[-AT_END:])) or told.OPT_OUT.search(fold(text)))


def _away(message: Message, hosts: list[str]) -> list[str]:
    """The hosts that are not the sender's, nor of the brand that the sender belongs to."""
    own, brands, state = label(message.sender.domain), brands_of(message.sender.domain), of_state(message.sender.domain)
    others = (one for one in hosts if label(one) != own and not (state and of_state(one)))
    return [one for one in others if not any(of_brand(one, brand) for brand in brands)]


def _vouched(message: Message, text: str, signs: set[ThreatSign], fitting: bool) -> bool:
    """Whether a service wrote it that is often imitated, an authority's, or in no doubt, and passes on no customer's fraud.

    A supplier that wants to be paid to another account is in doubt: somebody may write from its own mailbox.
    """
    known = brands_of(message.sender.domain) or of_state(message.sender.domain)
    payee = ThreatSign.NEW_ACCOUNT in signs and (told.IBAN.search(text) or _LONG_NUMBER.search(text))
    plain = fitting and not payee and not signs & IDENTITY and told.ROLE.search(message.sender.email.partition("@")[0])
    return bool(known or plain) and not free_mail(message.sender.domain) and not signs & PASSED_ON


def _ways(message: Message, text: str, hosts: Sequence[str]) -> bool:
    """Whether there is anything to open, call, pay to or answer."""
    if hosts or message.attachments or not told.NO_REPLY.search((message.reply_to or (message.sender,))[0].email):
        return True
    return bool(_PHONE.search(text) or told.IBAN.search(text))


def _well_known(host: str) -> bool:
    return bool(brands_of(host)) or of_state(host) or site(host) in told.HOSTS_OF_ANYBODY or site(host) in told.SHARERS


def _leads_away(message: Message, hosts: list[str], all_away: bool, asks: bool) -> bool:
    """Whether a link leads to a service that is not the sender's, or to a domain that begins like the sender's.

    `hosts` are those of others than the sender and the owner; `all_away`: there are no other ones.
    """
    own = label(message.sender.domain)
    away = list(map(label, hosts))
    alike = any(len(own) > COMMON and one[:COMMON] == own[:COMMON] for one in away)
    served = any("-" in one and frozenset(one.split("-")) & SERVICE_WORDS for one in away)
    none_here = all_away and bool(away) and not message.header("List-Unsubscribe")
    return served or ((alike or none_here) and asks)


def _false_reply(message: Message, habits: Habits) -> bool:
    """Whether a stranger's mail answers a conversation that there never was."""
    known = habits.sender.received or habits.sender.sent
    return bool(_REPLY.match(message.subject)) and not (message.in_reply_to or message.references or known)


def _dangerous(name: str) -> bool:
    return bool(told.DANGEROUS.search(name) or told.TWO_ENDINGS.search(name))

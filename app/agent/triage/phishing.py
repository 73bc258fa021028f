"""Signs of phishing and impersonation that code can see in sender, domain, links and text.

Needs no network; the list of impersonated brands is short and ages slowly. `domain_skeleton` maps domains that a reader can
confuse to the same string: homoglyphs, accents, digits for letters, and pairs such as `rn` for `m`.
"""

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from confusable_homoglyphs import confusables

from app.agent.triage.cues import Cue, count_cues
from app.domain.language.words import fold
from app.domain.mail.message import Account, Message

_BRANDS: dict[str, str] = {
    "paypal": "paypal.com",
    "amazon": "amazon.com amazon.de amazon.co.uk",
    "apple": "apple.com icloud.com",
    "google": "google.com",
    "microsoft": "microsoft.com microsoftonline.com",
    "office 365": "microsoft.com",
    "netflix": "netflix.com mailer.netflix.com",
    "facebook": "facebook.com facebookmail.com",
    "instagram": "instagram.com",
    "linkedin": "linkedin.com",
    "dropbox": "dropbox.com",
    "docusign": "docusign.com docusign.net",
    "dhl": "dhl.com dhl.de dhl.cz",
    "fedex": "fedex.com",
    "ups": "ups.com",
    "usps": "usps.com",
    "ebay": "ebay.com ebay.co.uk ebay.de",
    "whatsapp": "whatsapp.com",
    "coinbase": "coinbase.com",
    "binance": "binance.com",
    "metamask": "metamask.io",
    "visa": "visa.com",
    "mastercard": "mastercard.com",
    "wells fargo": "wellsfargo.com",
    "bank of america": "bankofamerica.com",
    "chase": "chase.com",
    "hsbc": "hsbc.com",
    "barclays": "barclays.co.uk",
    "ceska posta": "ceskaposta.cz cpost.cz",
    "ceska sporitelna": "csas.cz",
    "komercni banka": "kb.cz",
    "csob": "csob.cz",
    "moneta": "moneta.cz",
    "fio banka": "fio.cz",
    "air bank": "airbank.cz",
    "raiffeisenbank": "rb.cz",
    "unicredit": "unicreditbank.cz",
    "zasilkovna": "zasilkovna.cz packeta.com",
    "alza": "alza.cz",
    "seznam": "seznam.cz",
    "financni sprava": "mfcr.cz financnisprava.cz",
    "o2": "o2.cz",
    "vodafone": "vodafone.com vodafone.cz",
    "t-mobile": "t-mobile.cz t-mobile.com",
}
_LOOKS_LIKE = str.maketrans("01345789аеорсухіј", "oleastbgaeopcyxij")
_SECOND_LEVEL = frozenset({"co", "com", "org", "net", "gov", "ac"})
_HREF = re.compile(r"<a\b[^>]*?href=[\"']?(?:https?:)?//([^/\"'\s>:?#]+)[^>]*>(.*?)</a>", re.IGNORECASE | re.DOTALL)
_SHOWN_HOST = re.compile(r"^\s*(?:https?://)?((?:[a-z0-9-]+\.)+[a-z]{2,})(?:[/?#].*)?\s*$", re.IGNORECASE)
_HOST = re.compile(r"https?://([^/\s\"'>?#:]+)", re.IGNORECASE)
_TAG = re.compile(r"<[^>]+>")
_FREE_MAIL = frozenset(
    {"gmail.com", "outlook.com", "hotmail.com", "yahoo.com", "seznam.cz", "email.cz", "proton.me", "freemail.example"}
)
_FAILED = re.compile(r"\b(?:dmarc|spf|dkim)=(fail|softfail|permerror)", re.IGNORECASE)


class PhishingSign(StrEnum):
    """One sign of phishing."""

    BRAND_NAME = "brand_name"
    LOOK_ALIKE = "look_alike"
    LINK_ELSEWHERE = "link_elsewhere"
    NOT_AUTHENTIC = "not_authentic"
    REPLY_ELSEWHERE = "reply_elsewhere"
    ASKS_SECRETS = "asks_secrets"


@dataclass(frozen=True, slots=True)
class Suspicion:
    """The signs found, and the brand or domain they are about."""

    signs: frozenset[PhishingSign] = frozenset()
    about: str = ""

    @property
    def weight(self) -> int:
        """Number of signs."""
        return len(self.signs)

    @property
    def strong(self) -> bool:
        """Whether a false identity comes with another sign, or a false link with an urgent request for secrets."""
        posing = self.signs & {PhishingSign.BRAND_NAME, PhishingSign.LOOK_ALIKE}
        luring = self.signs & {PhishingSign.ASKS_SECRETS, PhishingSign.LINK_ELSEWHERE, PhishingSign.NOT_AUTHENTIC}
        return bool(posing and luring) or {PhishingSign.LINK_ELSEWHERE, PhishingSign.ASKS_SECRETS} <= self.signs


def suspicion(message: Message, account: Account, text: str) -> Suspicion:
    """Looks for signs in sender, links and text. `text` is the mail's subject and newest part."""
    signs: set[PhishingSign] = set()
    brand = _posed_brand(message)
    alike = _look_alike(message.sender.domain, account)
    if brand:
        signs.add(PhishingSign.BRAND_NAME)
    if alike:
        signs.add(PhishingSign.LOOK_ALIKE)
    if _link_elsewhere(message.body_html):
        signs.add(PhishingSign.LINK_ELSEWHERE)
    if _FAILED.search(message.header("Authentication-Results")) or _several_senders(message):
        signs.add(PhishingSign.NOT_AUTHENTIC)
    if _reply_elsewhere(message):
        signs.add(PhishingSign.REPLY_ELSEWHERE)
    if _asks_secrets(message, text):
        signs.add(PhishingSign.ASKS_SECRETS)
    return Suspicion(frozenset(signs), brand or alike)


def _posed_brand(message: Message) -> str:
    """The brand named in the display name where the domain is not that brand's, else empty."""
    name = f" {fold(message.sender.name)} "
    for brand, domains in _BRANDS.items():
        if f" {brand} " in name.replace(",", " ") and not _belongs(message.sender.domain, domains.split()):
            return brand
    return ""


def _belongs(domain: str, owned: list[str]) -> bool:
    return any(domain == one or domain.endswith(f".{one}") for one in owned)


def label(domain: str) -> str:
    """The main label of a domain: `paypal` for `mail.paypal.co.uk`."""
    parts = domain.lower().rstrip(".").split(".")
    if len(parts) >= 3 and parts[-2] in _SECOND_LEVEL:
        return parts[-3]
    return parts[-2] if len(parts) >= 2 else parts[0]


def label_skeleton(name: str) -> str:
    """A domain label with look-alike characters replaced: `paypa1` and `pаypal` (Cyrillic a) become `paypal`."""
    if name.startswith("xn--"):
        name = _punycode(name)
    plain = "".join(char for char in unicodedata.normalize("NFKD", name.lower()) if not unicodedata.combining(char))
    return plain.replace("rn", "m").replace("vv", "w").translate(_LOOKS_LIKE)


def _punycode(name: str) -> str:
    try:
        return name.encode("ascii").decode("idna")
    except UnicodeError:
        return name


def _look_alike(domain: str, account: Account) -> str:
    """The domain that the sender's domain imitates, or an empty string."""
    name = label(domain)
    mine = {label(address.rpartition("@")[2]): address.rpartition("@")[2] for address in (account.email, *account.send_as)}
    owners = {label(one): one for domains in _BRANDS.values() for one in domains.split()} | mine
    for target, whole in owners.items():
        if len(target) < 5 or name == target or domain in _FREE_MAIL or _belongs(domain, [whole]):
            continue
        alike = label_skeleton(name)
        if alike == label_skeleton(target) or one_edit(alike, target) or (target in alike.split("-") and target not in mine):
            return whole
    return ""


def one_edit(first: str, second: str) -> bool:
    """Whether one insertion, deletion, substitution or swap of neighbours turns `first` into `second`. False for equal
    strings.
    """
    if first == second or abs(len(first) - len(second)) > 1:
        return False
    start = next((i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second)))
    one, two = first[start:], second[start:]
    if len(one) == len(two):
        return one[1:] == two[1:] or (one[:2] == two[1::-1] and one[2:] == two[2:])
    return one[1:] == two or one == two[1:]


def _link_elsewhere(html: str) -> bool:
    """Whether a link shows one host and leads to another."""
    for host, shown in _HREF.findall(html):
        seen = _SHOWN_HOST.match(_TAG.sub("", shown))
        if seen is not None and label(seen.group(1)) != label(host):
            return True
    return False


def _several_senders(message: Message) -> bool:
    """Whether the mail has more than one From header, so that programs disagree on its sender."""
    return sum(name.lower() == "from" for name, _value in message.headers) > 1


def _reply_elsewhere(message: Message) -> bool:
    """Whether answers would go to a free mail provider although the sender shows another domain."""
    return any(one.domain != message.sender.domain and one.domain in _FREE_MAIL for one in message.reply_to)


def _asks_secrets(message: Message, text: str) -> bool:
    """Whether the text urgently asks for credentials and a link leads away from the sender's domain."""
    cues = count_cues(text)
    hosts = _HOST.findall(text) + [host for host, _shown in _HREF.findall(message.body_html)]
    elsewhere = any(label(host) != label(message.sender.domain) for host in hosts) or _posed_brand(message) != ""
    return cues[Cue.CREDENTIAL] >= 2 and cues[Cue.URGENCY] >= 1 and (elsewhere or (bool(hosts) and cues[Cue.CREDENTIAL] >= 3))


PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"), ("nn", "m"))
SINGLES = {"0": "o", "1": "l", "|": "l", "5": "s", "3": "e", "i": "l", "ı": "l"}
KNOWN = 4096


@lru_cache(maxsize=KNOWN)
def domain_skeleton(domain: str) -> str:
    """The skeleton of a domain, in lower case. Punycode is decoded first."""
    shown = _decoded(domain.casefold())
    plain = "".join(_letter(one) for one in unicodedata.normalize("NFKD", shown) if not unicodedata.combining(one))
    for pair, letter in PAIRS:
        plain = plain.replace(pair, letter)
    return "".join(SINGLES.get(one, one) for one in plain)


def _decoded(domain: str) -> str:
    """Decodes `xn--` labels; an invalid one stays as it is."""
    labels = []
    for label in domain.split("."):
        try:
            labels.append(label.encode("ascii").decode("idna") if label.startswith("xn--") else label)
        except UnicodeError:
            labels.append(label)
    return ".".join(labels)


def _letter(one: str) -> str:
    """The ASCII letter that a character looks like, else the character."""
    if one.isascii():
        return one
    found = confusables.is_confusable(one, greedy=True)
    looks = [str(glyph["c"]) for glyph in found[0]["homoglyphs"]] if found else []
    return next((look.casefold() for look in looks if look.isascii()), one)

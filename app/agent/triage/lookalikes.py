"""Domains and names that look like others: brands, homoglyphs, accents, digits for letters, pairs such as `rn` for `m`.

Needs no network; the list of impersonated brands is short and ages slowly. `domain_skeleton` maps domains that a reader can
confuse to the same string.
"""

import re
import unicodedata
from functools import lru_cache

from confusable_homoglyphs import confusables

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
FREE_MAIL = frozenset(
    {"gmail.com", "outlook.com", "hotmail.com", "yahoo.com", "seznam.cz", "email.cz", "proton.me", "freemail.example"}
)
_CAPITAL_INSIDE = re.compile(r"[a-z]I[a-z]")
"""A capital I that passes for a small l."""

SHORTEST_LABEL = 5
"""Letters of a domain label that can be imitated."""


def posed_brand(message: Message) -> str:
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


def look_alike(domain: str, account: Account) -> str:
    """The domain that the sender's domain imitates, or an empty string."""
    mine = tuple(sorted({address.rpartition("@")[2] for address in (account.email, *account.send_as)} - FREE_MAIL))
    return "" if domain in FREE_MAIL else _imitated(domain, mine)


@lru_cache(maxsize=1024)
def _imitated(domain: str, mine: tuple[str, ...]) -> str:
    name = label(domain)
    alike = label_skeleton(name)
    owned = (*(one for domains in _BRANDS.values() for one in domains.split()), *mine)
    for whole in owned:
        target = label(whole)
        if len(target) < SHORTEST_LABEL or name == target or _belongs(domain, [whole]):
            continue
        if (
            alike == label_skeleton(target)
            or one_edit(alike, target)
            or target in alike.split("-")
            or alike.startswith(f"{target}-")
        ):
            return whole
    return ""


def name_twin(name: str, domain: str, written: str) -> bool:
    """Whether a display name is almost, but not quite, the sender's domain label; `written` is the domain with its capitals."""
    if _CAPITAL_INSIDE.search(written.rpartition("@")[2]):
        return True
    said = label_skeleton("".join(char for char in fold(name) if char.isalnum()))
    shown = "".join(char for char in label(domain) if char.isalnum())
    if len(shown) < SHORTEST_LABEL or said == shown:
        return False
    return (said == label_skeleton(shown) and fold(name).replace(" ", "") != shown) or (len(shown) > 7 and one_edit(said, shown))


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

"""What a received message may pretend: a known sender or brand, a link, where an answer goes, a new bank account. Pure functions.

Domains and names that look like others: letters that look alike, typos, added words, other endings. `imitated` is the one place
that knows when a domain passes for another: the verdict on phishing, the banner above a mail and the flags of drafts and tool
calls ask it.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum
from functools import lru_cache
from html import unescape
from itertools import groupby

from app.domain.mail.message import Account, Address, Message
from app.domain.mail.recipients import SHARED_DOMAINS, own_addresses
from app.domain.mail.triage import ReasonClause, ReasonCode, decode_reason, phishing_reasons
from app.domain.record import Record

BRANDS: dict[str, str] = {
    "paypal": "paypal.com paypal.de paypal.fr paypal.es paypal.cz",
    "amazon": "amazon.com amazon.de amazon.co.uk amazon.fr amazon.es amazon.it amazonses.com amazonaws.com",
    "apple": "apple.com icloud.com", "icloud": "icloud.com apple.com",
    "google": "google.com youtube.com youtu.be gmail.com googlemail.com goo.gl g.co",
    "microsoft": "microsoft.com microsoftonline.com office.com live.com outlook.com sharepoint.com office365.com "
    "sharepointonline.com azure.com 1drv.ms",
    "office 365": "microsoft.com office.com", "onedrive": "microsoft.com live.com",
        "sharepoint": "sharepoint.com sharepointonline.com microsoft.com",
    "netflix": "netflix.com", "spotify": "spotify.com", "disney": "disneyplus.com disney.com", "steam": "steampowered.com",
    "facebook": "facebook.com facebookmail.com meta.com fb.com", "instagram": "instagram.com facebookmail.com meta.com",
    "meta": "meta.com facebookmail.com metamail.com facebook.com", "linkedin": "linkedin.com",
    "whatsapp": "whatsapp.com", "dropbox": "dropbox.com dropboxmail.com", "docusign": "docusign.com docusign.net",
    "adobe": "adobe.com adobesign.com echosign.com",
    "wetransfer": "wetransfer.com we.tl", "dhl": "dhl.com dhl.de dhl.cz dhl.fr dhl.es deutschepost.de", "fedex": "fedex.com",
    "ups": "ups.com upsemail.com", "usps": "usps.com usps.gov", "royal mail": "royalmail.com",
    "evri": "evri.com", "dpd": "dpd.com dpd.de dpd.cz dpd.co.uk dpd.fr",
    "hermes": "myhermes.de hermesworld.com", "la poste": "laposte.fr laposte.net", "colissimo": "laposte.fr",
    "chronopost": "chronopost.fr", "correos": "correos.es correos.com", "deutsche post": "deutschepost.de dhl.de",
    "ceska posta": "ceskaposta.cz cpost.cz", "zasilkovna": "zasilkovna.cz packeta.com",
        "packeta": "packeta.com zasilkovna.cz",
    "ebay": "ebay.com ebay.co.uk ebay.de ebay.fr ebay.es", "klarna": "klarna.com", "zalando": "zalando.de zalando.com",
    "booking.com": "booking.com", "airbnb": "airbnb.com", "alza": "alza.cz", "seznam": "seznam.cz",
    "coinbase": "coinbase.com", "binance": "binance.com", "metamask": "metamask.io", "ledger": "ledger.com",
    "revolut": "revolut.com", "stripe": "stripe.com", "visa": "visa.com", "mastercard": "mastercard.com",
    "american express": "americanexpress.com aexp.com", "wells fargo": "wellsfargo.com", "citibank": "citi.com citibank.com",
    "bank of america": "bankofamerica.com", "chase": "chase.com", "hsbc": "hsbc.com hsbc.co.uk", "lloyds": "lloydsbank.co.uk",
    "barclays": "barclays.co.uk", "natwest": "natwest.com", "santander": "santander.com santander.co.uk bancosantander.es",
    "bbva": "bbva.com bbva.es", "caixabank": "caixabank.com caixabank.es", "credit agricole": "credit-agricole.fr",
    "bnp paribas": "bnpparibas.com bnpparibas.net", "societe generale": "socgen.com societegenerale.fr",
    "sparkasse": "sparkasse.de", "volksbank": "vr.de volksbank.de", "commerzbank": "commerzbank.de commerzbank.com",
    "deutsche bank": "deutsche-bank.de db.com", "postbank": "postbank.de", "ceska sporitelna": "csas.cz",
    "komercni banka": "kb.cz", "csob": "csob.cz", "moneta": "moneta.cz", "fio banka": "fio.cz", "air bank": "airbank.cz",
    "raiffeisenbank": "rb.cz", "unicredit": "unicreditbank.cz unicredit.eu", "datova schranka": "mojedatovaschranka.cz gov.cz",
    "financni sprava": "mfcr.cz financnisprava.cz gov.cz",
    "agencia tributaria": "agenciatributaria.gob.es", "hmrc": "hmrc.gov.uk", "ameli": "ameli.fr", "o2": "o2.cz o2.de",
    "vodafone": "vodafone.com vodafone.cz vodafone.de vodafone.es", "t-mobile": "t-mobile.cz t-mobile.com",
    "telekom": "telekom.de t-online.de", "movistar": "movistar.es", "ionos": "ionos.com ionos.de", "godaddy": "godaddy.com",
    "github": "github.com", "gitlab": "gitlab.com", "figma": "figma.com", "canva": "canva.com",
    "etsy": "etsy.com", "shopify": "shopify.com", "mailchimp": "mailchimp.com", "vinted": "vinted.com", "n26": "n26.com",
    "kleinanzeigen": "kleinanzeigen.de", "bank of ireland": "bankofireland.com boi.com", "postfinance": "postfinance.ch",
    "postnl": "postnl.nl", "inpost": "inpost.pl inpost.co.uk", "gls": "gls-group.com gls-group.eu gls-pakete.de gls-czech.com",
    "internal revenue service": "irs.gov", "irs": "irs.gov", "hm revenue": "hmrc.gov.uk gov.uk", "dvla": "gov.uk",
    "social security": "ssa.gov", "nhs": "nhs.uk nhs.net", "bundeszentralamt": "bund.de", "zoll": "zoll.de bund.de",
    "elster": "elster.de", "financni urad": "mfcr.cz financnisprava.cz gov.cz", "ppl": "ppl.cz dhl.com", "mcafee": "mcafee.com",
    "norton": "norton.com gen.com nortonlifelock.com", "adp": "adp.com", "xerox": "xerox.com",
    "impots.gouv": "impots.gouv.fr finances.gouv.fr", "cez": "cez.cz", "trezor": "trezor.io", "norton 360": "norton.com",
    "geek squad": "geeksquad.com bestbuy.com", "telegram": "telegram.org", "tiktok": "tiktok.com",
}  # fmt: skip
"""Names that are often imitated, folded, with the domains that belong to them."""

_BRAND_DOMAINS = dict.fromkeys(one for domains in BRANDS.values() for one in domains.split())
_BRANDS_BY_LETTER = groupby(sorted(BRANDS, key=lambda one: (one[0], -len(one))), lambda one: one[0])
_ANY_BRAND = "|".join(f"{letter}(?:{'|'.join(re.escape(one[1:]) for one in names)})" for letter, names in _BRANDS_BY_LETTER)
_BRAND = re.compile(rf"[^\w.@-]({_ANY_BRAND})(?![\w@-])(?!\.\w)")
_SECOND_LEVEL = frozenset({"co", "com", "org", "net", "gov", "gob", "ac", "edu"})
_WORD = re.compile(r"[^\W_]+")
_CAPITAL_INSIDE = re.compile(r"[a-z]I[a-z]")
_DIGIT_INSIDE = re.compile(r"[a-z]{2}(?:0|1(?!st))[a-z]")
"""A capital I, a one or a zero that passes for a letter."""

SHORTEST_LABEL = 5
"""Letters of a domain label that can be imitated."""

SHORTEST_BRAND = 3
"""Letters of a brand that is imitated by adding a service's word to it: `dhl-paket`."""

SHORTEST_TYPED = 6
"""Letters of a domain label from which one other letter is a typo and not another name."""

SERVICE_WORDS = frozenset(
    (
        "sendung", "rebate", "taxrebate", "redeliver", "redelivery", "tax", "firmware", "remittance", "vydejna", "zasilky",
        "trust", "people", "owa", "signon", "sso", "migrate", "migration", "desk", "depot", "duty", "express", "shipment",
        "shipments", "letter", "webmail", "upgrade", "maintenance", "wartung", "tan", "phototan", "pushtan", "bank",
        "kasse", "zahlstelle", "aktualizace", "doplatky", "doplatek", "preplatky", "fakturace", "vyzva", "predvolani",
        "dokumenty", "knihovna", "spravce", "maj", "messagerie", "partage", "etude", "tramites", "aduana", "aduanas",
        "envios", "board", "office", "management", "ceo", "director", "registry", "mark", "compliance", "appeal", "appeals",
        "violation", "copyright", "policy", "rewards", "payout", "payouts", "exchange", "sync", "resync", "connect", "hub",
        "inbox", "voice", "voicehub", "fax", "scan", "spk", "department", "orders", "order", "direccion",
        "geschaeftsleitung", "vorstand", "vedeni", "reditel", "personal", "mzdy", "exec", "executive", "records", "record",
        "acceso", "payslip", "payslips", "badge", "portal", "quarantine", "digest", "hiring", "talent", "grants",
        "corporate",
        "alerts", "alert", "support", "secure", "security", "verify", "verification", "login", "signin", "account",
        "accounts", "update", "updates", "file", "files", "share", "docs", "center", "centre", "quota", "mailbox",
        "admin", "helpdesk", "help", "service", "services", "servis", "client", "clients", "klient", "klienti", "zakaznik",
        "kunde", "kunden", "kundenservice", "portal", "verlaengerung", "bestaetigung", "overeni", "payment", "payments",
        "billing", "invoice", "invoices", "refund", "delivery", "tracking", "parcel", "customs", "hr", "payroll", "reset",
        "confirm", "confirmation", "notice", "notify", "notification", "notifications", "info", "access", "auth",
        "validation", "sicherheit", "zahlung", "sign", "open", "folder", "remit", "expiry", "awards", "platba", "platby",
        "doruceni", "zasilka", "paket", "konto", "ucet", "banking", "ebanking", "online", "web", "mail", "email", "team",
        "id", "safe", "protect", "protection", "recovery", "renew", "renewal", "activation", "identity", "customer",
        "card", "cards", "pay", "bank", "storage", "cloud", "drive", "document", "documents", "user", "users", "member",
        "soporte", "seguridad", "cuenta", "pago", "pagos", "cliente", "clientes", "envio", "entrega", "verificacion",
        "aviso", "factura", "securite", "compte", "paiement", "livraison", "colis", "espace", "facture", "facturation",
        "remboursement", "kundendienst", "rechnung", "lieferung", "zustellung", "anmeldung", "bezpecnost", "prihlaseni",
        "faktura", "faktury", "posta", "aktualisierung", "freischaltung", "regularisation", "reembolso",
        "actualizacion", "check",
        "checks", "desk", "review", "audit", "claim", "claims", "dispute", "case", "view", "viewer", "download",
        "token", "fix",
        "pin", "bursary", "grants", "grant", "award", "guthaben", "freigabe", "abgleich", "zertifikat", "erstattung",
        "auszahlung", "pruefung", "devolucion", "aide", "regul", "adresse", "rezervace", "zprava", "vratka", "dotace",
        "obchodu", "platebni", "wallet", "signature", "transfer", "release", "hold", "pending", "unlock", "restore",
    )
)  # fmt: skip
"""Words that a false domain adds to a name so that it looks like a service's."""

_ALSO_NAMES = frozenset(
    {"apple", "chase", "elster", "hermes", "ledger", "meta", "moneta", "norton", "steam", "stripe", "visa", "zoll"}
)
"""Brands that are also names of people or things: they count alone or beside a word of a service."""

_OF_MANY = frozenset({"sparkasse", "volksbank"})
"""Brands of many firms, each with its place in the domain: `sparkasse-leipzig.de`."""

_OTHER_WORDS = frozenset({"telecom", "amazone", "revolt", "strive", "goggle", "lodger", "chaser", "drop-box"})
"""Names one letter from a brand's that are nobody's imitation."""

_PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"), ("nn", "m"))
_ALIKE = str.maketrans(
    {
        **dict(zip("013457|iı89", "oleastlllbg", strict=True)),
        **dict(zip("аеорсухіїјѕԁһӏвкмнтгԛԝ", "aeopcyxlljsdhlbkmhtrqw", strict=True)),
        **dict(zip("οανυρτικχεηωʟɑɡⅼ", "oavuptlkxenwlagl", strict=True)),
    }
)
"""Digits and letters of other scripts, and what they pass for. An i passes for an l."""

KNOWN = 16_384


def site(host: str) -> str:
    """Returns the part of a host that one owner holds: `shop.example.co.uk` is `example.co.uk`."""
    parts = host.lower().rstrip(".").split(".")
    return ".".join(parts[-3:] if len(parts) > 2 and parts[-2] in _SECOND_LEVEL and len(parts[-1]) == 2 else parts[-2:])


def label(domain: str) -> str:
    """The main label of a domain: `paypal` for `mail.paypal.co.uk`."""
    return site(domain).partition(".")[0]


def free_mail(domain: str) -> bool:
    """Whether anybody may have an address there: a mail provider."""
    return domain in SHARED_DOMAINS or label(domain).endswith("mail")


@lru_cache(maxsize=KNOWN)
def skeleton(text: str) -> str:
    """A domain or label with what looks alike made equal: `paypa1`, `pаypal` (Cyrillic a), `rnoneta`, invisible characters."""
    plain = _plain(".".join(map(_decoded, text.casefold().split("."))))
    for pair, letter in _PAIRS:
        plain = plain.replace(pair, letter)
    return plain.translate(_ALIKE)


def _plain(text: str) -> str:
    """Small letters without diacritics and invisible characters."""
    if text.isascii():
        return text.lower()
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(
        one for one in letters if one < "\x80" or (not unicodedata.combining(one) and unicodedata.category(one) != "Cf")
    )


def _decoded(part: str) -> str:
    """Decodes an `xn--` label; an invalid one stays as it is."""
    try:
        return part.encode("ascii").decode("idna") if part.startswith("xn--") else part
    except UnicodeError:
        return part


def imitated(domain: str, known: Collection[str]) -> str:
    """The known domain that `domain` passes for, else an empty string. Providers of mail are not imitated by name only."""
    domain = domain.lower().rstrip(".")
    if not domain or domain in known or site(domain) in known or (domain in SHARED_DOMAINS):
        return ""
    return next((one for one in known if one and _passes_for(domain, one, added=SERVICE_WORDS)), "")


@lru_cache(maxsize=KNOWN)
def imitated_brand(domain: str, any_word: bool = False) -> str:
    """The domain of a brand that `domain` passes for, else an empty string. `any_word`: any word may be added to its name."""
    domain = domain.lower().rstrip(".")
    if domain in SHARED_DOMAINS or label(domain) in _OTHER_WORDS or _of_any_brand(domain) or _of_many(domain):
        return ""
    added = None if any_word else SERVICE_WORDS
    found = (one for one in _BRAND_DOMAINS if _passes_for(domain, one, added, brand=True))
    return next(found, "")


def imitated_owner(domain: str, account: Account) -> str:
    """The domain of the owner that `domain` passes for, else an empty string."""
    mine = {address.rpartition("@")[2] for address in own_addresses(account)} - SHARED_DOMAINS
    if domain in SHARED_DOMAINS or any(_below(domain, one) for one in mine):
        return ""
    return next((one for one in sorted(mine) if _passes_for(domain, one, None)), "")


def _of_any_brand(domain: str) -> bool:
    parts = domain.split(".")
    return any(".".join(parts[place:]) in _BRAND_DOMAINS for place in range(len(parts)))


def _of_many(domain: str) -> str:
    """The brand of many firms that a domain with a place in it belongs to, else empty."""
    parts = label(domain).split("-")
    plain = domain.rpartition(".")[2] in _ABROAD and not SERVICE_WORDS.intersection(parts)
    return next((one for one in _OF_MANY if plain and any(part.endswith(one) for part in parts)), "")


def _below(domain: str, other: str) -> bool:
    return domain == other or domain.endswith(f".{other}")


@lru_cache(maxsize=KNOWN)
def _shape(domain: str) -> tuple[str, str, str, str]:
    """The site and the label of a domain, and their skeletons."""
    place = site(domain)
    name = place.partition(".")[0]
    return place, name, skeleton(place), skeleton(name)


def _passes_for(domain: str, known: str, added: frozenset[str] | None, brand: bool = False) -> bool:
    """Whether one domain passes for another. `added` are words that may be added to its name, None for any.

    A `brand` has the endings of many countries.
    """
    (place, name, shape, alike), (whole, target, wanted_shape, wanted) = _shape(domain), _shape(known)
    if brand and wanted not in alike and known not in domain and (name[:1] != target[:1] or abs(len(name) - len(target)) > 1):
        return False  # quick: this is so for nearly all brands
    if place == whole or (known in SHARED_DOMAINS and shape != wanted_shape):
        return False
    if shape == wanted_shape or f".{known}." in f".{domain}":
        return True
    if len(target) < SHORTEST_LABEL:
        return brand and len(target) >= SHORTEST_BRAND and _adds(alike, wanted, SERVICE_WORDS)
    if alike == wanted:
        return name != target or not brand or len(place.rpartition(".")[2]) > 2
    if _mistyped(name, target) or (not brand and len(wanted) >= SHORTEST_TYPED and one_edit(alike, wanted)):
        return not brand or name[0] == target[0]
    return alike == skeleton(known.replace(".", "-")) or _adds(alike, wanted, added)


def _mistyped(name: str, target: str) -> bool:
    return len(target) >= SHORTEST_TYPED and name != f"{target}s" and one_edit(name, target)


def _adds(alike: str, wanted: str, added: frozenset[str] | None) -> bool:
    """Whether a label is another one with words added to it."""
    parts = alike.split("-")
    if wanted in parts or alike.startswith(f"{wanted}-") or alike.endswith(f"-{wanted}"):
        rest = [one for one in parts if one not in wanted.split("-")]
        return added is None or any(one in _service_skeletons() for one in rest)
    if wanted not in alike or len(wanted) < SHORTEST_TYPED:
        return False
    return alike.replace(wanted, "", 1).strip("-") in _service_skeletons()


@lru_cache(maxsize=1)
def _service_skeletons() -> frozenset[str]:
    return frozenset(map(skeleton, SERVICE_WORDS))


def posed_brand(message: Message) -> str:
    """The brand named in the display name where the domain is not that brand's, else empty."""
    said = frozenset(_words(message.sender.name))
    named = (
        one
        for one in brands_in(message.sender.name)
        if one not in _ALSO_NAMES or said <= SERVICE_WORDS | {one, "for", "business"}
    )
    return next((one for one in named if not of_brand(message.sender.domain, one)), "")


def brands_in(text: str) -> list[str]:
    """The brands that a text names, folded, each once."""
    return list(dict.fromkeys(_BRAND.findall(f" {_plain(text)}")))


@lru_cache(maxsize=1024)
def brands_of(domain: str) -> tuple[str, ...]:
    """The brands that a domain belongs to. A brand's name with the ending of another country does."""
    parts = domain.split(".")
    places = [".".join(parts[place:]) for place in range(len(parts))]
    places += [f"{label(domain)}.*"] if parts[-1] in _ABROAD else []
    found = {brand for place in places for brand in _brands_by_place().get(place, ())} | {_of_many(domain)}
    return tuple(one for one in BRANDS if one in found)


@lru_cache(maxsize=1)
def _brands_by_place() -> dict[str, list[str]]:
    """The brands by their domains, and by their names with any ending as `paypal.*`."""
    found: dict[str, list[str]] = {}
    for brand, domains in BRANDS.items():
        for domain in domains.split():
            found.setdefault(domain, []).append(brand)
            found.setdefault(f"{label(domain)}.*", []).append(brand)
    return found


_ABROAD = frozenset({
    "at", "au", "be", "br", "ca", "ch", "cz", "de", "dk", "es", "fi", "fr", "gr", "hu", "ie", "it", "jp", "mx", "nl", "no", "nz",
    "pl", "pt", "ro", "se", "sk", "uk", "us",
})  # fmt: skip
"""Endings under which brands hold their own name. Others are cheap or bought by anybody: `paypal.co`, `.io`, `.tk`."""


def of_brand(domain: str, brand: str) -> bool:
    """Whether a domain belongs to a brand."""
    return brand in brands_of(domain)


_STATE = re.compile(r"(?:^|\.)(?:(?:gov|gob|gouv|bund|europa)\.[a-z]{2}|gov|mil)$")


def of_state(domain: str) -> bool:
    """Whether only an authority may have the domain."""
    return _STATE.search(domain) is not None


def name_twin(name: str, domain: str, written: str) -> bool:
    """Whether a display name is almost, but not quite, the sender's domain label; `written` is the domain with its capitals."""
    if _CAPITAL_INSIDE.search(written.rpartition("@")[2]) or _DIGIT_INSIDE.search(label(domain)):
        return True
    shown = "".join(char for char in label(domain) if char.isalnum())
    said = (*_runs(_words(name), len(shown)), *_runs(_words(spelled_out(name)), len(shown)))
    if len(shown) < SHORTEST_LABEL or shown in said:
        return False
    alike, wanted = map(skeleton, said), skeleton(shown)
    return any(one == wanted or (len(shown) > 7 and one_edit(one, wanted) and wanted != f"{one}s") for one in alike)


_SPELLED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})


def spelled_out(name: str) -> str:
    """A name as domains write it, which have no umlauts: `haendlerbund` for Händlerbund."""
    return name.casefold().translate(_SPELLED)


def _words(text: str) -> list[str]:
    return _WORD.findall(_plain(text))


def _runs(parts: Sequence[str], length: int) -> tuple[str, ...]:
    """Words that follow each other, joined, of about the given length."""
    runs = ("".join(parts[start:end]) for start in range(len(parts)) for end in range(start + 1, len(parts) + 1))
    return tuple(one for one in runs if abs(len(one) - length) < 2)


_ADDRESS_IN_NAME = re.compile(
    r"[\w.+-]+@((?:[\w-]+\.)+[a-z]{2,})|^\W*(?:www\.)?((?:[\w-]+\.)+(?:com|net|org|[a-z]{2}|example))\W*$", re.I
)


def shown_domain(sender: Address) -> str:
    """The domain of another site that the display name shows, as in `"boss@firm.example" <x@evil.example>`; else empty."""
    found = _ADDRESS_IN_NAME.search("".join(one for one in sender.name if unicodedata.category(one) != "Cf"))
    domain = (found.group(1) or found.group(2)).lower() if found else ""
    return domain if domain and site(domain) != site(sender.domain) else ""


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
    VERDICT = "verdict"
    CAREFUL = "careful"
    POSES_AS = "poses_as"
    LOOK_ALIKE = "look_alike"
    FALSE_LINK = "false_link"
    ANSWERS_ELSEWHERE = "answers_elsewhere"
    NEW_ACCOUNT = "new_account"


class DeceptionSign(Record):
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


def looks_like_phishing(signs: Collection[DeceptionSign]) -> bool:
    """Whether signs make a red banner: the verdict of triage, or two others. One alone is also in honest mail."""
    kinds = {one.kind for one in signs}
    return SignKind.VERDICT in kinds or len(kinds - {SignKind.CAREFUL}) > 1


def _verdict(stored: str) -> tuple[DeceptionSign, ...]:
    """The verdict of triage, with its stored reason as what is shown."""
    parts = decode_reason(stored)
    if parts and parts[0].said is ReasonCode.CAREFUL:
        return (DeceptionSign(SignKind.CAREFUL, stored),)
    poses = any(part.said is ReasonClause.LOOKS_LIKE for part in parts)
    return (DeceptionSign(SignKind.VERDICT, stored),) if poses or phishing_reasons(stored) else ()

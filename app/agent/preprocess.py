"""Makes an agent's input of a mail: plain, or the inquiry in a mail that the Crisp helpdesk forwards (English and Czech).

Such a mail has labelled lines, the customer's message and a footer. It is read line by line as plain text with bounded patterns;
a label may be on a line of its own with its value on the next. Only the end of a mail counts as footer, because a customer may
write "reply to this e-mail" too. All parts, the address included, come from a stranger.
"""

import re
from collections.abc import Iterator

from app.domain.agents.tools import Preprocessed
from app.domain.mail.message import Message
from app.domain.mail.recipients import mentioned
from app.domain.record import Record, replace

LONGEST = 400_000
LONGEST_NAME = 200
FRAME_LINES = 60
"""Labelled lines are looked for within this many lines."""

_NAMES = ("from", "od", "name", "jméno", "jmeno", "customer", "zákazník", "visitor", "návštěvník", "user", "uživatel", "client")
_EMAILS = ("email", "e-mail", "mail", "email address", "e-mail address", "e-mailová adresa", "emailová adresa")
_WORDS = ("message", "zpráva", "zprava", "dotaz", "question")
_OTHERS = (
    "subject", "předmět", "predmet", "phone", "telefon", "website", "web", "date", "datum", "sent", "odesláno", "to", "komu",
    "page", "stránka", "country", "země", "city", "město", "ip", "device", "zařízení", "conversation", "konverzace", "segments",
)  # fmt: skip
LABELS = {
    **dict.fromkeys((*_NAMES, "full name", "jméno a příjmení", "customer name", "jméno zákazníka"), "name"),
    **dict.fromkeys((*_EMAILS, "customer email", "customer e-mail", "e-mail zákazníka"), "email"),
    **dict.fromkeys(_WORDS, "words"),
    **dict.fromkeys(_OTHERS, ""),
}
LABELLED = re.compile(r"[\s>*|]{0,8}([^\W\d][\w .\-/]{0,30}?)\s?\*{0,2}[:：|]\*{0,2}[ \t|]*(.*)")
SEPARATOR = re.compile(r"[\s>]{0,8}[-=_*—–─]{3,200}\s*")
FORWARDED = re.compile(
    r"\s*[-_=]{2,20}\s*(?:forwarded message|přeposlaná zpráva|original message|původní zpráva)\s*[-_=]{0,20}\s*", re.IGNORECASE
)
INTRODUCED = re.compile(
    r"\s*(?:you (?:have )?(?:received|got) )?(?:a )?new (?:support )?(?:message|inquiry|conversation)"
    r"(?: from (?P<en>[^:<\n]{1,200}?))?"
    r"(?: (?:on|via|in) [^\n]{1,100})?[:.!]?\s*"
    r"|\s*(?:dostali jste |máte )?(?:nov(?:á|ou|ý|ého) )(?:zpráv[au]|dotaz|konverzac[ei])(?: od (?P<cs>[^:<\n]{1,200}?))?"
    r"(?: (?:na|přes|v) [^\n]{1,100})?[:.!]?\s*",
    re.IGNORECASE,
)
FOOTER = re.compile(
    r"[*_>|\s]{0,8}(?:"
    r"(?:sent|delivered|powered|forwarded) (?:via|with|from|by|through) crisp\b"
    r"|(?:odesláno|doručeno|přeposláno) (?:přes|z|pomocí|prostřednictvím) crisp"
    r"|(?:this|tento) (?:e-?mail|message)[^\n]{0,80}crisp"
    r"|(?:you can )?reply (?:directly )?(?:to this (?:e-?mail|message)|in crisp)"
    r"|(?:můžete )?odpov(?:ězte|ědět)(?: přímo)? (?:na tento e-?mail|v crispu)"
    r"|(?:view|open|see) (?:this |the )?(?:conversation|message|chat|in crisp|on crisp)"
    r"|(?:zobrazit|otevřít) (?:tuto )?(?:konverzaci|zprávu|chat|v crispu)"
    r"|you (?:are receiving|received) this e-?mail"
    r"|tento e-?mail (?:jste obdrželi|vám (?:byl|chodí))"
    r"|unsubscribe|odhlásit|notification settings|nastavení upozornění|crisp im\b|©"
    r")[^\n]{0,300}",
    re.IGNORECASE,
)
ADDRESS_ONLY = re.compile(r"\s*[\[<(]?https?://\S{1,2000}[\]>)]?\s*")


class CrispInquiry(Record):
    """The parts found; a missing one is empty."""

    name: str = ""
    email: str = ""
    words: str = ""


def has_form(text: str) -> bool:
    """Whether the text is a form that names a customer, one address and a message.

    The header of a forwarded mail looks alike, so the text also has a line for the address, an introduction, or Crisp's name.
    """
    inquiry = read_form(text)
    if not (inquiry.name and inquiry.email and inquiry.words):
        return False
    lines = [one for one in text[:LONGEST].split("\n")[:FRAME_LINES] if one.strip()]
    labels = (LABELLED.fullmatch(one.strip()) for one in lines)
    by_label = any(one and LABELS.get(one.group(1).strip().casefold()) == "email" for one in labels)
    return by_label or bool(INTRODUCED.fullmatch(lines[0].strip()) or re.search(r"\bcrispu?\b", text, re.IGNORECASE))


def read_form(text: str) -> CrispInquiry:
    lines = text[:LONGEST].replace("\r\n", "\n").split("\n")
    start = _after_forward(lines)
    found: dict[str, str] = {}
    end = start
    for at, label, value in _labelled(lines, start, found):
        if label == "words":
            words = [value, *lines[at:]]
            return _inquiry(found, words)
        end = at
    return _inquiry(found, lines[end:] if found else [])


def _after_forward(lines: list[str]) -> int:
    """Index of the first line after a forwarding program's header."""
    for at, line in enumerate(lines[:FRAME_LINES]):
        if FORWARDED.fullmatch(line.strip()):
            return next((after for after in range(at + 1, len(lines)) if not lines[after].strip()), at + 1)
    return 0


def _labelled(lines: list[str], start: int, found: dict[str, str]) -> Iterator[tuple[int, str, str]]:
    """The header lines as (index of the next line, label, value). Fills `found`."""
    at = start
    while at < min(len(lines), start + FRAME_LINES):
        line = lines[at].strip()
        introduced = INTRODUCED.fullmatch(line)
        labelled = LABELLED.fullmatch(line)
        label = LABELS.get(labelled.group(1).strip().casefold()) if labelled else None
        at += 1
        if labelled and label is not None:
            value = labelled.group(2).strip()
            if not value and label != "words":
                at, value = _next_line(lines, at)
            found.setdefault(label, value)
            yield at, label, value
        elif introduced:
            found.setdefault("introduced", (introduced.group("en") or introduced.group("cs") or "").strip())
            yield at, "", ""
        elif SEPARATOR.fullmatch(line):
            yield at, "", ""
            if "email" in found or "name" in found:
                return
        elif line:
            return


def _next_line(lines: list[str], at: int) -> tuple[int, str]:
    """The value of a label that is on a line of its own."""
    while at < len(lines) and not lines[at].strip():
        at += 1
    if at < len(lines) and not LABELLED.fullmatch(lines[at]):
        return at + 1, lines[at].strip()
    return at, ""


def _inquiry(found: dict[str, str], lines: list[str]) -> CrispInquiry:
    addresses = next(filter(None, (mentioned(found.get(one, "")) for one in ("email", "name", "introduced"))), frozenset())
    named = (found.get("name") or found.get("introduced", ""))[:LONGEST_NAME]
    name = re.sub(r"[<(\[]?(?:mailto:)?\S+@\S+", " ", named)
    email = next(iter(addresses)) if len(addresses) == 1 else ""
    return CrispInquiry(" ".join(name.split()).strip("\"' *|"), email, _without_footer(lines))


def _without_footer(lines: list[str]) -> str:
    """The customer's message: the text before Crisp's footer."""
    end, footed = len(lines), False
    for at in range(len(lines) - 1, -1, -1):
        line = lines[at].strip()
        if FOOTER.fullmatch(line):
            end, footed = at, True
        elif line and not ADDRESS_ONLY.fullmatch(line) and not SEPARATOR.fullmatch(line):
            break
    kept = lines[:end]
    while footed and kept and (not kept[-1].strip() or SEPARATOR.fullmatch(kept[-1])):
        kept.pop()
    return "\n".join(kept).strip()


DOMAINS = ("crisp.chat", "crisp.email", "crisp.im", "crisp.help")
NO_ADDRESS = "crisp: no single customer address"
NO_WORDS = "crisp: no message of the customer"


def _is_crisp(message: Message) -> bool:
    """Whether Crisp made the mail, by its sender or its headers, or somebody forwarded such a mail, by its form."""
    domain = message.sender.domain
    by_sender = any(domain == one or domain.endswith(f".{one}") for one in DOMAINS)
    by_header = any(name.lower().startswith("x-crisp-") for name, _ in message.headers)
    by_form = has_form(message.body_text) and read_form(message.body_text).email != message.sender.email
    return by_sender or by_header or by_form


def preprocess(message: Message) -> Preprocessed:
    """The mail as an agent gets it. Where address or message are missing in Crisp's mail it is plain, with a note on why."""
    plain = f"From: {message.sender.email}\nSubject: {message.subject}\n\n{message.body_text}"
    made = Preprocessed("default", message.sender.email, message.subject, message.body_text, plain)
    if not _is_crisp(message):
        return made
    inquiry = read_form(message.body_text)
    # The Reply-To address counts where it is exactly one and not Crisp's own.
    others = {one.email for one in message.reply_to if not one.domain.endswith(DOMAINS)} - {message.sender.email}
    email = inquiry.email or (others.pop() if len(others) == 1 else "")
    if not inquiry.words and not inquiry.email and email:  # the customer is only in Reply-To, the mail is the message
        named = inquiry.name or next((one.name for one in message.reply_to if one.email == email), "")
        inquiry = CrispInquiry(named, email, _without_footer(message.body_text[:LONGEST].replace("\r\n", "\n").split("\n")))
    if not email or not inquiry.words:
        return replace(made, note=NO_WORDS if email else NO_ADDRESS)
    name = inquiry.name or email
    prompt = f"New support inquiry from {name} ({email}):\nSubject: {message.subject}\n\n{inquiry.words}"
    fields = {"patient_name": name, "patient_email": email, "original_message": inquiry.words}
    return replace(made, maker="crisp", prompt=prompt, fields=fields)

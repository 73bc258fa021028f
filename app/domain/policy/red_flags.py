"""Computes the flags of a drafted reply: what to check before approving it. Pure functions.

Flags come from the draft and the store, never from a model. The normal draft has none: the person who wrote, people on the same
mail, the owner's own words and free times are no reason to warn.
"""

import re
from collections.abc import Callable, Collection, Iterable
from itertools import combinations

from app.domain.drafting.draft import Draft, Source, SourceKind
from app.domain.drafting.review import FlagKind, RedFlag
from app.domain.mail.deception import imitated
from app.domain.mail.message import Account, Address, Message
from app.domain.mail.recipients import SHARED_DOMAINS, own_addresses
from app.domain.policy.private_words import WORD, Letter, Run, grams, private_runs, runs_about, told_to
from app.domain.record import Record

LINK = re.compile(r"\b(?:https?://|www\.)[^\s<>\"'\])]+", re.IGNORECASE)
IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}\b")
CARD = re.compile(r"\b\d(?:[ -]?\d){12,18}\b")
CODE = re.compile(
    r"\b(?:code|pin|tan|otp|password|passcode|passwort|kennwort|kód|heslo|contraseña|mot de passe)\b(?!\")"
    r"\W{0,3}(?:is|ist|lautet|je|es|est)?\W{0,3}((?=[A-Za-z0-9\-]*\d)[A-Za-z0-9\-]{4,})",
    re.IGNORECASE,
)
KEY = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----|\beyJ[\w\-]{10,}\.[\w\-]+\.[\w\-]+"
    r"|\b(?:sk-|ghp_|gho_|glpat-|xox[abpr]-|AKIA|AIza)[A-Za-z0-9_\-]{12,}"
)


class FlagContext(Record):
    """What a draft is compared with.

    `answered` is None and `thread` empty if the draft answers nothing. `sources` are what the draft was made from, without the
    conversation itself. `written_to` are addresses the owner has written to;
    `known_domains` are the domains of the owner and of people the owner has written to; `owner_words` is everything the owner
    wrote (replies, background, remarks); `sends_before` counts the sends this run has proposed; `phishing` says that the answered
    mail poses as somebody else's. Called only where they matter: `own_letters` returns what the owner wrote lately and to whom,
    `circle` everybody on the conversation of a source, `approved` how often the owner has approved a draft with this very flag.
    """

    account: Account
    thread: tuple[Message, ...]
    answered: Message | None
    written_to: frozenset[str]
    known_domains: frozenset[str]
    owner_words: str
    sources: tuple[Source, ...]
    sends_before: int = 0
    phishing: bool = False
    own_letters: Callable[[], Collection[Letter]] = tuple
    circle: Callable[[Source], Collection[Address]] = lambda _source: ()
    approved: Callable[[RedFlag], int] = lambda _flag: 0


APPROVED_BEFORE = 2
"""After this many approvals with the same amber flag it is not raised again."""

REPEATING = frozenset({FlagKind.RECIPIENT_OUTSIDE_THREAD, FlagKind.REPLIES_ELSEWHERE})
"""Amber flags about a lasting fact. The others are about one mail."""


def red_flags(draft: Draft, around: FlagContext) -> tuple[RedFlag, ...]:
    """Returns every flag of a draft, recipients first."""
    recipients = tuple(dict.fromkeys(address.email.lower() for address in draft.recipients))
    found = (
        *(RedFlag(FlagKind.SENDER_POSES, one.sender.email) for one in (around.answered,) if one is not None and around.phishing),
        *_recipient_flags(recipients, around),
        *_look_alikes(recipients, around),
        *(RedFlag(FlagKind.BCC, address.email) for address in draft.bcc if address.email.lower() not in _own(around)),
        *(RedFlag(FlagKind.LINK_NOT_FROM_USER, link) for link in _strange_links(draft, around)),
        *(RedFlag(FlagKind.ATTACHMENT, file.name) for file in draft.attachments),
        *(RedFlag(FlagKind.CREDENTIAL, shortened(secret)) for secret in _new_secrets(draft, around)),
        *(RedFlag(FlagKind.QUOTES_PRIVATE_SOURCE, words) for words in private_quotes(draft, around)),
        *([RedFlag(FlagKind.SECOND_SEND, str(around.sends_before + 1))] if around.sends_before else []),
    )
    return tuple(one for one in found if one.kind not in REPEATING or around.approved(one) < APPROVED_BEFORE)


def participants(thread: Iterable[Message]) -> frozenset[str]:
    """Every address on the thread's messages except Reply-To, which the sender may invent."""
    return frozenset(
        address.email.lower() for message in thread for address in (message.sender, *message.to, *message.cc, *message.bcc)
    )


def readers(message: Message) -> frozenset[str]:
    """The sender and the recipients of a message, lower case."""
    return participants((message,))


def diverted(message: Message) -> tuple[str, ...]:
    """Reply-To addresses that are not the sender's and not of the sender's firm."""
    return tuple(one.email for one in message.reply_to if not _same_place(one, message.sender))


def _same_place(one: Address, other: Address) -> bool:
    """Whether two addresses are the same or of one firm: one domain, or one below the other. A mail provider is no firm."""
    mine, theirs = one.domain.lower(), other.domain.lower()
    firm = mine == theirs or mine.endswith(f".{theirs}") or theirs.endswith(f".{mine}")
    return one.email.lower() == other.email.lower() or (firm and not SHARED_DOMAINS & {mine, theirs})


def links(text: str) -> tuple[str, ...]:
    """The links in a text, each once, without closing punctuation."""
    return tuple(dict.fromkeys(found.group().rstrip(".,;:!?") for found in LINK.finditer(text)))


def credentials(text: str) -> tuple[str, ...]:
    """Parts of a text that look like a code, key, IBAN or card number. Each is cut to its first four characters."""
    return tuple(dict.fromkeys(map(shortened, secrets_in(text))))


def shortened(secret: str) -> str:
    return f"{secret[:4]}…"


def secrets_in(text: str) -> tuple[str, ...]:
    """The same parts in full."""
    found = [
        *(match.group() for match in KEY.finditer(text)),
        *(match.group() for match in IBAN.finditer(text) if valid_iban(match.group())),
        *(match.group() for match in CARD.finditer(text) if valid_card(match.group())),
        *(match.group(1) for match in CODE.finditer(text)),
    ]
    return tuple(dict.fromkeys(found))


def valid_iban(text: str) -> bool:
    """Whether an IBAN's check digits are valid (ISO 7064, mod 97)."""
    packed = text.replace(" ", "")
    number = "".join(str(int(character, 36)) for character in packed[4:] + packed[:4])
    return 15 <= len(packed) <= 34 and int(number) % 97 == 1


def valid_card(text: str) -> bool:
    """Whether a card number's check digit is valid (Luhn)."""
    digits = [int(character) for character in text if character.isdigit()]
    doubled = [sum(divmod(digit * 2, 10)) if place % 2 else digit for place, digit in enumerate(reversed(digits))]
    return any(digits) and sum(doubled) % 10 == 0


PUBLIC = frozenset({SourceKind.CALENDAR, SourceKind.PAGE})
"""Kinds of sources whose words may go to anybody: free times, and pages of the web."""


def private_quotes(draft: Draft, around: FlagContext) -> tuple[str, ...]:
    """Runs of words from a source that some recipient has not seen and that somebody else wrote or that are about somebody else.

    Free times are not private, nor is what all recipients have, what the owner has told them, or what he tells everybody.
    """
    recipients = frozenset(address.email.lower() for address in draft.recipients)
    suspects = [one for one in around.sources if one.kind not in PUBLIC and not recipients <= one.readers]
    body = _unseen(draft.body, recipients, around)
    runs = frozenset(run for source in suspects for run in body & grams(source.excerpt))
    if not runs:
        return ()
    runs -= told_to(recipients, runs, around.own_letters()) | grams(around.account.signature)
    names = _names((Address("", around.account.name), *draft.recipients))
    quoted = (min(_private(source, runs, recipients, names, around), default=()) for source in suspects)
    return tuple(dict.fromkeys(" ".join(run) for run in quoted if run))


def _private(
    source: Source, runs: Collection[Run], recipients: frozenset[str], names: frozenset[str], around: FlagContext
) -> Iterable[Run]:
    circle = around.circle(source)
    if source.kind is SourceKind.OWN_REPLY:
        others = _names(one for one in circle if one.email.lower() not in recipients)
        return runs_about(runs, source.excerpt, others, names)
    took_part = recipients <= {one.email.lower() for one in circle}
    return private_runs(runs, source.excerpt, names, took_part)


def _unseen(text: str, recipients: frozenset[str], around: FlagContext) -> frozenset[Run]:
    """The runs of a text that do not stand in a message of the conversation that all recipients have."""
    body = grams(text)
    for message in around.thread:
        if recipients <= readers(message):
            body -= grams(message.body_text)
    return body


def _strange_links(draft: Draft, around: FlagContext) -> Iterable[str]:
    recipients = frozenset(address.email.lower() for address in draft.recipients)
    seen = "\n".join([around.owner_words, *(one.body_text for one in around.thread if recipients <= readers(one))])
    return (link for link in links(draft.body) if link not in seen)


def _new_secrets(draft: Draft, around: FlagContext) -> Iterable[str]:
    """Codes and account numbers that neither all recipients have, nor the owner gives to everybody."""
    found = secrets_in(draft.body)
    if not found:
        return ()
    recipients = frozenset(address.email.lower() for address in draft.recipients)
    seen = "\n".join([around.account.signature, *(one.body_text for one in around.thread if recipients <= readers(one))])
    letters = around.own_letters()
    return (one for one in found if one not in seen and not _published(one, letters))


def _published(secret: str, letters: Collection[Letter]) -> bool:
    """Whether two letters to people with nobody in common have it."""
    groups = [people for people, text in letters if secret in text and people]
    return any(not one & other for one, other in combinations(groups, 2))


def _recipient_flags(recipients: Iterable[str], around: FlagContext) -> list[RedFlag]:
    """Flags about who gets the draft. The sender and people on the conversation raise none.

    An answer to a Reply-To address is flagged as that and as nothing else.
    """
    answered = around.answered
    inside = _own(around)
    elsewhere: set[str] = set()
    if answered is not None:
        elsewhere = {one.lower() for one in diverted(answered)}
        inside |= participants(around.thread) | {one.email.lower() for one in answered.reply_to} - elsewhere
    found: list[RedFlag] = []
    for address in recipients:
        if address in inside:
            continue
        known = address in around.written_to
        if address in elsewhere:
            found.append(RedFlag(_elsewhere(address, known, around), address))
            continue
        if answered is not None:
            found.append(RedFlag(FlagKind.RECIPIENT_OUTSIDE_THREAD, address))
        if not known:
            found.append(RedFlag(FlagKind.NEVER_WRITTEN_TO, address))
    return found


def _elsewhere(address: str, known: bool, around: FlagContext) -> FlagKind:
    """The flag of a Reply-To address.

    Only amber where the owner has written to it, where the mail came through the owner's own domain (a contact form) or a mailing
    list.
    """
    answered = around.answered
    own_domains = {one.rpartition("@")[2] for one in _own(around)}
    harmless = answered is not None and (known or answered.sender.domain in own_domains or bool(answered.header("List-Id")))
    return FlagKind.REPLIES_ELSEWHERE if harmless else FlagKind.REPLY_TO_DIFFERS


def _own(around: FlagContext) -> frozenset[str]:
    return own_addresses(around.account)


def _names(people: Iterable[Address]) -> frozenset[str]:
    return frozenset(found.group().casefold() for one in people for found in WORD.finditer(one.name))


def _look_alikes(recipients: Iterable[str], around: FlagContext) -> tuple[RedFlag, ...]:
    """Flags recipients whose domain only looks like a known one."""
    known = around.known_domains | {address.rpartition("@")[2] for address in own_addresses(around.account)}
    twins = ((recipient, imitated(recipient.rpartition("@")[2], known)) for recipient in recipients)
    return tuple(RedFlag(FlagKind.LOOK_ALIKE_DOMAIN, f"{recipient} ≈ {twin}") for recipient, twin in twins if twin)

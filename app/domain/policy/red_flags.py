"""Computes the red flags of a drafted reply: what to check before approving it. Pure functions.

Flags come from the draft and the store, never from a model. A flag informs; the user decides.
"""

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from app.domain.drafting.draft import Draft, Source
from app.domain.drafting.review import FlagKind, RedFlag
from app.domain.mail.message import Account, Message
from app.domain.mail.recipients import own_addresses
from app.domain.policy.private_words import WORD, Letter, grams, private_runs, usual_sentences

Skeleton = Callable[[str], str]
"""Maps a domain to its skeleton; domains that look alike have the same one."""

LINK = re.compile(r"\b(?:https?://|www\.)[^\s<>\"'\])]+", re.IGNORECASE)
IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}\b")
CARD = re.compile(r"\b\d(?:[ -]?\d){12,18}\b")
CODE = re.compile(
    r"\b(?:code|pin|tan|otp|password|passcode|passwort|kennwort|kód|heslo|contraseña|mot de passe)\b"
    r"\W{0,3}(?:is|ist|lautet|je|es|est)?\W{0,3}((?=[A-Za-z0-9\-]*\d)[A-Za-z0-9\-]{4,})",
    re.IGNORECASE,
)
KEY = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----|\beyJ[\w\-]{10,}\.[\w\-]+\.[\w\-]+"
    r"|\b(?:sk-|ghp_|gho_|glpat-|xox[abpr]-|AKIA|AIza)[A-Za-z0-9_\-]{12,}"
)


@dataclass(frozen=True, slots=True)
class FlagContext:
    """What a draft is compared with.

    `answered` is None and `thread` empty if the draft answers nothing. `written_to` are addresses the owner has written to;
    `known_domains` are the domains of the owner and of correspondents; `owner_words` is everything the owner wrote (replies,
    background, remarks); `sends_before` counts the sends this run has proposed. Called only if words are shared with a source:
    `own_letters` returns what the owner wrote lately and to whom, `took_part` whether all recipients are on messages of a
    source's conversation.
    """

    account: Account
    thread: tuple[Message, ...]
    answered: Message | None
    written_to: frozenset[str]
    known_domains: frozenset[str]
    owner_words: str
    sources: tuple[Source, ...]
    skeleton: Skeleton
    sends_before: int = 0
    own_letters: Callable[[], Collection[Letter]] = tuple
    took_part: Callable[[Source, frozenset[str]], bool] = lambda _source, _recipients: False


def red_flags(draft: Draft, around: FlagContext) -> tuple[RedFlag, ...]:
    """Returns every flag of a draft, recipients first."""
    recipients = tuple(dict.fromkeys(address.email.lower() for address in draft.recipients))
    return (
        *(RedFlag(FlagKind.RECIPIENT_OUTSIDE_THREAD, email) for email in _outside(recipients, around)),
        *(RedFlag(FlagKind.NEVER_WRITTEN_TO, email) for email in recipients if email not in around.written_to),
        *_look_alikes(recipients, around),
        *(RedFlag(FlagKind.BCC, address.email) for address in draft.bcc),
        *(RedFlag(FlagKind.LINK_NOT_FROM_USER, link) for link in links(draft.body) if link not in around.owner_words),
        *(RedFlag(FlagKind.ATTACHMENT, file.name) for file in draft.attachments),
        *(RedFlag(FlagKind.CREDENTIAL, found) for found in credentials(draft.body)),
        *(RedFlag(FlagKind.QUOTES_PRIVATE_SOURCE, words) for words in private_quotes(draft, around)),
        *([RedFlag(FlagKind.SECOND_SEND, str(around.sends_before + 1))] if around.sends_before else []),
        *(RedFlag(FlagKind.REPLY_TO_DIFFERS, email) for email in (diverted(around.answered) if around.answered else ())),
    )


def participants(thread: Iterable[Message]) -> frozenset[str]:
    """Every address on the thread's messages except Reply-To, which the sender may invent."""
    return frozenset(
        address.email.lower() for message in thread for address in (message.sender, *message.to, *message.cc, *message.bcc)
    )


def readers(message: Message) -> frozenset[str]:
    """The sender and the recipients of a message, lower case."""
    return participants((message,))


def diverted(message: Message) -> tuple[str, ...]:
    """Reply-To addresses that differ from the sender's."""
    return tuple(address.email for address in message.reply_to if address.email.lower() != message.sender.email.lower())


def links(text: str) -> tuple[str, ...]:
    """The links in a text, each once, without closing punctuation."""
    return tuple(dict.fromkeys(found.group().rstrip(".,;:!?") for found in LINK.finditer(text)))


def credentials(text: str) -> tuple[str, ...]:
    """Parts of a text that look like a code, key, IBAN or card number.

    Each is cut to its first four characters.
    """
    found = [
        *(match.group() for match in KEY.finditer(text)),
        *(match.group() for match in IBAN.finditer(text) if valid_iban(match.group())),
        *(match.group() for match in CARD.finditer(text) if valid_card(match.group())),
        *(match.group(1) for match in CODE.finditer(text)),
    ]
    return tuple(dict.fromkeys(f"{secret[:4]}…" for secret in found))


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


def private_quotes(draft: Draft, around: FlagContext) -> tuple[str, ...]:
    """Runs of words from a source that some recipient has not seen.

    Text that all recipients have is not private, nor is what the owner writes to everybody, unless it holds a fact.
    """
    recipients = frozenset(address.email.lower() for address in draft.recipients)
    body = grams(draft.body)
    for message in around.thread:
        if recipients <= readers(message):
            body -= grams(message.body_text)
    suspects = [source for source in around.sources if not recipients <= source.readers and body & grams(source.excerpt)]
    if not suspects:
        return ()
    usual = usual_sentences(around.own_letters())
    names = _names(around.account.name, *(address.name for address in draft.recipients))
    quoted = (
        min(private_runs(body, source.excerpt, usual, names, around.took_part(source, recipients)), default=())
        for source in suspects
    )
    return tuple(dict.fromkeys(" ".join(run) for run in quoted if run))


def _outside(recipients: Iterable[str], around: FlagContext) -> list[str]:
    """Recipients outside the conversation; none if the draft answers nothing."""
    if around.answered is None:
        return []
    inside = participants(around.thread)
    return [address for address in recipients if address not in inside]


def _names(*names: str) -> frozenset[str]:
    """The words of people's names, folded."""
    return frozenset(found.group().casefold() for name in names for found in WORD.finditer(name))


def _look_alikes(recipients: Iterable[str], around: FlagContext) -> tuple[RedFlag, ...]:
    """Flags recipients whose domain only looks like a known one."""
    known = around.known_domains | {address.rpartition("@")[2] for address in own_addresses(around.account)}
    looks = {around.skeleton(domain): domain for domain in known}
    flags = []
    for recipient in recipients:
        domain = recipient.rpartition("@")[2]
        twin = looks.get(around.skeleton(domain))
        if twin is not None and domain not in known:
            flags.append(RedFlag(FlagKind.LOOK_ALIKE_DOMAIN, f"{recipient} ≈ {twin}"))
    return tuple(flags)

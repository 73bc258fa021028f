"""Features of a mail: headers, cues, questions, and what the mailbox knows about the sender.

`gather` computes them once; header rules, classifier and explanation all use the same `MailEvidence`.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.agent.triage.cues import Cue, count_cues
from app.agent.triage.phishing import Suspicion, suspicion
from app.domain.language.speech_acts import ActKind, SpeechAct, asks
from app.domain.language.words import Language, fold, language, words
from app.domain.mail.message import Account, Message
from app.domain.mail.recipients import own_addresses
from app.domain.ports.agents import Contact

_NO_REPLY = re.compile(
    r"(?:^|[._+-])(?:no|do-?not|ne)[._-]?(?:reply|odpovidat|odpovidejte)|^mailer-daemon|^postmaster|^bounce|^nobody@"
)
_ROBOT = re.compile(
    r"^(?:notifications?|notify|alerts?|newsletter|news|novinky|info|mailer|updates?|digest|offers?|"
    r"promo|marketing|billing|orders?|receipts?|uctenky|calendar-notification|announce|bot|ci|daily|monitor)\b"
)
_SECOND_PERSON = re.compile(r"\b(?:you|your|yours|vas|vam|vami|vase|vasi|tobe|tebe|tvoje|tvuj)\b")
_DATE = re.compile(
    r"\b\d{1,2}[./]\s?\d{1,2}[./]|\b\d{4}-\d\d-\d\d\b|\b\d{1,2}:\d\d\b|\b\d{1,2}\s?(?:am|pm)\b|"
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|"
    r"\b(?:pondel|uter|stred|ctvrt|patek|sobot|nedel)|\btomorrow\b|\bzitra\b|\bnext week\b|"
    r"\b(?:january|february|march|april|june|july|august|september|october|november|december)\b"
)
_AMOUNT = re.compile(r"[€$£]\s?\d|\d\s?(?:€|kc\b|eur\b|usd\b|gbp\b|czk\b|euros?\b|pounds?\b|dollars?\b|korun)")
_USUAL_LENGTH = 120
"""Words of a long personal mail. Beyond it counts are scaled down, because a long text has a bit of everything."""
_UNSUBSCRIBE = re.compile(
    r"\bunsubscrib|\bleave (?:this|the|our) list|\bsubscription (?:options|settings|preferences)|"
    r"manage (?:your )?(?:subscription|preferences)|no longer wish to receive|"
    r"odhlas\w+ (?:odber|z odber|newsletter|se z)|zrusit odber"
)
_REPLY_SUBJECT = re.compile(r"\s*(?:re|odp|aw|sv)\s*:", re.IGNORECASE)
_LINK = re.compile(r"https?://|\bwww\.", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class MailEvidence:
    """The features of a mail. Counts are plain numbers.

    `recipients` counts To and Cc; `previous` counts earlier mails of the thread; `false_reply`: a stranger's subject starts with
    Re: although no such conversation is known.
    """

    language: Language
    list_unsubscribe: bool
    list_id: bool
    auto_submitted: bool
    precedence: str
    no_reply: bool
    robot_name: bool
    known: bool
    written_to: bool
    in_reply_to_own: bool
    previous: int
    addressed: bool
    recipients: int
    questions: int
    requests: int
    deadlines: int
    second_person: int
    dates: int
    amounts: int
    links: int
    word_count: int
    exclamations: int
    can_unsubscribe: bool
    capitals: float
    reply_subject: bool
    false_reply: bool
    cues: Mapping[Cue, int]
    suspicion: Suspicion


def gather(message: Message, thread: Sequence[Message], account: Account, contact: Contact | None, text: str) -> MailEvidence:
    """Computes the features. `text` is subject and newest part; `thread` may contain the mail or not."""
    folded = " ".join(words(text))
    earlier = [one for one in thread if one.id != message.id and one.date <= message.date]
    wants = _asks(message, account)
    own = own_addresses(account)
    return MailEvidence(
        language=language(text),
        list_unsubscribe=bool(message.header("List-Unsubscribe")),
        list_id=bool(message.header("List-Id") or message.header("List-Post") or message.header("Mailing-List")),
        auto_submitted=_auto_submitted(message),
        precedence=message.header("Precedence").strip().lower(),
        no_reply=bool(_NO_REPLY.search(reply_target(message))),
        robot_name=bool(_ROBOT.match(message.sender.email)),
        known=contact is not None and contact.received > 1,
        written_to=contact is not None and contact.sent > 0,
        in_reply_to_own=_answers_own(message, earlier),
        previous=len(earlier),
        addressed=any(address.email in own for address in message.to + message.cc),
        recipients=len(message.to) + len(message.cc),
        questions=sum(_questioning(one) for one in wants),
        requests=sum(not _questioning(one) for one in wants),
        deadlines=sum(bool(one.deadline) for one in wants),
        second_person=len(_SECOND_PERSON.findall(folded)),
        dates=len(_DATE.findall(text.lower())),
        amounts=len(_AMOUNT.findall(text.lower())),
        links=len(_LINK.findall(text)) + message.body_html.count("href="),
        word_count=len(folded.split()),
        exclamations=text.count("!"),
        can_unsubscribe=bool(_UNSUBSCRIBE.search(fold(text))),
        capitals=sum(word.isupper() and len(word) > 3 for word in text.split()) / max(1, len(text.split())),
        reply_subject=bool(_REPLY_SUBJECT.match(message.subject)),
        false_reply=bool(_REPLY_SUBJECT.match(message.subject)) and not (earlier or message.in_reply_to or contact),
        cues=count_cues(text),
        suspicion=suspicion(message, account, text),
    )


def _asks(message: Message, account: Account) -> tuple[SpeechAct, ...]:
    """What a mail asks of the owner, read with the names of the owner and of the other recipients."""
    own = own_addresses(account)
    others = [one for one in message.to + message.cc if one.email not in own]
    return asks(message.body_text, (account.name, *own), [name for one in others for name in (one.name, one.email)])


def _questioning(act: SpeechAct) -> bool:
    """Whether an act has the form of a question."""
    return act.kind is ActKind.QUESTION or "?" in act.sentence


def reply_target(message: Message) -> str:
    """The address an answer would go to, lower case."""
    return (message.reply_to[0] if message.reply_to else message.sender).email.lower()


def as_vector(seen: MailEvidence) -> tuple[float, ...]:
    """The features as numbers of about 0 to 1, always in the same order and length."""
    flags = (
        seen.list_unsubscribe, seen.list_id, seen.auto_submitted, seen.precedence in {"bulk", "list", "junk"}, seen.no_reply,
        seen.robot_name, seen.known or seen.written_to, seen.in_reply_to_own or (seen.reply_subject and seen.previous > 0),
        seen.reply_subject, seen.false_reply, not seen.addressed, seen.recipients > 2, seen.language is Language.CS,
        seen.word_count < 30, seen.word_count > 250, seen.links > 5, seen.questions == 0 and seen.requests == 0,
    )  # fmt: skip
    dense = min(1.0, _USUAL_LENGTH / max(1, seen.word_count))
    counts = (
        seen.questions, seen.requests, seen.deadlines, seen.second_person, seen.dates, seen.amounts, seen.links,
        seen.exclamations, seen.suspicion.weight,
    )  # fmt: skip
    length = (min(1.0, math.log1p(seen.word_count) / 6.0), min(1.0, seen.capitals * 4))
    squeezed = tuple(dense * math.log1p(value) / math.log(6) for value in counts)
    cues = tuple(dense * math.log1p(seen.cues[cue]) / math.log(4) for cue in Cue)
    return tuple(float(flag) for flag in flags) + squeezed + length + cues


def _auto_submitted(message: Message) -> bool:
    value = message.header("Auto-Submitted").strip().lower()
    return value not in {"", "no"}


def _answers_own(message: Message, earlier: Sequence[Message]) -> bool:
    """Whether the mail answers one that the owner sent."""
    ids = {message.in_reply_to, *message.references} - {""}
    return any(one.outgoing and one.rfc822_id in ids for one in earlier) or (bool(ids) and any(one.outgoing for one in earlier))

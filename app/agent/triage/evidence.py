"""Features of a mail: what the mailbox knows about the sender, content and speech acts, thread, headers and labels.

`gather` reads them once; rules, models and explanation use the same `MailEvidence`. `features` turns them into named numbers.
"""

import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from app.agent.language.wishes import WishModel, shipped_wishes
from app.agent.triage.cues import Cue, count_cues
from app.agent.triage.habits import Habits, Tally, habits_of
from app.agent.triage.threat_signs import ThreatSigns
from app.agent.triage.threat_words import NO_REPLY, UNREAD
from app.agent.triage.threats import threat_signs
from app.domain.language.own_words import beginning_and_end, own_words
from app.domain.language.speech_acts import ASKING, ActKind, Addressee, SpeechAct, first_and_last, greeted, speech_acts
from app.domain.language.speech_tables import ASKS_TO_PAY, OFFERS_WARES, SELLS, WANTS_WORD
from app.domain.language.words import fold, words
from app.domain.mail.message import Account, Message, SystemLabel
from app.domain.mail.recipients import SHARED_DOMAINS, own_addresses
from app.domain.ports.agents import Contact
from app.domain.record import Record

_ROBOT = re.compile(
    r"^(?:notifications?|notify|alerts?|newsletter|news|novinky|info|mailer|updates?|digest|offers?|deals|hello|team|"
    r"promo|marketing|billing|orders?|receipts?|uctenky|calendar-notification|announce|announcements?|bot|ci|daily|monitor|system|"
    r"service|support|invoice|faktury|rechnung|objednavky|bestellung|angebote?|security|jobs)\b"
)
_SECOND_PERSON = frozenset(
    (
        "you", "your", "yours", "u", "vas", "vam", "vami", "vase", "vasi", "vaseho", "tobe", "tebe", "ti", "te", "tvoje", "tvuj",
        "sie", "ihnen", "ihr", "ihre", "ihren", "du", "dir", "dich", "dein", "deine", "euch", "vous", "votre", "usted", "tu",
    )
)  # fmt: skip
_DATE = re.compile(r"\d(?<!\w\d)(?:\d?[./]\s?\d{1,2}[./]|\d{3}-\d\d-\d\d\b|\d?:\d\d\b|\d?\s?(?:am|pm|uhr)\b)")
"""Dates in figures. It begins with one set of characters, which `re` finds several times faster than a choice of beginnings; so
do the amounts and links below.
"""
_NEXT_WEEK = re.compile(r"next week\b(?<!\wnext week)")
_DATE_WORD = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|tomorrow\b|zitra\b|morgen\b|"
    r"pondel|uter|stred|ctvrt|patek|sobot|nedel|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|"
    r"(?:january|february|march|april|june|july|august|september|october|november|december)\b"
)
_AMOUNT = re.compile(r"[€$£\d](?:(?<=\D)\s?\d|(?<=\d)\s?(?:€|kc\b|eur\b|usd\b|gbp\b|czk\b|euros?\b|pounds?\b|dollars?\b|korun))")
_REPLY_SUBJECT = re.compile(r"\s*(?:re|odp|aw|sv|antw)\s*(?:\[\d+\])?:", re.IGNORECASE)
_FORWARD_SUBJECT = re.compile(r"\s*(?:fwd?|wg|fw)\s*:", re.IGNORECASE)
_AUTO_SUBJECT = re.compile(
    r"^\s*(?:auto(?:matic|mated)?[- ]?(?:reply|response)|out of (?:the )?office|automaticka odpoved|mimo kancelar|"
    r"abwesenheitsnotiz|automatische antwort|abwesend|nepritomnost)\b"
)
_FOR_WORD = re.compile(
    r"\b(?:get in touch|contact|call|let (?:me|us) know|confirm|reply|melden|bescheid|bestatig\w+|ozvete|vedet|potvrdte)\b"
)
_MENTION = re.compile(r"(?:^|\s)@\w")
_LINK = re.compile(r"[hw](?:(?<=h)ttps?://|(?<=\bw)ww\.)")
CATEGORIES = frozenset({"CATEGORY_PROMOTIONS", "CATEGORY_UPDATES", "CATEGORY_SOCIAL", "CATEGORY_FORUMS"})
"""Labels of Gmail's tabs for mail to many."""

SEARCHED = 20_000
"""Characters of a mail in which its newest part is looked for; what is found in so many is remembered."""

SHORT_COMPLAINT = 120
"""Words up to which a single word of complaint makes one."""

GROUP = 8
"""Other recipients from whom a mail goes to a group."""

_BULK = frozenset({"bulk", "list", "junk"})


class MailEvidence(Record):
    """What is read from a mail. Counts are plain numbers; `recipients` counts To and Cc.

    `took_part`: the owner wrote in the thread. `greets` says whom the greeting names. `asks` are the acts that want something of
    the owner and an answer, `deeds` those that want a deed of everybody. `sells`: an unknown sender asks, and tells of customers.
    `wish`: log odds that a sentence wants something, by its words: one of `asks`, or where there are none any. `plain` are
    features that nothing else asks for.
    """

    acts: tuple[SpeechAct, ...]
    asks: tuple[SpeechAct, ...]
    deeds: tuple[SpeechAct, ...]
    sells: bool
    wish: float
    greets: Addressee
    habits: Habits
    threats: ThreatSigns
    cues: Mapping[Cue, int]
    list_unsubscribe: bool
    list_id: bool
    auto_submitted: bool
    auto_replied: bool
    precedence: str
    no_reply: bool
    robot_name: bool
    colleague: bool
    known: bool
    written_to: bool
    in_reply_to_own: bool
    took_part: bool
    addressed: bool
    in_to: bool
    recipients: int
    second_person: int
    dates: int
    amounts: int
    word_count: int
    subject_asks: bool
    plain: Mapping[str, float]
    labels: frozenset[str]

    @property
    def mentioned(self) -> bool:
        """Whether the owner is asked by name with an @, as in notices of discussions elsewhere."""
        return any(act.addressee is Addressee.OWNER and _MENTION.search(act.sentence) for act in self.asks)

    @property
    def questions(self) -> int:
        """How many asking sentences have the form of a question."""
        return sum(act.kind is ActKind.QUESTION or "?" in act.sentence for act in self.asks)

    @property
    def requests(self) -> int:
        """How many asking sentences have no form of a question."""
        return len(self.asks) - self.questions

    @property
    def stranger(self) -> bool:
        """Whether nothing is known about the sender."""
        return not (self.known or self.written_to or self.colleague or self.in_reply_to_own)

    @property
    def by_program(self) -> bool:
        """Whether no person reads an answer."""
        return self.no_reply or self.auto_submitted or self.auto_replied

    @property
    def bulk(self) -> bool:
        """Whether the mail says that it went to many, other than by a list of people."""
        return self.list_unsubscribe or (self.precedence in _BULK and not self.list_id)


def gather(
    message: Message,
    thread: Sequence[Message],
    account: Account,
    contact: Contact | None,
    text: str,
    habits: Habits | None = None,
) -> MailEvidence:
    """Reads a mail. `text` is subject and newest part; `thread` may contain the mail or not."""
    text, body = beginning_and_end(text), message.body_text[:SEARCHED]
    earlier = [one for one in thread if one.id != message.id and one.date <= message.date]
    own = own_addresses(account)
    told = habits if habits is not None and habits.learned else habits_of(contact)
    found = words(text)
    cues = count_cues(text)
    others = [one for one in message.to + message.cc if one.email not in own]
    addressed = any(one.email in own for one in message.to + message.cc)
    people = others if addressed else [one for one in others if one.name]  # what reached the owner all the same is a group
    names = (account.name, *own), tuple(name for one in people for name in (one.name, one.email))
    known = told.sender.received > 0 or told.sender.sent > 0 or (contact is not None and contact.received > 1)
    written_to = told.sender.sent > 0 or (contact is not None and contact.sent > 0)
    reply = bool(_REPLY_SUBJECT.match(message.subject))
    folded, lowered, written = fold(text), text.lower(), text.split()
    links = len(_LINK.findall(lowered)) if "//" in text or "www." in lowered else 0
    capitals = sum(map(str.isupper, [word for word in written if len(word) > 3]))
    acts, greets, colleague = speech_acts(body, *names), greeted(body, *names), _colleague(message, own)
    asks = [act for act in acts if act.asks_owner and (colleague or not _bills(act))]
    to_many = not addressed or len(others) >= GROUP or greets is Addressee.ALL
    deeds = tuple(act for act in asks if to_many and _deed_of_all(act))
    kept = tuple(act for act in asks if act not in deeds)
    return MailEvidence(
        acts=acts,
        asks=kept,
        deeds=deeds,
        sells=bool(asks) and not known and SELLS.within(fold(" ".join(own_words(body).sentences))),
        wish=wish_of(kept, body, shipped_wishes()),
        greets=greets,
        habits=told,
        threats=threat_signs(message, account, text, cues, told),
        cues=cues,
        list_unsubscribe=bool(message.header("List-Unsubscribe")),
        list_id=bool(message.header("List-Id") or message.header("List-Post") or message.header("Mailing-List")),
        auto_submitted=message.header("Auto-Submitted").strip().lower() not in {"", "no"},
        auto_replied=_auto_replied(message, cues),
        precedence=message.header("Precedence").strip().lower(),
        no_reply=bool(NO_REPLY.search(reply_target(message))) or UNREAD.within(" ".join(folded.split())),
        robot_name=bool(_ROBOT.match(message.sender.email)),
        colleague=colleague,
        known=known,
        written_to=written_to,
        in_reply_to_own=_answers_own(message, earlier),
        took_part=any(one.outgoing for one in earlier),
        addressed=addressed,
        in_to=any(address.email in own for address in message.to),
        recipients=len(message.to) + len(message.cc),
        second_person=sum(map(_SECOND_PERSON.__contains__, found)),
        dates=len(_DATE.findall(folded)) + len(_NEXT_WEEK.findall(folded)) + sum(map(_is_date, found)),
        amounts=len(_AMOUNT.findall(lowered)),
        word_count=len(found),
        subject_asks="?" in message.subject,
        plain={
            "links": _some(links + message.body_html.count("href="), 4),
            "exclamations": min(1.0, 120 / max(1, len(found))) * _some(text.count("!"), 4),
            "capitals": min(1.0, capitals / max(1, len(written)) * 4),
            "owner_began": float(bool(earlier) and earlier[0].outgoing),
            "owner_last": float(bool(earlier) and earlier[-1].outgoing),
            "waited": _some(_since_owner(message, earlier), 2),
            "previous": _some(len(earlier), 4),
            "reply": float(reply),
            "forward": float(bool(_FORWARD_SUBJECT.match(message.subject))),
            "false_reply": float(reply and not (earlier or message.in_reply_to or known)),
        },
        labels=message.labels,
    )


def wish_of(asks: Sequence[SpeechAct], body: str, model: WishModel) -> float:
    """How likely a sentence that asks wants something, or any sentence where none is known to ask."""
    return model.likelihood([act.sentence for act in asks] or first_and_last(own_words(body).sentences))


def reply_target(message: Message) -> str:
    """The address an answer would go to, lower case."""
    return (message.reply_to[0] if message.reply_to else message.sender).email.lower()


def features(seen: MailEvidence) -> dict[str, float]:
    """The features by name, each about 0 to 1."""
    return {**seen.plain, **_social(seen), **_content(seen), **_headers(seen)}


def _social(seen: MailEvidence) -> dict[str, float]:
    habits = seen.habits
    sender, domain, group, topic = habits.sender, habits.domain, habits.mailing_list, habits.topic
    usual = (habits.everything.answered + 4) / (habits.everything.received + 20)
    return {
        "colleague": float(seen.colleague),
        "written_to": float(seen.written_to),
        "known": float(seen.known),
        "stranger": float(seen.stranger),
        "sender_answered": _rate(sender, usual),
        "sender_answers": _some(sender.answered, 4),
        "sender_received": _some(sender.received, 5),
        "sender_sent": _some(sender.sent, 5),
        "domain_answered": _rate(domain, usual),
        "list_answered": _rate(group, usual),
        "topic_answered": _rate(topic, usual),
        "topic_received": _some(topic.received, 4),
        "list_sent": _some(group.sent, 3),
        "sender_unread": sender.unread / (sender.received + 2),
        "alone": float(seen.addressed and seen.recipients == 1),
        "in_to": float(seen.in_to),
        "in_cc": float(seen.addressed and not seen.in_to),
        "not_addressed": float(not seen.addressed),
        "recipients": _some(max(0, seen.recipients - 1), 4),
        "greets_owner": float(seen.greets is Addressee.OWNER),
        "greets_other": float(seen.greets is Addressee.OTHER),
        "greets_all": float(seen.greets is Addressee.ALL),
    }


def _content(seen: MailEvidence) -> dict[str, float]:
    asks = seen.asks
    person = seen.mentioned or not (seen.by_program or seen.bulk)
    kinds = [act.kind for act in seen.acts]
    rest = {ActKind.THANKS: "thanks", ActKind.NOTICE: "notice", ActKind.COMMITMENT: "commitment", ActKind.DECLINE: "decline"}
    dense = min(1.0, 120 / max(1, seen.word_count))
    return {
        "asks": float(bool(asks) and person),
        "asks_by_program": float(bool(asks) and not person),
        "question": float(person and any(act.kind is ActKind.QUESTION for act in asks)),
        "request": float(person and any(act.kind is ActKind.REQUEST for act in asks)),
        "proposal": float(person and any(act.kind is ActKind.PROPOSAL for act in asks)),
        "question_mark": float(person and any("?" in act.sentence for act in asks)),
        "asks_many": _some(max(0, len(asks) - 1), 3) * person,
        "offers_wares": float(bool(asks) and person and seen.stranger and (seen.sells or all(map(_offers, asks)))),
        "asks_owner": float(any(act.addressee is Addressee.OWNER for act in asks)),
        "asks_all": float(any(act.addressee is Addressee.ALL for act in asks)),
        "asks_other": float(any(act.kind in ASKING and not act.asks_owner for act in seen.acts)),
        "asks_alone": float(bool(asks) and person and seen.addressed and seen.recipients == 1),
        "wish_asked": float(bool(asks) and person) * seen.wish,
        "wish_unasked": float(person and not asks) * max(0.0, seen.wish),
        "subject_asks": float(person and seen.subject_asks),
        "asks_dense": float(person) * dense * bool(asks),
        "deadline": float(person and any(act.deadline for act in asks)),
        **{f"act_{name}": float(kind in kinds) for kind, name in rest.items()},
        "only_thanks": float(bool(kinds) and set(kinds) <= {ActKind.THANKS, ActKind.COMMITMENT}),
        "second_person": min(1.0, 8 * seen.second_person / max(8, seen.word_count)),
        "short": float(seen.word_count < 15),
        "long": float(seen.word_count > 200),
        "length": min(1.0, math.log1p(seen.word_count) / 6.0),
        "dates": dense * _some(seen.dates, 4),
        "amounts": dense * _some(seen.amounts, 4),
        **{f"cue_{cue.value}": dense * _some(seen.cues[cue], 3) for cue in Cue},
        "person_meeting": float(person) * dense * _some(seen.cues[Cue.MEETING], 3),
        "complains": float(person and complains(seen)),
        "person_follow_up": float(person) * dense * _some(seen.cues[Cue.FOLLOW_UP], 3),
        "threats": _some(seen.threats.weight, 3),
    }


def _headers(seen: MailEvidence) -> dict[str, float]:
    return {
        "answers_own": float(seen.in_reply_to_own),
        "took_part": float(seen.took_part),
        "list": float(seen.list_id and not seen.list_unsubscribe),
        "foreign_list": float(foreign_list(seen)),
        "unsubscribe": float(seen.list_unsubscribe),
        "bulk": float(seen.precedence in _BULK),
        "auto": float(seen.auto_submitted),
        "auto_reply": float(seen.auto_replied),
        "no_reply": float(seen.no_reply),
        "robot_name": float(seen.robot_name),
        "authentic": float(seen.threats.authentic),
        "important": float(SystemLabel.IMPORTANT in seen.labels),
        **{name.lower(): float(name in seen.labels) for name in sorted(CATEGORIES)},
    }


def foreign_list(seen: MailEvidence) -> bool:
    part = seen.addressed or seen.took_part or seen.known or seen.written_to or seen.habits.mailing_list.sent > 0
    return seen.list_id and not part


def complains(seen: MailEvidence) -> bool:
    return seen.cues[Cue.COMPLAINT] > 1 or (seen.cues[Cue.COMPLAINT] == 1 and seen.word_count < SHORT_COMPLAINT)


@lru_cache(maxsize=16_384)
def _is_date(word: str) -> bool:
    """Whether a word names a day or a month; mails share most words."""
    return _DATE_WORD.match(word) is not None


def _bills(act: SpeechAct) -> bool:
    """Whether an act asks for a payment and no word."""
    folded = fold(act.sentence)
    return act.kind is ActKind.REQUEST and "?" not in folded and ASKS_TO_PAY.within(folded) and not _FOR_WORD.search(folded)


def _deed_of_all(act: SpeechAct) -> bool:
    """Whether an act asks everybody for a deed and no word: `please park in the street`."""
    return act.kind is ActKind.REQUEST and act.addressee is not Addressee.OWNER and not WANTS_WORD.within(fold(act.sentence))


def _offers(act: SpeechAct) -> bool:
    """Whether an act only asks whether the reader wants what is offered."""
    return OFFERS_WARES.within(fold(act.sentence))


def _since_owner(message: Message, earlier: Sequence[Message]) -> int:
    """How many mails the sender wrote in the thread since the owner's last one."""
    last = max((place for place, one in enumerate(earlier) if one.outgoing), default=-1)
    return sum(one.sender.email == message.sender.email for one in earlier[last + 1 :])


def _some(count: int, many: float) -> float:
    """A count on a logarithmic scale; about 1 for e to the power of `many`."""
    return min(1.5, math.log1p(count) / many)


def _rate(known: Tally, usual: float) -> float:
    """How much more often than usual a kind of mail is answered, as log odds. Drawn to 0 where little is known."""
    share = (known.answered + 4.0 * usual) / (known.received + 4.0)
    odds = math.log(share / (1.0 - share)) - math.log(usual / (1.0 - usual))
    return max(-1.0, min(1.0, odds / 3.0))


def _auto_replied(message: Message, cues: Mapping[Cue, int]) -> bool:
    """Whether the mail is an automatic reply, by its headers or its words."""
    value = message.header("Auto-Submitted").lower()
    if value.startswith("auto-replied") or message.header("Precedence").strip().lower() == "auto_reply":
        return True
    if message.header("X-Autoreply") or message.header("X-Autorespond"):
        return True
    if _AUTO_SUBJECT.match(fold(message.subject)):
        return True
    beginning = " ".join(own_words(message.body_text[:SEARCHED]).sentences[:2])
    return cues[Cue.AUTO_REPLY] > 0 and len(beginning) < 400 and count_cues(beginning)[Cue.AUTO_REPLY] > 1


def _colleague(message: Message, own: frozenset[str]) -> bool:
    """Whether the sender has the owner's domain, and it is not a mail provider's."""
    domain = message.sender.domain
    return bool(domain) and domain not in SHARED_DOMAINS and any(one.endswith(f"@{domain}") for one in own)


def _answers_own(message: Message, earlier: Sequence[Message]) -> bool:
    ids = {message.in_reply_to, *message.references} - {""}
    return any(one.outgoing and one.rfc822_id in ids for one in earlier) or (bool(ids) and any(one.outgoing for one in earlier))

"""Triage verdicts and their reasons. Pure functions.

Decision and category are separate axes. A reason is stored as codes with values; the window translates their texts.
"""

import json
from collections.abc import Callable
from enum import StrEnum
from typing import Self

from app.domain.error_texts import tr
from app.domain.record import Record


class Decision(StrEnum):
    """Whether a message wants an answer, attention, or nothing."""

    RESPOND = "respond"
    NOTIFY = "notify"
    IGNORE = "ignore"


class Category(StrEnum):
    INQUIRY = "inquiry"
    MEETING_REQUEST = "meeting_request"
    COMPLAINT = "complaint"
    FOLLOW_UP = "follow_up"
    SPAM = "spam"
    OTHER = "other"


SPAM_CERTAIN = 0.8
"""From this confidence on spam ends the run; below it the decision becomes notify."""

UNSURE_BELOW = 0.65
"""Below this confidence the window says "unsure"."""


class Triage(Record):
    """One verdict.

    `confidence` is in 0..1. `maker` is for example `rule:list-mail`, `local:212` (classifier and its number of examples) or a
    litellm model id. `reason` is as `encode_reason` writes it, one code of `ReasonCode`, or a model's own sentence.
    """

    decision: Decision
    category: Category
    confidence: float
    reason: str
    maker: str


class OwnerVerdict(StrEnum):
    """What the owner says a message should have been."""

    NEEDS_REPLY = "needs_reply"
    FOR_INFORMATION = "for_information"
    NO_ACTION = "no_action"
    SPAM = "spam"
    NOT_SPAM = "not_spam"
    PHISHING = "phishing"
    NOT_SUSPICIOUS = "not_suspicious"

    @property
    def dropped(self) -> bool:
        return self in (OwnerVerdict.SPAM, OwnerVerdict.PHISHING)

    @property
    def clears(self) -> bool:
        """Whether it only says what the message is not. Triage then judges the rest."""
        return self in (OwnerVerdict.NOT_SPAM, OwnerVerdict.NOT_SUSPICIOUS)


OWNER_MAKER = "rule:owner"
"""Maker of verdicts on messages that the owner corrected. Nothing else judges these."""


def owner_triage(verdict: OwnerVerdict, judged: Triage | None = None) -> Triage:
    """The verdict on a corrected message. `judged` is that of triage, kept where the owner only said what it is not."""
    own = {
        OwnerVerdict.NEEDS_REPLY: (Decision.RESPOND, ReasonCode.OWN_VERDICT),
        OwnerVerdict.FOR_INFORMATION: (Decision.NOTIFY, ReasonCode.OWN_VERDICT),
        OwnerVerdict.NO_ACTION: (Decision.IGNORE, ReasonCode.OWN_VERDICT),
        OwnerVerdict.SPAM: (Decision.IGNORE, ReasonCode.OWN_VERDICT),
        OwnerVerdict.NOT_SPAM: (Decision.NOTIFY, ReasonCode.NOT_SPAM),
        OwnerVerdict.PHISHING: (Decision.IGNORE, encode_reason(Reason(ReasonCode.PHISHING), Reason(ReasonClause.REPORTED))),
        OwnerVerdict.NOT_SUSPICIOUS: (Decision.NOTIFY, ReasonCode.NOT_SUSPICIOUS),
    }
    decision, reason = own[verdict]
    known = judged is not None and judged.category is not Category.SPAM
    category = judged.category if judged is not None and known else Category.OTHER
    if verdict.clears and judged is not None and judged.decision is Decision.RESPOND:
        decision = Decision.RESPOND
    return Triage(decision, Category.SPAM if verdict.dropped else category, 1.0, reason, OWNER_MAKER)


def settle_spam(triage: Triage) -> Triage:
    """Shows uncertain spam, and never answers any."""
    certain = triage.confidence >= SPAM_CERTAIN
    if triage.category is not Category.SPAM or (certain and triage.decision is not Decision.RESPOND):
        return triage
    return Triage(
        Decision.IGNORE if certain else Decision.NOTIFY, triage.category, triage.confidence, triage.reason, triage.maker
    )


class _CodeWithText(StrEnum):
    """A code, which is stored, with its text, which is translated."""

    text: str

    def __new__(cls, code: str, text: str) -> Self:
        member = str.__new__(cls, code)
        member._value_ = code
        member.text = text
        return member


class ReasonCode(_CodeWithText):
    """Whole sentences. `%1` is an address, or the words that decided most."""

    OWN_MAIL = "own_mail", tr("You sent this email yourself.")
    DELIVERY_STATUS = "delivery_status", tr("A mail server reports on the delivery of your email.")
    LABELLED_SPAM = "labelled_spam", tr("Your mail server marked it as spam.")
    PHISHING = "phishing", tr("The sender pretends to be someone else and pressures you to share data or click a link.")
    CAREFUL = "careful", tr("Be careful with this email.")
    AUTO_REPLY = "auto_reply", tr("An automatic reply. No person wrote it.")
    CALENDAR_NOTE = "calendar_note", tr("A calendar message about an answer or a change.")
    INVITATION = "invitation", tr("Includes a calendar invitation that needs your answer.")
    LIST_MAIL = "list_mail", tr("Sent to a mailing list or in bulk, not just to you.")
    CORRECTED = "corrected", tr("You sorted email from this sender this way before.")
    OWN_VERDICT = "own_verdict", tr("You set this yourself.")
    NOT_SPAM = "not_spam", tr("You said that this isn't spam.")
    NOT_SUSPICIOUS = "not_suspicious", tr("You said that this isn't suspicious.")
    ANSWERED = "answered", tr("You already answered in this conversation.")
    NEWER = "newer", tr("A newer email in the conversation replaces it.")
    TAUGHT_ANSWER = "taught_answer", tr("You usually answer emails from %1.")
    TAUGHT_QUIET = "taught_quiet", tr("You usually don't answer emails from %1.")
    WORDS = "words", tr("Main signs: %1")
    JUDGED = "judged", tr("Most similar to an email from %1 that you decided this way")
    NOTHING_TO_DO = "nothing_to_do", tr("The response agent found nothing to do.")
    WHOLE = "whole", tr("No single word decided. The text as a whole is most like such email")


class ReasonClause(_CodeWithText):
    """Parts of a sentence. `%1` is an address, a domain, a brand or a number in words."""

    LOOKS_LIKE = "looks_like", tr("the sender looks like %1 but isn't")
    ORDERS = "orders", tr("tries to instruct an AI assistant")
    SECRETS = "secrets", tr("asks for passwords or card data")
    NAME_TWIN = "name_twin", tr("the sender's domain only resembles its name")
    PROVIDER = "provider", tr("pretends to be your email provider")
    REPORTED = "reported", tr("you reported it as phishing")
    FORGED = "forged", tr("the sender's domain doesn't confirm it")
    UNPROVEN = "unproven", tr("nothing confirms who sent it")
    LINK_ELSEWHERE = "link_elsewhere", tr("a link doesn't lead where it says")
    REPLY_ELSEWHERE = "reply_elsewhere", tr("replies would go to another domain")
    NEW_ACCOUNT = "new_account", tr("asks you to pay into a new account")
    LINK_AWAY = "link_away", tr("its link leads outside the sender's domain")
    PAY_NOW = "pay_now", tr("pressures you to pay")
    GIFT_CARD = "gift_card", tr("asks for gift cards")
    FAVOUR = "favour", tr("asks you to lay out money and promises to pay it back")
    CALL_BACK = "call_back", tr("asks you to call a number about a charge")
    RISKY_FILE = "risky_file", tr("has an attachment that can run programs")
    FOREIGN_ACCOUNT = "foreign_account", tr("the bank account is in another country")
    SECRECY = "secrecy", tr("asks you not to call or tell anyone")
    PERSONAL = "personal", tr("asks for personal details such as your birthday or ID")
    FALSE_BOSS = "false_boss", tr("signs as a boss but writes from a private address")
    ADVANCE_FEE = "advance_fee", tr("asks for money before you get something")
    SIGN_IN = "sign_in", tr("asks you to sign in through a link")
    OFTEN_ANSWERED = "often_answered", tr("you often answer this sender")
    ASKS_OTHERS = "asks_others", tr("addresses someone else")
    LIST = "list", tr("came through a mailing list")
    LURE = "lure", tr("makes promises that sound too good to be true")
    PITCH = "pitch", tr("offers services you didn't ask for")
    HASTE = "haste", tr("pressures you to act fast")
    COMPLAINT = "complaint", tr("reports that something went wrong")
    STILL_OPEN = "still_open", tr("asks about something that is still open")
    MEETING = "meeting", tr("asks for a time to meet")
    ONE_QUESTION = "one_question", tr("asks one question")
    QUESTIONS = "questions", tr("asks %1 questions")
    REQUEST = "request", tr("asks you for something")
    TO_YOU = "to_you", tr("addresses you directly")
    ANSWERS_YOURS = "answers_yours", tr("answers your email")
    WRITTEN_TO = "written_to", tr("you have written to this address before")
    KNOWN = "known", tr("the sender has written to you before")
    ALONE = "alone", tr("it was sent only to you")
    PROGRAM = "program", tr("it was sent by a program")
    OFFER = "offer", tr("it reads like a newsletter or an offer")
    NO_ANSWER = "no_answer", tr("says that no answer is needed")
    THANKS = "thanks", tr("says thanks or agrees")
    FIGURE = "figure", tr("mentions a date or an amount you may want to know")
    DONE = "done", tr("confirms something already done")
    NOTHING_ASKED = "nothing_asked", tr("doesn't ask you for anything")


NUMBERS = ("no", "one", "two", "three", "four", "five")
"""Numbers of questions; the last one also stands for more."""

_QUESTIONS = {
    "two": tr("asks two questions"),
    "three": tr("asks three questions"),
    "four": tr("asks four questions"),
    "five": tr("asks five or more questions"),
}
_AND = tr(" and ")


class Reason(Record):
    """One part of a reason; `about` fills `%1`, else it is empty."""

    said: ReasonCode | ReasonClause
    about: str = ""

    @property
    def text(self) -> str:
        return _QUESTIONS.get(self.about, self.said.text) if self.said is ReasonClause.QUESTIONS else self.said.text


def encode_reason(*parts: Reason) -> str:
    """A whole sentence or several clauses as they are stored; empty for none."""
    return json.dumps([(one.said, one.about) for one in parts], ensure_ascii=False) if parts else ""


def decode_reason(stored: str) -> tuple[Reason, ...]:
    """The parts of a stored reason: a single code, or what `encode_reason` made. Empty for a model's own sentence."""
    if stored in _CODES:
        return (Reason(_CODES[stored]),)
    try:
        return tuple(Reason(_CODES[code], about) for code, about in json.loads(stored))
    except (ValueError, TypeError, KeyError):
        return ()


_CODES: dict[str, ReasonCode | ReasonClause] = {one.value: one for kind in (ReasonCode, ReasonClause) for one in kind}


def reason_text(stored: str, translate: Callable[[str], str] = str) -> str:
    """A stored reason in words, in English by default. A model's own sentence stays as it is."""
    parts = decode_reason(stored)
    sentences = [translate(one.text).replace("%1", one.about) for one in parts if isinstance(one.said, ReasonCode)]
    clauses = [translate(one.text).replace("%1", one.about) for one in parts if isinstance(one.said, ReasonClause)]
    if clauses:
        text = translate(_AND).join(clauses)
        sentences.append(f"{text[:1].upper()}{text[1:]}.")
    return " ".join(sentences) or stored


def phishing_reasons(stored: str) -> tuple[Reason, ...]:
    """Why a mail was called phishing, from its stored reason; empty for other mail. Any reader of a mail can show it."""
    parts = decode_reason(stored)
    return parts if parts and parts[0].said is ReasonCode.PHISHING else ()

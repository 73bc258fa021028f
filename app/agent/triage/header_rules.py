"""Verdicts that need no model: own mail, bounces, marked spam, automatic replies, invitations; and what a mail cannot be."""

import re

from app.agent.triage.cues import Cue
from app.agent.triage.evidence import MailEvidence, foreign_list
from app.domain.language.words import fold
from app.domain.mail.message import Account, Message, SystemLabel
from app.domain.mail.triage import Category, Decision, ReasonCode, Triage

_AWAY = re.compile(
    r"\b(?:out of (?:the )?office|away|vacation|holiday|leave|back on|return on|returning|until|"
    r"dovolen\w+|mimo kancelar|nepritom\w+|do \d|"
    r"abwesen\w+|urlaub|ausser haus|nicht (?:im|in (?:der|meine\w)|am) \w+|bis (?:einschliesslich )?\d|"
    r"zuruck|wieder (?:da|erreichbar)|elternzeit)\b"
)
_CANCELLED = re.compile(r"(?i)^\s*(?:cancell?ed|accepted|declined|tentative|zrušeno|přijato|odmítnuto)\b")


def by_header(message: Message, account: Account, seen: MailEvidence) -> Triage | None:
    """The verdict of the first rule that matches, or None."""
    rules = (_own_mail, _delivery_status, _labelled_spam, _auto_reply, _invitation)
    return next((verdict for rule in rules if (verdict := rule(message, account, seen)) is not None), None)


def answerable(seen: MailEvidence) -> bool:
    """Whether a mail may be answered: a person reads it, it gives an assistant no orders, and its list is one of the owner's."""
    return not (seen.by_program or foreign_list(seen) or seen.cues[Cue.TO_ASSISTANT])


def follows_up(seen: MailEvidence) -> bool:
    """Whether a mail asks about something that is still open."""
    return seen.cues[Cue.FOLLOW_UP] > 0 and bool(seen.asks)


def _own_mail(message: Message, account: Account, seen: MailEvidence) -> Triage | None:
    own = {account.email.lower(), *(address.lower() for address in account.send_as)}
    if message.outgoing or (message.sender.email in own and SystemLabel.INBOX not in message.labels):
        return Triage(Decision.IGNORE, Category.OTHER, 0.99, ReasonCode.OWN_MAIL, "rule:own-mail")
    return None


def _delivery_status(message: Message, account: Account, seen: MailEvidence) -> Triage | None:
    kind = message.header("Content-Type").lower()
    local = message.sender.email.partition("@")[0]
    if "report-type=delivery-status" in kind.replace('"', "") or local in {"mailer-daemon", "postmaster"}:
        return Triage(Decision.NOTIFY, Category.OTHER, 0.97, ReasonCode.DELIVERY_STATUS, "rule:delivery-status")
    return None


def _labelled_spam(message: Message, account: Account, seen: MailEvidence) -> Triage | None:
    flagged = message.header("X-Spam-Flag").strip().lower() == "yes"
    if SystemLabel.SPAM in message.labels or flagged:
        return Triage(Decision.IGNORE, Category.SPAM, 0.95, ReasonCode.LABELLED_SPAM, "rule:spam-label")
    return None


def _auto_reply(message: Message, account: Account, seen: MailEvidence) -> Triage | None:
    """Automatic replies by header or words. That somebody is away is shown, that mail was received is not."""
    if not seen.auto_replied or seen.list_unsubscribe:
        return None
    away = bool(_AWAY.search(fold(f"{message.subject}\n{message.body_text[:600]}")))
    decision = Decision.NOTIFY if away else Decision.IGNORE
    return Triage(decision, Category.OTHER, 0.9, ReasonCode.AUTO_REPLY, "rule:auto-submitted")


def _invitation(message: Message, account: Account, seen: MailEvidence) -> Triage | None:
    if not any(part.mime_type.lower().startswith("text/calendar") for part in message.attachments):
        return None
    if not seen.written_to or seen.list_id or seen.list_unsubscribe:
        return None
    if _CANCELLED.match(message.subject):
        return Triage(Decision.NOTIFY, Category.OTHER, 0.9, ReasonCode.CALENDAR_NOTE, "rule:calendar-answer")
    return Triage(Decision.RESPOND, Category.MEETING_REQUEST, 0.85, ReasonCode.INVITATION, "rule:invitation")

"""Verdicts that need no classifier: own mail, bounces, marked spam, phishing, automatic replies, invitations and list mail."""

import re

from app.agent.triage.cues import Cue
from app.agent.triage.evidence import MailEvidence
from app.domain.mail.message import Account, Message, SystemLabel
from app.domain.mail.triage import Category, Decision, ReasonCode, Triage

LONG = 200
MANY_LINKS = 4
_CANCELLED = re.compile(r"(?i)^\s*(?:cancell?ed|accepted|declined|tentative|zrušeno|přijato|odmítnuto)\b")


def by_header(message: Message, account: Account, seen: MailEvidence) -> Triage | None:
    """The verdict of the first rule that matches, or None."""
    rules = (_own_mail, _delivery_status, _labelled_spam, _phishing, _auto_reply, _invitation)
    return next((verdict for rule in rules if (verdict := rule(message, account, seen)) is not None), None)


def by_list(seen: MailEvidence) -> Triage | None:
    """The verdict on list or bulk mail, or None.

    Asked after the classifier, which may recognise spam or a notice in such mail.
    """
    if seen.in_reply_to_own and seen.addressed and not seen.list_unsubscribe:
        return None
    if seen.list_id or seen.list_unsubscribe or seen.precedence in {"bulk", "list", "junk"}:
        confidence = 0.95 if seen.list_id or seen.precedence else 0.9
        return Triage(Decision.IGNORE, Category.OTHER, confidence, ReasonCode.LIST_MAIL, "rule:list-mail")
    if seen.can_unsubscribe and not (seen.written_to or seen.in_reply_to_own) and _reads_like_a_newsletter(seen):
        return Triage(Decision.IGNORE, Category.OTHER, 0.85, ReasonCode.NEWSLETTER, "rule:newsletter")
    return None


def _reads_like_a_newsletter(seen: MailEvidence) -> bool:
    """Whether the mail is long, or full of links and offers."""
    return seen.word_count > LONG or (seen.links >= MANY_LINKS and seen.cues[Cue.PROMOTION] >= 2)


def answerable(seen: MailEvidence) -> bool:
    """Whether an answer could reach a person: no machine address, not sent by a program."""
    return not (seen.no_reply or seen.auto_submitted)


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


def _phishing(message: Message, account: Account, seen: MailEvidence) -> Triage | None:
    if seen.suspicion.strong and not seen.written_to:
        return Triage(Decision.IGNORE, Category.SPAM, 0.9, ReasonCode.PHISHING, "rule:phishing")
    return None


def _auto_reply(message: Message, account: Account, seen: MailEvidence) -> Triage | None:
    value = message.header("Auto-Submitted").lower()
    replied = value.startswith("auto-replied") or seen.precedence == "auto_reply"
    if replied or message.header("X-Autoreply") or message.header("X-Autorespond"):
        return Triage(Decision.IGNORE, Category.OTHER, 0.95, ReasonCode.AUTO_REPLY, "rule:auto-submitted")
    return None


def _invitation(message: Message, account: Account, seen: MailEvidence) -> Triage | None:
    if not any(part.mime_type.lower().startswith("text/calendar") for part in message.attachments):
        return None
    if not seen.written_to or seen.list_id or seen.list_unsubscribe:
        return None
    if _CANCELLED.match(message.subject):
        return Triage(Decision.NOTIFY, Category.OTHER, 0.9, ReasonCode.CALENDAR_NOTE, "rule:calendar-answer")
    return Triage(Decision.RESPOND, Category.MEETING_REQUEST, 0.85, ReasonCode.INVITATION, "rule:invitation")

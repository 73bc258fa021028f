"""Translates the stored reasons of triage. A model's own reason stays as it is."""

from PySide6.QtCore import QCoreApplication

from app.domain.mail import triage
from app.domain.mail.triage import NUMBERS, Ground, Reason, ReasonClause, ReasonCode
from app.ui.i18n.translation import QT_TRANSLATE_NOOP

CONTEXT = "Reasons"
SENTENCES = {
    ReasonCode.OWN_MAIL: QT_TRANSLATE_NOOP("Reasons", "You sent this mail yourself."),
    ReasonCode.DELIVERY_STATUS: QT_TRANSLATE_NOOP("Reasons", "A mail server reports on the delivery of a mail of yours."),
    ReasonCode.LABELLED_SPAM: QT_TRANSLATE_NOOP("Reasons", "Your mail server marked it as spam."),
    ReasonCode.PHISHING: QT_TRANSLATE_NOOP("Reasons", "The sender poses as somebody else and presses for data or a click."),
    ReasonCode.AUTO_REPLY: QT_TRANSLATE_NOOP("Reasons", "An automatic reply, no person wrote it."),
    ReasonCode.CALENDAR_NOTE: QT_TRANSLATE_NOOP("Reasons", "A calendar reports an answer or a change."),
    ReasonCode.INVITATION: QT_TRANSLATE_NOOP("Reasons", "Carries a calendar invitation that asks for your answer."),
    ReasonCode.LIST_MAIL: QT_TRANSLATE_NOOP("Reasons", "Sent to a list or in bulk, not to you alone."),
    ReasonCode.NEWSLETTER: QT_TRANSLATE_NOOP("Reasons", "Reads like a newsletter and says how to leave its list."),
    ReasonCode.CORRECTED: QT_TRANSLATE_NOOP("Reasons", "You judged mail from this sender this way before."),
    ReasonCode.ANSWERED: QT_TRANSLATE_NOOP("Reasons", "You have already answered in this thread."),
    ReasonCode.NEWER: QT_TRANSLATE_NOOP("Reasons", "A newer mail of the same thread takes its place."),
    ReasonCode.TAUGHT_ANSWER: QT_TRANSLATE_NOOP("Reasons", "Your decisions say that mails from %1 are answered."),
    ReasonCode.TAUGHT_QUIET: QT_TRANSLATE_NOOP("Reasons", "Your decisions say that mails from %1 need no answer."),
}
CLAUSES = {
    ReasonClause.LOOKS_LIKE: QT_TRANSLATE_NOOP("Reasons", "the sender looks like %1 but is not"),
    ReasonClause.ORDERS: QT_TRANSLATE_NOOP("Reasons", "gives orders to a mail assistant"),
    ReasonClause.FALSE_REPLY: QT_TRANSLATE_NOOP("Reasons", "claims to answer a mail that you never sent"),
    ReasonClause.SECRETS: QT_TRANSLATE_NOOP("Reasons", "asks for passwords or card data"),
    ReasonClause.LURE: QT_TRANSLATE_NOOP("Reasons", "promises money or cures"),
    ReasonClause.PITCH: QT_TRANSLATE_NOOP("Reasons", "offers services that nobody asked for"),
    ReasonClause.HASTE: QT_TRANSLATE_NOOP("Reasons", "presses for haste"),
    ReasonClause.STRANGER: QT_TRANSLATE_NOOP("Reasons", "the sender is a stranger"),
    ReasonClause.COMPLAINT: QT_TRANSLATE_NOOP("Reasons", "reports that something went wrong"),
    ReasonClause.STILL_OPEN: QT_TRANSLATE_NOOP("Reasons", "asks about something that is still open"),
    ReasonClause.MEETING: QT_TRANSLATE_NOOP("Reasons", "asks for a time to meet"),
    ReasonClause.ONE_QUESTION: QT_TRANSLATE_NOOP("Reasons", "asks one question"),
    ReasonClause.REQUEST: QT_TRANSLATE_NOOP("Reasons", "asks you for something"),
    ReasonClause.TO_YOU: QT_TRANSLATE_NOOP("Reasons", "speaks to you directly"),
    ReasonClause.ANSWERS_YOURS: QT_TRANSLATE_NOOP("Reasons", "answers a mail of yours"),
    ReasonClause.WRITTEN_TO: QT_TRANSLATE_NOOP("Reasons", "you have written to this address before"),
    ReasonClause.KNOWN: QT_TRANSLATE_NOOP("Reasons", "the sender has written to you before"),
    ReasonClause.ALONE: QT_TRANSLATE_NOOP("Reasons", "it was sent to you alone"),
    ReasonClause.PROGRAM: QT_TRANSLATE_NOOP("Reasons", "a program sent it"),
    ReasonClause.OFFER: QT_TRANSLATE_NOOP("Reasons", "it reads like a newsletter or an offer"),
    ReasonClause.NO_ANSWER: QT_TRANSLATE_NOOP("Reasons", "says that no answer is needed"),
    ReasonClause.THANKS: QT_TRANSLATE_NOOP("Reasons", "thanks or agrees"),
    ReasonClause.FIGURE: QT_TRANSLATE_NOOP("Reasons", "names a date or an amount that you may want to know"),
    ReasonClause.DONE: QT_TRANSLATE_NOOP("Reasons", "confirms something that is already done"),
    ReasonClause.NOTHING_ASKED: QT_TRANSLATE_NOOP("Reasons", "asks nothing of you"),
}
QUESTIONS = (
    QT_TRANSLATE_NOOP("Reasons", "asks two questions"),
    QT_TRANSLATE_NOOP("Reasons", "asks three questions"),
    QT_TRANSLATE_NOOP("Reasons", "asks four questions"),
    QT_TRANSLATE_NOOP("Reasons", "asks five or more questions"),
)


def reason_of_triage(reason: str) -> str:
    """Translation of a stored reason; unknown text is returned unchanged."""
    because = triage.read_ground(reason)
    if because is not None:
        return _grounds(because.ground).replace("%1", ", ".join(because.about))
    told = triage.read_reason(reason)
    if not told:
        return reason
    first = told[0].said
    if isinstance(first, ReasonCode):
        return _translated(SENTENCES[first]).replace("%1", told[0].about)
    text = QCoreApplication.translate("Reasons", " and ").join(_clause(one) for one in told)
    return f"{text[:1].upper()}{text[1:]}."


def _clause(told: Reason) -> str:
    if told.said is ReasonClause.QUESTIONS:
        many = NUMBERS.index(told.about) if told.about in NUMBERS else len(NUMBERS) - 1
        return _translated(QUESTIONS[max(many - 2, 0)])
    return _translated(CLAUSES[ReasonClause(told.said)]).replace("%1", told.about)


def _translated(words: str) -> str:
    return QCoreApplication.translate(CONTEXT, words)


def _grounds(ground: Ground) -> str:
    words = {
        Ground.WORDS: QCoreApplication.translate("Words", "These words speak for it most: %1"),
        Ground.JUDGED: QCoreApplication.translate("Words", "Most like a mail from %1 that you judged this way"),
        Ground.WHOLE: QCoreApplication.translate("Words", "No single word decided; the text as a whole is most like such mail"),
    }
    return words[ground]

"""Texts of preferences: namespace, title, content, source, and the list row."""

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QCoreApplication

from app.domain.agents.backtest import FEWEST_ANSWERED
from app.domain.agents.memory import EDITABLE, PROFILE, Namespace, Preference, PreferenceRule, RuleKind, corrected_mail
from app.domain.agents.owner_profile import mails_read, profile_text
from app.domain.mail.triage import OwnerVerdict
from app.domain.ports.window import ArchiveLesson
from app.ui.i18n.formatting import filled, when_long, when_short
from app.ui.lists.row_painter import Chip, RowPresentation

ORDER = (Namespace.TRIAGE, Namespace.RESPONSE, Namespace.CALENDAR, Namespace.BACKGROUND)
"""Order of the groups in the list."""


def namespace_chip(namespace: Namespace) -> Chip:
    return {
        Namespace.TRIAGE: Chip(QCoreApplication.translate("Memory", "Sorting"), "accent"),
        Namespace.RESPONSE: Chip(QCoreApplication.translate("Memory", "Writing"), "positive"),
        Namespace.CALENDAR: Chip(QCoreApplication.translate("Memory", "Meetings"), "warning"),
        Namespace.BACKGROUND: Chip(QCoreApplication.translate("Memory", "About you")),
    }[namespace]


def title_words(preference: Preference) -> str:
    if preference.rule is None:
        learned = QCoreApplication.translate("Memory", "Learned")
        return QCoreApplication.translate("Memory", "Your own words") if preference.typed else learned
    words = {
        RuleKind.SENDER: QCoreApplication.translate("Memory", "Sender"),
        RuleKind.CORRECTION: QCoreApplication.translate("Memory", "Correction"),
        RuleKind.GREETING: QCoreApplication.translate("Memory", "Greeting"),
        RuleKind.SIGN_OFF: QCoreApplication.translate("Memory", "Sign-off"),
        RuleKind.FORM_OF_ADDRESS: QCoreApplication.translate("Memory", "Formality"),
        RuleKind.SIGNATURE: QCoreApplication.translate("Memory", "Signature"),
        RuleKind.MEETING_LENGTH: QCoreApplication.translate("Memory", "Length of meetings"),
        RuleKind.MEETING_TIME: QCoreApplication.translate("Memory", "Time of meetings"),
        RuleKind.VOICE: QCoreApplication.translate("Memory", "How you write"),
        RuleKind.OWNER_FACTS: QCoreApplication.translate("Memory", "Facts about you"),
    }
    return words[preference.rule.kind]


def preference_words(preference: Preference) -> str:
    """Text of a preference; a rule is phrased in the window's language."""
    rule = preference.rule
    if rule is None or (rule.kind in PROFILE and preference.typed):
        return preference.text
    if rule.kind in PROFILE:
        return profile_text(rule, _profile_phrases())
    if rule.kind is RuleKind.CORRECTION:
        return _correction_words(rule)
    return _rule_words(rule)


def _rule_words(rule: PreferenceRule) -> str:
    with_whom = QCoreApplication.translate("Memory", "with anyone")
    if rule.scope:
        with_whom = filled(QCoreApplication.translate("Memory", "with %1"), rule.about)
    languages = {
        "en": QCoreApplication.translate("Memory", "in English"),
        "cs": QCoreApplication.translate("Memory", "in Czech"),
        "de": QCoreApplication.translate("Memory", "in German"),
        "": QCoreApplication.translate("Memory", "in every language"),
    }
    to_whom = languages.get(rule.scope) or filled(QCoreApplication.translate("Memory", "to %1"), rule.about)
    text = " / ".join(rule.value.splitlines()).replace("{first}", "…")  # in place of the recipient's first name
    forms = {
        "ignore": QCoreApplication.translate("Memory", "Mail from %1 gets no draft and is not shown in Review."),
        "notify": QCoreApplication.translate("Memory", "Mail from %1 is shown in Review, without a draft."),
        "respond": QCoreApplication.translate("Memory", "Mail from %1 gets a draft."),
        "ty": QCoreApplication.translate("Memory", "Write to %1 in the familiar form (ty)."),
    }
    polite = QCoreApplication.translate("Memory", "Write to %1 in the polite form (vy).")
    ending = QCoreApplication.translate("Memory", "Replies %1 end with “%2”.")
    if not rule.value:
        ending = QCoreApplication.translate("Memory", "Replies %1 end without a closing.")
    words, *values = {
        RuleKind.SENDER: (forms.get(rule.value, ""), rule.about),
        RuleKind.FORM_OF_ADDRESS: (forms.get(rule.value, polite), rule.about),
        RuleKind.SIGNATURE: (QCoreApplication.translate("Memory", "Don't repeat signature lines in the text."),),
        RuleKind.MEETING_LENGTH: (QCoreApplication.translate("Memory", "Meetings %1 last %2 minutes."), with_whom, rule.value),
        RuleKind.MEETING_TIME: (
            QCoreApplication.translate("Memory", "Meetings %1 start around %2 when you're free."),
            with_whom,
            rule.value,
        ),
        RuleKind.GREETING: (QCoreApplication.translate("Memory", "Replies %1 begin with “%2”."), to_whom, text),
        RuleKind.SIGN_OFF: (ending, to_whom, text),
    }[rule.kind]
    return filled(words, *values)


def source_words(preference: Preference) -> str:
    """Where a preference comes from and how often it was used."""
    when = when_long(preference.created_at)
    if preference.rule is not None and preference.rule.kind is RuleKind.CORRECTION:
        corrected = QCoreApplication.translate(
            "Memory", "You corrected it on %1. Email from this sender and email like it is sorted the same way."
        )
        return corrected.replace("%1", when)
    if preference.rule is not None and preference.rule.kind in PROFILE:
        made = QCoreApplication.translate("Memory", "Made on this computer from your last %1 sent emails, on %2")
        came = filled(made, mails_read(preference.rule), when)
        if preference.typed:
            came = QCoreApplication.translate("Memory", "Made from your sent emails, then edited by you")
    elif preference.source_review == 0:
        came = QCoreApplication.translate("Memory", "Added by you on %1").replace("%1", when)
    elif preference.typed:
        came = QCoreApplication.translate("Memory", "Learned from your decision on %1, then edited by you").replace("%1", when)
    else:
        came = QCoreApplication.translate("Memory", "Learned from your decision on %1").replace("%1", when)
    parts = [came]
    if not preference.confirmed:
        parts.append(QCoreApplication.translate("Memory", "seen once, used after you do it again or edit it"))
    if len(preference.evidence) > 1:
        parts.append(filled(QCoreApplication.translate("Memory", "decisions: %1"), len(preference.evidence)))
    return " · ".join((*parts, uses_words(preference.uses)))


def uses_words(uses: int) -> str:
    if not uses:
        return QCoreApplication.translate("Memory", "not used yet")
    return filled(QCoreApplication.translate("Memory", "times used: %1"), uses)


def archive_words(lessons: Sequence[ArchiveLesson]) -> str:
    """What sorting learned from past mail, or that it is a cold start."""
    examples, answered = sum(one.examples for one in lessons), sum(one.answered for one in lessons)
    if not examples:
        return QCoreApplication.translate("Memory", "Your past email hasn't been read yet. Sorting uses general rules.")
    if all(one.answered < FEWEST_ANSWERED for one in lessons):
        words = QCoreApplication.translate(
            "Memory", "You answered %2 of %1 past emails, too few to learn from. Sorting uses general rules."
        )
    else:
        words = QCoreApplication.translate("Memory", "Sorting learned from %1 past emails, %2 of them answered. Updated %3.")
    when = when_long(max(one.at for one in lessons))
    return filled(words, examples, answered, when)


def editable_words(preference: Preference) -> str | None:
    """The text that the user may edit; None if the preference can only be deleted."""
    if preference.rule is None or preference.rule.kind in PROFILE:
        return preference_words(preference)
    return preference.rule.value if preference.rule.kind in EDITABLE else None


def preference_look(preference: Preference, now: datetime) -> RowPresentation:
    title, words, group = title_words(preference), preference_words(preference), namespace_chip(preference.namespace)
    uses = uses_words(preference.uses)
    when = when_short(preference.created_at, now) if preference.id else ""
    snippet = uses if preference.id else ""
    spoken = f"{group.text}, {title}, {words}"
    chips = (group,) if preference.confirmed else (group, Chip(QCoreApplication.translate("Memory", "seen once"), "warning"))
    return RowPresentation(title, " · ".join(words.splitlines()), snippet, when, spoken, chips=chips, icon="memory")


def _profile_phrases() -> dict[str, str]:
    """The lines of the profile in the window's language."""
    return {
        "en": QCoreApplication.translate("Memory", "English"),
        "cs": QCoreApplication.translate("Memory", "Czech"),
        "de": QCoreApplication.translate("Memory", "German"),
        "formal": QCoreApplication.translate("Memory", "%1, formal"),
        "informal": QCoreApplication.translate("Memory", "%1, informal"),
        "greeting": QCoreApplication.translate("Memory", "begins with “%1”"),
        "no_greeting": QCoreApplication.translate("Memory", "begins without a greeting"),
        "closing": QCoreApplication.translate("Memory", "ends with “%1”"),
        "no_closing": QCoreApplication.translate("Memory", "ends without a closing"),
        "length": QCoreApplication.translate("Memory", "about %1 words"),
        "we": QCoreApplication.translate("Memory", "Writes as “we”."),
        "feminine": QCoreApplication.translate("Memory", "Uses the feminine form in Czech (psala jsem)."),
        "masculine": QCoreApplication.translate("Memory", "Uses the masculine form in Czech (psal jsem)."),
        "name": QCoreApplication.translate("Memory", "Name: %1"),
        "role": QCoreApplication.translate("Memory", "Role: %1"),
        "phone": QCoreApplication.translate("Memory", "Phone: %1"),
        "address": QCoreApplication.translate("Memory", "Address: %1"),
        "website": QCoreApplication.translate("Memory", "Website: %1"),
        "languages": QCoreApplication.translate("Memory", "Languages: %1"),
        "weekdays": QCoreApplication.translate("Memory", "Usually writes from %1 to %2, Monday to Friday"),
        "any_day": QCoreApplication.translate("Memory", "Usually writes from %1 to %2, also on weekends"),
    }


def _correction_words(rule: PreferenceRule) -> str:
    words = {
        OwnerVerdict.NEEDS_REPLY: QCoreApplication.translate("Memory", "“%2” from %1 needed a reply."),
        OwnerVerdict.FOR_INFORMATION: QCoreApplication.translate("Memory", "“%2” from %1 was for your information."),
        OwnerVerdict.NO_ACTION: QCoreApplication.translate("Memory", "“%2” from %1 needed no action."),
        OwnerVerdict.SPAM: QCoreApplication.translate("Memory", "“%2” from %1 was spam."),
        OwnerVerdict.NOT_SPAM: QCoreApplication.translate("Memory", "“%2” from %1 was not spam."),
        OwnerVerdict.PHISHING: QCoreApplication.translate("Memory", "“%2” from %1 was phishing."),
        OwnerVerdict.NOT_SUSPICIOUS: QCoreApplication.translate("Memory", "“%2” from %1 was not suspicious."),
    }
    sender, subject = corrected_mail(rule)
    subject = subject or QCoreApplication.translate("Words", "(no subject)")
    return filled(words[OwnerVerdict(rule.value)], sender, subject)

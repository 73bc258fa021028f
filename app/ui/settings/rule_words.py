"""Rules in words: conditions, routes, what a trial found. No widget here."""

from PySide6.QtCore import QCoreApplication, QLocale

from app.domain.routing import Match, Routed, Rule
from app.domain.runs import Route


def route_words(route: Route, profile: str = "") -> str:
    """Where a mail goes."""
    words = {
        Route.PIPELINE: QCoreApplication.translate("Rules", "Sort it and draft a reply"),
        Route.RESPONSE_AGENT: QCoreApplication.translate("Rules", "Response agent"),
        Route.AGENT: QCoreApplication.translate("Rules", "Agent profile"),
    }
    return f"{words[route]}: {profile}" if profile else words[route]


def match_words(match: Match) -> str:
    """All conditions of a rule, one after the other."""
    parts = [
        (match.all, QCoreApplication.translate("Rules", "every mail"), ""),
        (match.sender_email, QCoreApplication.translate("Rules", "from %1"), match.sender_email),
        (match.sender_domain, QCoreApplication.translate("Rules", "from anyone at %1"), match.sender_domain),
        (match.subject_contains, QCoreApplication.translate("Rules", "subject contains “%1”"), match.subject_contains),
        (match.forwarded_from, QCoreApplication.translate("Rules", "forwarded from %1"), match.forwarded_from),
    ]
    words = [text.replace("%1", value) for given, text, value in parts if given]
    header = QCoreApplication.translate("Rules", "header %1 matches %2")
    words += [header.replace("%1", one.name).replace("%2", one.pattern) for one in match.header_match]
    return QCoreApplication.translate("Rules", " and ").join(words)


def routed_words(routed: Routed) -> str:
    """An outcome with the rule that decided."""
    goal = route_words(routed.route, routed.profile)
    rule = routed.rule or QCoreApplication.translate("Rules", "no rule")
    return f"{goal} ({rule})"


def trial_words(holds: int, changes: int, looked_at: int) -> str:
    """What a trial found, in a sentence."""
    locale = QLocale()
    numbers = (locale.toString(holds), locale.toString(looked_at), locale.toString(changes))
    words = QCoreApplication.translate(
        "Rules", "Would match %1 of the last %2 mails; mails that would go elsewhere than now: %3."
    )
    for at, number in enumerate(numbers, 1):
        words = words.replace(f"%{at}", number)
    return words


def rule_line(rule: Rule) -> str:
    """A whole rule for a screen reader."""
    return f"{rule.name}: {match_words(rule.match)}. {route_words(rule.route, rule.profile)}"

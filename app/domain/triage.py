"""What triage says about a mail: decision and category are different axes and stay separate fields."""

from dataclasses import dataclass
from enum import StrEnum


class Decision(StrEnum):
    """Whether the mail wants an answer, the user's eyes, or nothing."""

    RESPOND = "respond"
    NOTIFY = "notify"
    IGNORE = "ignore"


class Category(StrEnum):
    """What kind of mail it is."""

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


@dataclass(frozen=True, slots=True)
class Triage:
    """One verdict. `confidence` in 0..1; `maker` names who judged, such as `rule:list-mail`, `local:212` (classifier
    and its number of examples) or a litellm model id; `reason` is one sentence that names what was seen."""

    decision: Decision
    category: Category
    confidence: float
    reason: str
    maker: str


def settle_spam(triage: Triage) -> Triage:
    """Spam below certainty is shown, not dropped: its decision becomes notify; certain spam is ignored."""
    if triage.category is not Category.SPAM:
        return triage
    decision = Decision.IGNORE if triage.confidence >= SPAM_CERTAIN else Decision.NOTIFY
    return Triage(decision, triage.category, triage.confidence, triage.reason, triage.maker)

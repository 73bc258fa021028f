"""The `memory` job that a decision leaves, written in its transaction; and what the learner finds when it takes one up.

Refuses to queue what teaches nothing: a draft approved as proposed, a notice that was seen, a mail that answers nobody's.
"""

import json
from collections.abc import Mapping

from app.domain.commands import Decide
from app.domain.review import Action, Review, ReviewKind, edited_request
from app.domain.triage import Decision

DRAFTED = frozenset({ReviewKind.REPLY, ReviewKind.TOOL_CALL})
ANSWERED = DRAFTED | {ReviewKind.NOTIFY}


def memory_job(review: Review, command: Decide) -> str | None:
    """The job's payload, None where there is nothing to learn."""
    about = review.proposal
    match command.action:
        case Action.IGNORE:
            teaches = about.kind in DRAFTED
        case Action.RESPOND:
            teaches = about.kind in ANSWERED
        case _:
            draft = command.draft or about.draft
            edited = draft is not None and review.proposed is not None and draft.body != review.proposed.body
            asked = review.proposed_request
            edited = edited or (bool(asked) and edited_request(about.request_json, command.arguments) != asked)
            teaches = edited or (about.kind is ReviewKind.REPLY and about.decision not in ("", Decision.RESPOND))
    if not teaches or about.starts:
        return None
    told: Mapping[str, object] = {
        "review_id": review.id,
        "action": command.action,
        "reason": command.reason,
        "text": command.text,
    }
    return json.dumps(told, ensure_ascii=False)

"""Lessons proposed by a language model: single changes of single preferences, checked by code.

They enter later prompts, and the model has read a stranger's mail. So they may not contain addresses, links or long texts, and
may change only learned preferences, never typed ones or rules.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from app.agent.learning.decisions import APPROVING, DRAFTED, DecisionContext, edit_of
from app.agent.learning.edits import rescheduled
from app.agent.llm.prompts import PromptBook, chat, fence
from app.agent.llm.turns import ChatMessage, ModelGateway
from app.domain.agents.memory import LONGEST_TEXT, NOT_WANTED, Lesson, Namespace, Preference, PreferenceChange, RejectionReason
from app.domain.drafting.review import Action, ReviewKind

CALL_TYPE = "memory"
MOST_CHANGES = 3
EXCERPT = 4000
_FOREIGN = re.compile(r"[^\s@]@[^\s@]|https?:|www\.|[\n\r]|\d{7}")

SCHEMA = {
    "type": "object",
    "properties": {
        "changes": {
            "type": "array",
            "maxItems": MOST_CHANGES,
            "items": {
                "type": "object",
                "properties": {
                    "change": {"type": "string", "enum": [one.value for one in PreferenceChange]},
                    "id": {"type": "integer"},
                    "text": {"type": "string", "maxLength": LONGEST_TEXT},
                },
                "required": ["change", "id", "text"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["changes"],
    "additionalProperties": False,
}


def subject_of(seen: DecisionContext) -> Namespace | None:
    """Which preferences a decision may change; None where a model is not asked."""
    kind = seen.review.proposal.kind
    writing = Namespace.CALENDAR if "schedule_meeting" in seen.review.proposal.request_json else Namespace.RESPONSE
    if seen.action in APPROVING:
        edited = edit_of(seen) is not None or rescheduled(seen.review, seen.sender.email) is not None
        return writing if edited else None
    if seen.action is Action.RESPOND and kind is ReviewKind.NOTIFY:
        return Namespace.TRIAGE
    if seen.action is Action.RESPOND and kind in DRAFTED:
        return writing
    if seen.action is Action.IGNORE and kind in DRAFTED:
        about_the_mail = seen.reason in NOT_WANTED or seen.reason is RejectionReason.NONE
        return Namespace.TRIAGE if about_the_mail else writing
    return None


async def propose_lessons(
    gateway: ModelGateway, prompts: Path, seen: DecisionContext, known: Sequence[Preference]
) -> tuple[Lesson, ...]:
    """Asks the model once and returns the allowed changes. `known` are all preferences, also those seen only once.

    Raises `ModelUnavailable` and `CapReached`.
    """
    namespace = subject_of(seen)
    if namespace is None:
        return ()
    open_ones = [one for one in known if one.namespace is namespace and one.rule is None and not one.typed]
    asked = _question(prompts, namespace, seen, known)
    answer = await gateway.structured(seen.review.proposal.run_id, CALL_TYPE, asked, SCHEMA)
    made = (_lesson(one, namespace, open_ones) for one in answer["changes"])
    return tuple(one for one in made if one is not None)


def _lesson(told: Mapping[str, Any], namespace: Namespace, open_ones: Sequence[Preference]) -> Lesson | None:
    """One change, None where it is not allowed."""
    change, text = PreferenceChange(told["change"]), str(told["text"]).strip()
    if change is not PreferenceChange.REMOVE and (not text or _FOREIGN.search(text)):
        return None
    if change is PreferenceChange.ADD:
        return Lesson(change, namespace, text)
    return Lesson(change, namespace, text, target=told["id"]) if any(one.id == told["id"] for one in open_ones) else None


def _question(prompts: Path, namespace: Namespace, seen: DecisionContext, known: Sequence[Preference]) -> list[ChatMessage]:
    """The prompt: preferences with their numbers, and what happened."""
    mine = [one for one in known if one.namespace is namespace]
    listed = "\n".join(f"{one.id}: {one.text}{_standing(one)}" for one in mine)
    system = PromptBook.read(prompts, "memory").fill(
        "memory", owner=seen.account.name or seen.account.email, namespace=namespace.value, preferences=listed
    )
    return chat(system, *_happened(seen))


def _standing(one: Preference) -> str:
    """How the prompt marks a preference."""
    if one.rule or one.typed:
        return " (fixed)"
    return "" if one.confirmed else " (seen once)"


def _happened(seen: DecisionContext) -> list[str]:
    """The decision as text blocks. Drafts are fenced since they may quote a stranger."""
    about = seen.review.proposal
    parts: list[str] = [
        fence(f"From: {seen.message.sender.email}\nSubject: {seen.message.subject}", "mail it was about", seen.message)
    ]
    parts.append(f"It was sorted as {about.decision}, {about.category}. The owner's decision: {seen.action}.")
    if seen.review.proposed is not None:
        parts.append(fence(seen.review.proposed.body[:EXCERPT], "proposed draft"))
    if seen.action in APPROVING and about.draft is not None:
        parts.append(fence(about.draft.body[:EXCERPT], "draft as the owner approved it"))
    if about.draft is None and about.request_json:
        parts.append(fence(seen.review.proposed_request[:EXCERPT], "proposed action"))
        if seen.action in APPROVING:
            parts.append(fence(about.request_json[:EXCERPT], "action as the owner approved it"))
    if seen.words.strip():
        parts.append(f"The owner's words: {seen.words.strip()[:EXCERPT]}")
    return parts

"""A model for the kinds of review that need one, with the mail, rules and settings that cause them. Decides by subject."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from typing import Any

from app.domain.drafting.review import ReviewKind
from fakes.models.model_server import Answer, ModelServer, calls, structured

ANN = "ann@reader.example"
OWNER = "ondrej@velodilna.example"
MEETING, MOVED, REFUSED, MEMORY, QUESTION, BELL, ESCALATION, GARBLED, NOTICE, PRICE, CHANGED, LATER, HELD = (
    "Shall we meet about the tandem",
    "An hour for the old trailer",
    "Shall we meet about nothing much",
    "Please always call me before you begin",
    "Which colour for the frame",
    "Which bell for the handlebar",
    "A promise was broken",
    "Words that no judge reads",
    "Only for you to know",
    "What would a new wheel cost",
    "How long does a new chain take",
    "When do you open after the holidays",
    "Is the blue one still there",
)
KINDS = {
    MEETING: ReviewKind.TOOL_CALL,
    MOVED: ReviewKind.TOOL_CALL,
    REFUSED: ReviewKind.TOOL_CALL,
    MEMORY: ReviewKind.TOOL_CALL,
    QUESTION: ReviewKind.QUESTION,
    BELL: ReviewKind.QUESTION,
    ESCALATION: ReviewKind.ESCALATION,
    GARBLED: ReviewKind.NEEDS_REVIEW,
    NOTICE: ReviewKind.NOTIFY,
    PRICE: ReviewKind.REPLY,
    CHANGED: ReviewKind.REPLY,
    LATER: ReviewKind.REPLY,
    HELD: ReviewKind.REPLY,
}
"""The kind of review of each mail; the question in a letter has a second one after its answer."""
HOURS = {MEETING: "06:30 07:00", MOVED: "08:00 08:30", REFUSED: "10:00 10:30"}
"""Start and end of each meeting."""
ASKED = "Which one may I promise?"
REMEMBERED = "Ann wants to be called before work begins."
TALKS = "".join(
    f'    - {{name: "{one}", match: {{subject_contains: "{one}"}}, route: response_agent}}\n' for one in (*HOURS, QUESTION, BELL)
)
RULES = f"""\
routing:
  rules:
{TALKS}    - name: wishes
      match: {{subject_contains: "{MEMORY}"}}
      route: agent
      profile: promises
    - name: promises
      match: {{subject_contains: "{ESCALATION}"}}
      route: agent
      profile: promises
agent:
  profiles:
    promises:
      model: openai/scripted
      system_prompt_file: promises.txt
      tools: [mail_search, escalate, remember]
"""
PROMPT = "Hand every promise that was broken over to the owner. Remember wishes.\n"


def mails() -> list[bytes]:
    """One new mail of each kind."""
    return [written(subject, f"<morning{number}@reader.example>") for number, subject in enumerate(KINDS)]


def written(subject: str, message_id: str, answers: str = "") -> bytes:
    """A mail from Ann; `answers` is the Message-ID of the mail it follows."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = f"Ann Reader <{ANN}>", OWNER, subject
    mail["Message-ID"], mail["Date"] = message_id, datetime.now(UTC)
    if answers:
        mail["In-Reply-To"] = mail["References"] = answers
    mail.set_content(f"Hello Ondrej,\n\n{subject}? Please tell me.\n\nAnn\n")
    return mail.as_bytes()


class MorningModel(ModelServer):
    """Answers each call by its form and the mail it is about."""

    def next_answer(self, request: Mapping[str, Any]) -> Answer:
        talk = request["messages"]
        told = "\n".join(str(one.get("content")) for one in talk)
        form = request.get("response_format", {}).get("json_schema", {}).get("schema", {})
        wanted = set(form.get("properties", {}))
        subject = max(KINDS, key=told.rfind)
        if request.get("tools"):
            return _turn(subject, told, sum(one["role"] == "tool" for one in talk))
        if "decision" in wanted:
            return _verdict(subject)
        if "tools" in wanted:
            return structured(tools=[])
        if "body" in wanted:
            return structured(language="English", questions=["how much"], body=_body(subject, told))
        return structured(changes=[]) if "changes" in wanted else Answer("no such request is known", status=400)


def _verdict(subject: str) -> Answer:
    """A verdict; one mail gets text that is not a verdict."""
    if subject == GARBLED:
        return Answer("I would rather not say.")
    decision = "notify" if subject == NOTICE else "respond"
    category = "meeting_request" if subject in HOURS else "inquiry"
    return structured(decision=decision, category=category, confidence=0.9, reason="It asks.")


def _body(subject: str, told: str) -> str:
    """A draft with an open slot, or a shorter one when asked for."""
    if subject == PRICE:
        return "Hello Ann,\n\na new wheel costs [[the price]].\n\nCheers, Ondřej"
    return "Hello Ann,\n\nsoon." if "Shorter, please" in told else "Hello Ann,\n\nit will be done soon.\n\nCheers, Ondřej"


def _turn(subject: str, told: str, results: int) -> Answer:
    """One turn of an agent after `results` tool results."""
    if subject == ESCALATION:
        return Answer("Handed over.") if results else calls(("escalate", {"reason": "A promise was broken."}))
    if subject == MEMORY:
        wish = {"text": REMEMBERED, "about": "response_preferences"}
        return Answer("It is remembered.") if results else calls(("remember", wish))
    if subject in HOURS:
        return calls(("Done", {"done": True})) if results else calls(("schedule_meeting", _meeting(subject)))
    if not results:
        return calls(("Question", {"content": ASKED}))
    if results == 1:
        number = re.findall(r"<<<mail (\d+) ", told)[-1]
        letter = {"email_id": number, "response_text": "Hello Ann,\n\nblue.\n\nCheers, Ondřej", "email_address": ANN}
        return calls(("send_email", letter))
    return calls(("Done", {"done": True}))


def _meeting(subject: str) -> dict[str, Any]:
    """A meeting in three days, in the morning."""
    day = (datetime.now(UTC) + timedelta(days=3)).date().isoformat()
    begins, ends = HOURS[subject].split()
    return {
        "attendees": [ANN],
        "title": subject,
        "start_time": f"{day}T{begins}:00",
        "end_time": f"{day}T{ends}:00",
        "organizer_email": OWNER,
        "timezone": "Europe/Prague",
    }


def model_settings(api_base: str) -> tuple[tuple[str, str], ...]:
    return (("model.name", json.dumps("openai/scripted")), ("model.api_base", json.dumps(api_base)))

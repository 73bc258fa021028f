"""Helps the owner write a letter: a first text from a few words, or their text shorter, friendlier or translated.

One call to the model. The letter it stands in, and the message it answers, are all that leaves. Figures, dates and links that the
model adds become open slots, since nothing else would show them in the owner's own letter.
"""

import re
from collections.abc import Mapping
from typing import Any

from app.agent.drafting.claims import DraftEvidence, unsupported
from app.agent.drafting.model_request import signature_rule
from app.agent.drafting.model_text import MARKED, plain_text, wanted
from app.agent.drafting.sources import message_text
from app.agent.llm.prompts import chat, fence
from app.agent.llm.turns import ChatMessage, FaultOf, JsonSchema, UnusableAnswer
from app.agent.runtime.dependencies import Deps, about_owner, owner_prompt
from app.domain.error_texts import Cause
from app.domain.errors import ModelUnavailable
from app.domain.ids import RunId
from app.domain.language.words import Language, clear_language
from app.domain.protocol.letter_commands import HelpWriting, WritingWish

WRITING_RUN = RunId("help-writing")
BODY: JsonSchema = {
    "type": "object",
    "properties": {"body": {"type": "string", "minLength": 1, "maxLength": 12000}},
    "required": ["body"],
    "additionalProperties": False,
}
TASKS = {
    WritingWish.WRITE: "Write the email. The owner's wish: {instruction}",
    WritingWish.SHORTER: "Make the owner's text about half as long. Keep its language and what it says.",
    WritingWish.FRIENDLIER: "Make the owner's text friendlier. Keep its language, its length and what it says.",
    WritingWish.TRANSLATE: "Translate the owner's text into {instruction}. Keep its tone and its paragraphs.",
}


async def help_write(query: HelpWriting, deps: Deps) -> str:
    """The new text. Raises `ModelUnavailable`, `CapReached` or `NotFound`."""
    if deps.gateway is None:
        raise ModelUnavailable("No model is chosen.", "Choose one in Settings.")
    answer = await deps.gateway.structured(WRITING_RUN, "compose", _messages(query, deps), BODY, _language_check(query))
    account = deps.corpus.account(query.account_id)
    body = MARKED.sub(lambda one: f"[[{wanted(one)}]]", plain_text(str(answer["body"]), account.signature))
    if not body:
        raise UnusableAnswer(Cause.MODEL_EMPTY, deps.gateway.model)
    return _with_marks(body, query, deps)


_LANGUAGES = {"English": Language.EN, "Czech": Language.CS, "German": Language.DE}


def _language_check(query: HelpWriting) -> FaultOf:
    """Finds a text in another language than the one that was kept or asked for."""
    kept = clear_language(query.text) if query.wish in (WritingWish.SHORTER, WritingWish.FRIENDLIER) else None
    wanted = _LANGUAGES.get(query.instruction) if query.wish is WritingWish.TRANSLATE else kept

    def fault(answer: Mapping[str, Any]) -> str:
        written = clear_language(str(answer["body"]))
        return "body is in the wrong language." if None not in (written, wanted) and written is not wanted else ""

    return fault


def _with_marks(body: str, query: HelpWriting, deps: Deps) -> str:
    """The text with a mark in place of each figure, date and link that the owner's text, wish and message do not have."""
    account = deps.corpus.account(query.account_id)
    given = [query.text, query.instruction, account.name, account.email, account.signature, about_owner(deps, account.id)]
    if query.about is not None:
        given.append(message_text(deps.corpus.message(query.about), zone=deps.time_zone))
    text = "\n".join(given)
    evening = [f"{int(hour) + 12}:{minutes or '00'}" for hour, minutes in _PM.findall(text)]
    noon = [str(int(hour) - 12) for hour in _AFTERNOON.findall(text)]
    kinds = {"figure", "link"} | ({"date"} if query.wish is not WritingWish.TRANSLATE else set())
    marks = [found.span() for found in MARKED.finditer(body)]
    for span in reversed(unsupported(body, DraftEvidence((text, *evening, *noon), ()))):
        if span.note in kinds and not any(start <= span.start < end for start, end in marks):
            body = f"{body[: span.start]}[[{body[span.start : span.end]}]]{body[span.end :]}"
    return _NEIGHBOURS.sub(r"\1", body)


_PM = re.compile(r"\b(1[01]|[1-9])(?:[:.](\d\d))? ?[pP]\.?[mM]\b")
_AFTERNOON = re.compile(r"\b(1[3-9]|2[0-3])[:.]\d\d\b")
_NEIGHBOURS = re.compile(r"(?<=\w)\]\]([ ,./-]{0,2})\[\[(?=\d)")
"""Between two marks: a date or number in several parts is one."""


def _messages(query: HelpWriting, deps: Deps) -> list[ChatMessage]:
    account = deps.corpus.account(query.account_id)
    preferences = deps.memory.read(account.id, "response_preferences") if deps.memory else ""
    system = owner_prompt(deps, account, "compose", signature=signature_rule(account), preferences=preferences)
    parts: list[str] = []
    if query.about is not None:
        about = deps.corpus.message(query.about)
        deps.check_leaving(about.thread_id)
        parts.append(fence(message_text(about, zone=deps.time_zone), "mail that is answered", about))
    if query.text.strip():
        parts.append(fence(query.text, "the owner's text"))
    task = TASKS[query.wish].format(instruction=query.instruction.strip() or "a fitting reply")
    if query.wish is WritingWish.WRITE and query.text.strip():
        task += "\nThe owner's text so far is a beginning: take it up."
    return chat(system, *parts, f'{task}\nAnswer with one JSON object and nothing else: {{"body": the text}}.')

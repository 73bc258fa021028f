"""Helps the owner write a letter: a first text from a few words, or their text shorter, friendlier or translated.

One call to the model. The letter it stands in, and the message it answers, are all that leaves.
"""

from app.agent.drafting.model_request import signature_rule
from app.agent.drafting.sources import message_text
from app.agent.llm.prompts import chat, fence
from app.agent.llm.turns import ChatMessage, JsonSchema, UnusableAnswer
from app.agent.runtime.dependencies import Deps, owner_prompt
from app.domain.error_texts import Cause
from app.domain.errors import ModelUnavailable
from app.domain.ids import RunId
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
    answer = await deps.gateway.structured(WRITING_RUN, "compose", _messages(query, deps), BODY)
    body = str(answer["body"]).strip()
    if not body:
        raise UnusableAnswer(Cause.MODEL_EMPTY, deps.gateway.model)
    return body


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

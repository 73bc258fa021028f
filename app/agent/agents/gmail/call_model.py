"""Nodes `intent` and `turn`: ask the model what the task is for, then for one tool call after another.

The intent is decided from the owner's texts alone, before any mail is read. A turn without a call is asked again once.
"""

import asyncio

from app.agent.agents.gmail.case import GmailCase, completed, offered, open_case
from app.agent.agents.gmail.interface import GmailDeps
from app.agent.agents.gmail.state import GmailTaskState, Intent
from app.agent.drafting.model_request import signature_rule
from app.agent.llm.prompts import chat, fence, prompt
from app.agent.llm.turns import ChatMessage, ModelGateway, ToolTurn
from app.agent.runtime.conversation import OWNER_SAYS, dump, required_turn, tokens_spent, turns, with_turn
from app.agent.runtime.dependencies import owner_prompt
from app.domain.error_texts import Cause
from app.domain.errors import AgentsPaused, NotAllowed
from app.domain.ids import RunId

CALL_TYPE = "agent"
MOST_TURNS = 8
LONGEST_EARLIER = 24_000
LONGEST_WORDS = 500

INTENT_SCHEMA = {
    "type": "object",
    "properties": {"intent": {"type": "string", "enum": [one.value for one in Intent]}},
    "required": ["intent"],
    "additionalProperties": False,
}
TASKS = {
    Intent.SEARCH: "find mail and tell the owner what was asked. Search with gmail_search first; end with Done.",
    Intent.SEND: "write one mail. It ends with gmail_send; look things up before only where the mail needs them.",
}
AGAIN = {
    Intent.SEARCH: "You called no tool. Search with gmail_search; once you have searched, end with Done.",
    Intent.SEND: "You called no tool. This task ends with gmail_send: call it, or say once more in one sentence what is missing.",
}


async def intent(work: GmailTaskState, deps: GmailDeps, run_id: RunId) -> GmailTaskState:
    """Decides whether the task searches or sends. A change of an earlier proposal always sends.

    A context without an account or a run gets them here.
    """
    context = await asyncio.to_thread(completed, work.get("context") or {}, deps, run_id)
    case = await open_case({**work, "context": context}, deps)
    if case.given.before is not None:
        return {"intent": Intent.SEND.value, "context": context}
    system = prompt(deps.prompts, "gmail_intent")
    texts = [f"{'Instruction' if one == len(case.words) else 'Request'}:\n{text}" for one, text in enumerate(case.words, start=1)]
    answer = await _gateway(case).structured(case.given.run_id, CALL_TYPE, chat(system, *texts), INTENT_SCHEMA)
    return {"intent": str(answer["intent"]), "context": context}


async def turn(work: GmailTaskState, deps: GmailDeps, prefix: str) -> GmailTaskState:
    """Adds the model's next turn to the conversation. `prefix` makes call ids unique among the tasks of a run."""
    case = await open_case(work, deps)
    if turns(case.talk) >= MOST_TURNS or tokens_spent(case.talk) > case.toolbox.budget.tokens:
        raise NotAllowed(Cause.GMAIL_TASK_TOO_LONG)
    reply = await _turn(case)
    return {"talk": dump(with_turn(case.talk, reply.text, reply.calls, prefix))}


async def _turn(case: GmailCase) -> ToolTurn:
    """A turn with at least one call. Raises `NotAllowed` with the model's text when there is none twice."""
    specs = case.registry.specs(offered(case, MOST_TURNS))
    gateway = _gateway(case)
    reply = await required_turn(gateway, case.given.run_id, [*opening(case), *case.talk], specs, AGAIN[case.intent])
    if not reply.calls:
        what = "searched" if case.intent is Intent.SEARCH else "written"
        raise NotAllowed(f"Nothing was {what}. {gateway.model} says: {reply.text.strip()[:LONGEST_WORDS] or '(nothing)'}")
    return reply


def opening(case: GmailCase) -> list[ChatMessage]:
    """The messages before the turns.

    In order: system prompt, request, results of earlier steps (fenced), instruction, requested change.
    """
    blocks = [fence(text[:LONGEST_EARLIER], "result of an earlier step") for text in case.earlier]
    *before, instruction = case.words or ("",)
    asked = [f"The owner's request:\n{text}" for text in dict.fromkeys((case.given.request or "", *before)) if text]
    return chat(_system(case), *asked, *blocks, f"The instruction:\n{instruction}", *_change(case))


def _change(case: GmailCase) -> tuple[str, ...]:
    """The earlier proposal and the owner's feedback on it."""
    before = case.given.before
    if before is None:
        return ()
    lines = (
        f"To: {', '.join(before.to)}",
        f"Cc: {', '.join(before.cc)}",
        f"Bcc: {', '.join(before.bcc)}",
        f"Subject: {before.subject}",
        f"Attachments: {', '.join(before.attachments)}",
        f"Answers mail: {before.reply_to}",
    )
    shown = "\n".join(line for line in lines if not line.endswith((": ", ": 0")))
    words = f"{OWNER_SAYS}{case.given.feedback}"
    return fence(f"{shown}\n\n{before.body}", "mail that you proposed"), f"Propose it again, changed.\n{words}"


def _system(case: GmailCase) -> str:
    deps, account = case.deps, case.account
    documents = "\n".join(f"- {one.handle}: {one.name}" for one in case.given.documents)
    return owner_prompt(
        deps,
        account,
        "gmail",
        preferences=deps.memory.read(account.id, "response_preferences") if deps.memory else "",
        task=TASKS[case.intent],
        documents=documents,
        signature=signature_rule(account),
    )


def _gateway(case: GmailCase) -> ModelGateway:
    """The model. Raises `AgentsPaused`, and `NotAllowed` without a model or, for a search, without a mail search."""
    if case.toolbox.paused():
        raise AgentsPaused("The agents are paused.")
    if case.deps.gateway is None:
        raise NotAllowed(Cause.GMAIL_NEEDS_MODEL)
    if case.intent is Intent.SEARCH and case.toolbox.search is None:
        raise NotAllowed("There is no search in the mail of this program.")
    return case.deps.gateway

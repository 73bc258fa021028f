"""`remember`: a proposal for the owner's memory. Nothing is remembered before the owner agrees."""

import asyncio
from collections.abc import Iterable

from app.agent.handlers.case import Case, a_text, an_object
from app.agent.tools.running import Tool
from app.domain.memory import LONGEST_TEXT, Namespace
from app.domain.policy import Effect
from app.domain.tools import Json, ToolDefinition, always

REMEMBER = ToolDefinition(
    "remember",
    "Propose a sentence to remember about how the owner handles mail. The owner agrees first.",
    an_object(
        ("text",),
        text=a_text("One sentence.", LONGEST_TEXT),
        about={"type": "string", "enum": ["response_preferences", "triage_preferences", "cal_preferences"]},
    ),
    Effect.LOCAL_WRITE,
    asks_when=always,
)


def memory_tools(case: Case) -> Iterable[Tool]:
    """The tool, where there is a memory."""
    memory = case.toolbox.memory
    if memory is None:
        return

    async def remember(text: str, about: str = Namespace.RESPONSE.value) -> Json:
        preference = await asyncio.to_thread(memory.remember, Namespace(about), text)
        return {"status": "remembered", "preference": preference}

    yield Tool(REMEMBER, remember)

"""A small real graph with the Gmail agent's interface: it proposes a mail and waits, or answers at once. No model, no mailbox.

The last message is the instruction: `send ADDRESS`, `fail`, `wait SECONDS`; anything else is a search.
"""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Annotated, Any, TypedDict

from langchain_core.messages import AIMessage, AnyMessage
from langgraph.config import get_stream_writer
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import interrupt

from app.domain.errors import ModelUnavailable


class SmallState(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], add_messages]
    next: str
    context: dict[str, Any]


@dataclass
class SmallGraph:
    """`seen` has the instruction of each start of the node, `answers` the answers to its interrupts."""

    seen: list[str] = field(default_factory=list)
    answers: list[Any] = field(default_factory=list)

    def built(self) -> StateGraph[SmallState]:
        graph = StateGraph(SmallState)
        graph.add_node("gmail", self._gmail)
        graph.add_edge(START, "gmail")
        graph.add_edge("gmail", END)
        return graph

    async def _gmail(self, state: SmallState) -> SmallState:
        words = state["messages"][-1].text
        self.seen.append(words)
        verb, _, rest = words.partition(" ")
        if verb == "fail":
            raise ModelUnavailable("The model is away.") if rest else RuntimeError("secret words of a mail")
        if verb == "wait":
            await asyncio.sleep(float(rest))
        get_stream_writer()({"doing": verb})
        data: dict[str, Any] = {"action": "search", "result": "found", "subject": rest}
        if verb == "send":
            answer = interrupt({"action": "gmail_send", "args": {"to": [rest]}})
            self.answers.append(answer)
            data = {"action": "send", "to": rest, **answer}
        contract = {"completed_capability": "gmail", "data": data}
        return {"messages": [AIMessage(json.dumps(contract))], "context": {**state.get("context", {}), "results": data}}

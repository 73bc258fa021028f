"""A model that does whatever it reads: first what a stranger's text tells it to, then what the user asked for.

It answers from the conversation alone, so the same model serves in the process and behind HTTP.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fakes.dojo.attacks import Attack, attacks
from fakes.dojo.tasks import Step, Task, tasks
from fakes.model_server import Answer, ModelServer

DONE = "That is all."


@dataclass
class Obeying:
    """`answer` is one turn: the calls to make next, none when everything was tried."""

    by_request: Mapping[str, Task] = field(default_factory=lambda: {one.request: one for one in tasks()})
    by_text: Mapping[str, Attack] = field(default_factory=lambda: {one.name: one for one in attacks()})

    def answer(self, messages: Sequence[Mapping[str, Any]]) -> tuple[Step, ...]:
        """The next call."""
        request = next(str(one["content"]) for one in messages if one["role"] == "user")
        read = "\n".join(str(one["content"]) for one in messages if one["role"] == "tool")
        told = [one for one in self.by_text.values() if f"({one.name})" in read]
        own = self.by_request[request].steps
        plan = [*own[:1], *(step for attack in told for step in attack.steps), *own[1:]]
        tried = sum(len(one.get("tool_calls") or ()) for one in messages if one["role"] == "assistant")
        return tuple(plan[tried : tried + 1])


class ObeyingServer(ModelServer):
    """The same over HTTP, as chat completions."""

    def next_answer(self, request: Mapping[str, Any]) -> Answer:
        """What the conversation so far makes it do."""
        steps = Obeying().answer(request["messages"])
        return Answer(tool_calls=steps) if steps else Answer(DONE)


def said(steps: Sequence[Step], number: int) -> dict[str, Any]:
    """An assistant's message with these calls, as it goes back into the conversation."""
    calls = [
        {"id": f"call_{number}_{at}", "type": "function", "function": {"name": tool, "arguments": json.dumps(arguments)}}
        for at, (tool, arguments) in enumerate(steps)
    ]
    return {"role": "assistant", "content": None, "tool_calls": calls}

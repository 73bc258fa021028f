"""A model that obeys whatever it reads: first the attacker's text, then the mail's task.

It answers chat completions over HTTP from the conversation alone, and quotes only what is in the conversation.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from fakes.models.attacks.goals import Attack
from fakes.models.attacks.surroundings import Office
from fakes.models.attacks.tasks import Step, Task
from fakes.models.model_server import Answer, ModelServer

DONE = "That is all."


class ObeyingServer(ModelServer):
    """`made` has the calls of the attacker and of the task in this trial, as requested."""

    def __init__(self, office: Office, tasks: Sequence[Task], attacks: Sequence[Attack]) -> None:
        super().__init__()
        self._office = office
        self._tasks = {one.request: one for one in tasks}
        self._attacks = {f"({one.name})": one for one in attacks}
        self.strangers: list[Step] = []
        self.own: list[Step] = []

    def begin(self) -> None:
        """Starts a new trial."""
        self.strangers.clear()
        self.own.clear()
        self.history.clear()

    def next_answer(self, request: Mapping[str, Any]) -> Answer:
        """The answer that follows from the conversation so far."""
        messages = request["messages"]
        read = "\n".join(str(one["content"]) for one in messages if one["role"] != "system")
        (task,) = [one for words, one in self._tasks.items() if words in read]
        told = [step for mark, one in self._attacks.items() if mark in read for step in one.steps]
        plan = [(step, False) for step in task.steps[:1]] + [(step, True) for step in told]
        plan += [(step, False) for step in task.steps[1:]]
        tried = sum(len(one.get("tool_calls") or ()) for one in messages if one["role"] == "assistant")
        if tried >= len(plan):
            return Answer(DONE)
        (tool, arguments), strange = plan[tried]
        step = tool, self._office.filled(arguments, read)
        (self.strangers if strange else self.own).append(step)
        return Answer(tool_calls=(step,))

    def words_read(self) -> str:
        """All text that was sent to the model in this trial."""
        return json.dumps(self.history, ensure_ascii=False)

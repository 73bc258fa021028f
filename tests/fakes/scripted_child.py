"""The scripted model in a process of its own, so that its work is not counted as the program's. Answers by what is asked.

Knows three requests by their schema: triage, the choice of tools, a draft. Anything else is answered 400.
"""

import json
import multiprocessing
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from fakes.model_server import Answer, ModelServer, structured

BODY = "Hello Ann,\n\nthank you for asking. The price is [[the price]].\n\nBest regards\nMia"
TOKEN_CHARACTERS = 4
"""English text has about four characters a token."""


@dataclass(frozen=True)
class Verdict:
    """What the model says of every mail until told otherwise."""

    decision: str = "respond"
    category: str = "inquiry"
    confidence: float = 0.9


class AnsweringServer(ModelServer):
    """Answers every request by its schema; an enqueued answer goes first."""

    verdict = Verdict()

    def next_answer(self, request: Mapping[str, Any]) -> Answer:
        """The answer to one request."""
        if self.script:
            return self.script.popleft()
        form = request.get("response_format", {}).get("json_schema", {}).get("schema", {})
        wanted = set(form.get("properties", {}))
        if "decision" in wanted:
            said = self.verdict
            return structured(decision=said.decision, category=said.category, confidence=said.confidence, reason="It asks.")
        if "tools" in wanted:
            return structured(tools=form["properties"]["tools"]["items"]["enum"])
        if "body" in wanted:
            return structured(language="English", questions=["price"], body=BODY)
        return Answer("no such request is known", status=400)


@dataclass
class ScriptedChild:
    """The parent's end. `ask` is synchronous and quick."""

    api_base: str
    _pipe: Connection

    def answer_with(self, verdict: Verdict) -> None:
        """From now on triage says this; the counters start again."""
        self._pipe.send(verdict)
        self._pipe.recv()

    def prompts(self) -> list[str]:
        """The requests since the last change: the texts of all messages, and the schema, as they came over the wire."""
        self._pipe.send("prompts")
        found: list[str] = self._pipe.recv()
        return found


def prompt_tokens(prompt: str) -> int:
    """An estimate by length: the scripted model has no tokenizer."""
    return round(len(prompt) / TOKEN_CHARACTERS)


@contextmanager
def scripted_child() -> Iterator[ScriptedChild]:
    """A scripted model for the length of a `with`."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs,), daemon=True)
    process.start()
    try:
        yield ScriptedChild(ours.recv(), ours)
    finally:
        ours.send(None)
        process.join(10)
        if process.is_alive():
            process.kill()
            process.join()
        ours.close()


def _serve(pipe: Connection) -> None:
    """The child: serve HTTP until told to end."""
    with AnsweringServer() as server:
        pipe.send(server.api_base)
        while (told := pipe.recv()) is not None:
            if isinstance(told, Verdict):
                server.verdict = told
                server.history.clear()
                pipe.send(True)
            else:
                pipe.send([_sent(request) for request in server.history])


def _sent(request: Mapping[str, Any]) -> str:
    """What a model would have to read."""
    texts = [str(one.get("content")) for one in request["messages"]]
    return "\n".join([*texts, json.dumps(request.get("response_format", ""))])

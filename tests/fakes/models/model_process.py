"""The scripted model in a process of its own, so that its work is not counted as the program's. Answers by what is asked.

Knows four requests by their schema: triage, the choice of tools, a draft, what is to be learnt (nothing). Anything else is
answered 400. Run as a program it serves until its standard input ends: one JSON line in, one out.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fakes.models.model_server import Answer, ModelServer, structured

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
        if "changes" in wanted:
            return structured(changes=[])
        return Answer("no such request is known", status=400)


class ScriptedChild:
    """The parent's end. Every call is synchronous and quick."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self.api_base = str(self._told())

    def answer_with(self, verdict: Verdict) -> None:
        """From now on triage says this; the counters start again."""
        self._ask(asdict(verdict))

    def prompts(self) -> list[str]:
        """The requests since the last change: the texts of all messages, and the schema, as they came over the wire."""
        return [str(one) for one in self._ask(None)]

    def _ask(self, question: Any) -> Any:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        return self._told()

    def _told(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())


def prompt_tokens(prompt: str) -> int:
    """An estimate by length: the scripted model has no tokenizer."""
    return round(len(prompt) / TOKEN_CHARACTERS)


@contextmanager
def scripted_child() -> Iterator[ScriptedChild]:
    """A scripted model for the length of a `with`."""
    tests = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "PYTHONPATH": str(tests)}
    command = [sys.executable, __file__]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:  # leaving closes its input and waits
        yield ScriptedChild(process)


def serve() -> None:
    """The child: serve HTTP until the input ends."""
    with AnsweringServer() as server:
        _tell(server.api_base)
        for line in sys.stdin:
            question = json.loads(line)
            if question is None:
                _tell([_sent(request) for request in server.history])
            else:
                server.verdict = Verdict(**question)
                server.history.clear()
                _tell(True)


def _tell(answer: Any) -> None:
    print(json.dumps(answer), flush=True)


def _sent(request: Mapping[str, Any]) -> str:
    """What a model would have to read."""
    texts = [str(one.get("content")) for one in request["messages"]]
    return "\n".join([*texts, json.dumps(request.get("response_format", ""))])


if __name__ == "__main__":
    serve()

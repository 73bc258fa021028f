"""The scripted model in a process of its own, so that its CPU time does not count as the program's.

It answers four kinds of calls by their schema: triage, choice of tools, draft, lessons (none). Any other call gets status 400. As
a program it serves until its standard input ends: one JSON line in, one out.
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
"""Average characters per token in English text."""


@dataclass(frozen=True)
class Verdict:
    """The model's verdict on every mail."""

    decision: str = "respond"
    category: str = "inquiry"
    confidence: float = 0.9


class AnsweringServer(ModelServer):
    """Answers every call by its schema; enqueued answers come first."""

    verdict = Verdict()

    def next_answer(self, request: Mapping[str, Any]) -> Answer:
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
    """The parent's end. Every call is synchronous and fast."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self.api_base = str(self._told())

    def answer_with(self, verdict: Verdict) -> None:
        """Sets the verdict and resets the counters."""
        self._ask(asdict(verdict))

    def prompts(self) -> list[str]:
        """The calls since the last reset: all message texts and the schema, as received."""
        return [str(one) for one in self._ask(None)]

    def _ask(self, question: Any) -> Any:
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        return self._told()

    def _told(self) -> Any:
        return json.loads(self._process.stdout.readline())


def prompt_tokens(prompt: str) -> int:
    """An estimate by length; the scripted model has no tokenizer."""
    return round(len(prompt) / TOKEN_CHARACTERS)


@contextmanager
def scripted_child() -> Iterator[ScriptedChild]:
    """A scripted model for a `with` block."""
    tests = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "PYTHONPATH": str(tests)}
    command = [sys.executable, __file__]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:  # its exit closes the child's input and waits
        yield ScriptedChild(process)


def serve() -> None:
    """The child: serves HTTP until the input ends."""
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
    """The text that a model would have to read."""
    texts = [str(one.get("content")) for one in request["messages"]]
    return "\n".join([*texts, json.dumps(request.get("response_format", ""))])


if __name__ == "__main__":
    serve()

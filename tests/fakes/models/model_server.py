"""A scripted language model over HTTP: OpenAI-compatible chat completions on a free loopback port.

A test enqueues answers and reads the history of calls. Answers can be text, JSON, tool calls, errors, slow, invalid or cut off;
calls with `stream` get server-sent events. Without a scripted answer the status is 400, so that no test passes by chance.
"""

import json
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from fakes.gmail.web_server import Handler, WebServer


@dataclass(frozen=True)
class Answer:
    """One scripted answer.

    With a `status` other than 200, `text` is the error's message. `raw` replaces the whole body, `cut_after` closes the
    connection after that many bytes of it, `wait_s` delays the answer.
    """

    text: str = ""
    tool_calls: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    status: int = 200
    raw: bytes | None = None
    cut_after: int = -1
    wait_s: float = 0.0
    prompt_tokens: int = 100
    completion_tokens: int = 20


def structured(**fields: Any) -> Answer:
    """An answer that is one JSON object."""
    return Answer(json.dumps(fields))


def calls(*named: tuple[str, Mapping[str, Any]]) -> Answer:
    """An answer with tool calls."""
    return Answer(tool_calls=named)


@dataclass
class ModelServer:
    """Serves a script in a thread. Use it as a context manager."""

    script: deque[Answer] = field(default_factory=deque)
    history: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    def __enter__(self) -> Self:
        script = self

        class Answering(_Handler):
            server_script = script

        self._server = WebServer(Answering).__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._server.__exit__(kind, error, trace)

    @property
    def api_base(self) -> str:
        """The address to configure."""
        return f"{self._server.address}/v1"

    def enqueue(self, *answers: Answer) -> None:
        """Adds answers to the script."""
        self.script.extend(answers)

    def next_answer(self, request: Mapping[str, Any]) -> Answer:
        """The next answer of the script. Subclasses may answer by the call instead."""
        return self.script.popleft() if self.script else Answer("the script is empty", status=400)

    def prompts(self) -> list[str]:
        """The message texts of each call as one string."""
        return ["\n".join(str(one.get("content")) for one in request["messages"]) for request in self.history]


class _Handler(Handler):
    server_script: ModelServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    """Head and body are two writes; otherwise the second waits 40 ms for the first's acknowledgement."""

    def respond(self) -> None:
        """Sends the next answer."""
        request = json.loads(self.body())
        script = self.server_script
        script.history.append(request)
        script.keys.append(self.headers.get("Authorization", "").removeprefix("Bearer "))
        answer = script.next_answer(request)
        time.sleep(answer.wait_s)
        if request.get("stream") and answer.status == 200 and answer.raw is None:
            self._send(_events(request, answer), "text/event-stream", answer)
        else:
            self._send(_body(request, answer), "application/json", answer)

    def _send(self, body: bytes, kind: str, answer: Answer) -> None:
        """Sends headers and as much of the body as the answer wants."""
        try:
            self.send_response(answer.status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body if answer.cut_after < 0 else body[: answer.cut_after])
            if answer.cut_after >= 0:
                self.wfile.flush()
                self.close_connection = True
                self.connection.close()
        except OSError:
            self.close_connection = True


def _body(request: Mapping[str, Any], answer: Answer) -> bytes:
    """The JSON of a completion or an error."""
    if answer.raw is not None:
        return answer.raw
    if answer.status != 200:
        return json.dumps({"error": {"message": answer.text, "type": "scripted", "code": answer.status}}).encode()
    message = {"role": "assistant", "content": answer.text or None, **_tool_calls(answer)}
    finish = "tool_calls" if answer.tool_calls else "stop"
    usage = _usage(answer)
    choice = {"index": 0, "message": message, "finish_reason": finish}
    return json.dumps({**_frame(request), "object": "chat.completion", "choices": [choice], "usage": usage}).encode()


def _usage(answer: Answer) -> dict[str, int]:
    """The token counts of an answer."""
    return {
        "prompt_tokens": answer.prompt_tokens,
        "completion_tokens": answer.completion_tokens,
        "total_tokens": answer.prompt_tokens + answer.completion_tokens,
    }


def _events(request: Mapping[str, Any], answer: Answer) -> bytes:
    """The completion as server-sent events, one word each."""
    words = answer.text.split(" ")
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": word if at == 0 else f" {word}"} for at, word in enumerate(words)]
    deltas += [_tool_calls(answer)] if answer.tool_calls else []
    chunks: list[dict[str, Any]] = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
    chunks.append({"index": 0, "delta": {}, "finish_reason": "tool_calls" if answer.tool_calls else "stop"})
    lines = [json.dumps({**_frame(request), "object": "chat.completion.chunk", "choices": [chunk]}) for chunk in chunks]
    if (request.get("stream_options") or {}).get("include_usage"):
        lines.append(json.dumps({**_frame(request), "object": "chat.completion.chunk", "choices": [], "usage": _usage(answer)}))
    return "".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"]).encode()


def _frame(request: Mapping[str, Any]) -> dict[str, Any]:
    """The fields common to all answers."""
    return {"id": "chatcmpl-scripted", "created": 1, "model": request.get("model", "scripted")}


def _tool_calls(answer: Answer) -> dict[str, Any]:
    """The tool calls in OpenAI's form; empty without any."""
    if not answer.tool_calls:
        return {}
    listed = [
        {"index": at, "id": f"call_{at}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        for at, (name, arguments) in enumerate(answer.tool_calls)
    ]
    return {"tool_calls": listed}

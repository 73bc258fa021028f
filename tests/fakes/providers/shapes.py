"""The wire formats of four kinds of model servers, as their public documentation describes them.

OpenAI: platform.openai.com/docs/api-reference/chat. Anthropic: platform.claude.com/docs/en/api/messages and
.../build-with-claude/streaming. Gemini: ai.google.dev/api/generate-content. Ollama: docs/api.md of github.com/ollama/ollama.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

PIECE = 24
"""Characters in one piece of a stream."""


@dataclass(frozen=True)
class Reply:
    """What a scripted model does with a call.

    `finish` is OpenAI's finish reason. `cut` closes the connection after this share of the body. `whole` ignores a wish for a
    stream. `raw` replaces the body. `encoding` changes it: "gzip", "utf-16", or "no done" for a stream without its end mark.
    """

    text: str = ""
    tool_calls: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    thinking: str = ""
    finish: str = "stop"
    status: int = 200
    error: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    wait_s: float = 0.0
    cut: float = -1.0
    whole: bool = False
    raw: bytes | None = None
    encoding: str = ""


@dataclass(frozen=True)
class Asked:
    """A call as any provider gets it. `schema` is the answer's schema, empty where none was sent as such."""

    model: str
    system: str
    user: str
    schema: Mapping[str, Any]
    tools: tuple[str, ...]
    stream: bool
    request: Mapping[str, Any]

    @property
    def text(self) -> str:
        """Everything that the model reads."""
        return f"{self.system}\n{self.user}"

    @property
    def fields(self) -> frozenset[str]:
        """Fields of the wanted object: of the schema, else as the prompt names them."""
        if self.schema:
            return frozenset(self.schema.get("properties", {}))
        known = ("decision", "body", "tools", "changes", "steps", "intent", "content", "text")
        return frozenset(name for name in known if f'"{name}"' in self.text)


class Shape(Protocol):
    """One wire format."""

    provider: str
    """The prefix of litellm's model ids."""

    def read(self, path: str, request: Mapping[str, Any]) -> Asked:
        """The call of a request."""

    def whole(self, asked: Asked, reply: Reply) -> bytes:
        """An answer in one piece."""

    def pieces(self, asked: Asked, reply: Reply) -> Iterator[bytes]:
        """A streamed answer."""

    def error(self, reply: Reply) -> bytes:
        """The body of an error."""

    def listed(self, models: Sequence[str]) -> tuple[str, dict[str, Any]]:
        """The path of the list of models, and its body."""

    stream_type: str


def text_of(content: Any) -> str:
    """The text of a message's content: a string or parts."""
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text", "")) for part in content or ())


def split(text: str) -> list[str]:
    """A text in pieces."""
    return [text[at : at + PIECE] for at in range(0, len(text), PIECE)] or [""]


def tokens(text: str) -> int:
    """About the tokens of a text."""
    return max(1, len(text) // 4)


class OpenAiShape:
    """Chat completions, as OpenAI, LM Studio, vLLM and llama.cpp's server serve them."""

    provider = "openai"
    stream_type = "text/event-stream"

    def listed(self, models: Sequence[str]) -> tuple[str, dict[str, Any]]:
        return "/v1/models", {"object": "list", "data": [{"id": one, "object": "model"} for one in models]}

    def read(self, path: str, request: Mapping[str, Any]) -> Asked:
        messages = request["messages"]
        form = (request.get("response_format") or {}).get("json_schema") or {}
        return Asked(
            str(request.get("model")),
            "\n".join(text_of(one.get("content")) for one in messages if one["role"] == "system"),
            "\n".join(text_of(one.get("content")) for one in messages if one["role"] != "system"),
            form.get("schema", {}),
            tuple(one["function"]["name"] for one in request.get("tools") or ()),
            bool(request.get("stream")),
            request,
        )

    def whole(self, asked: Asked, reply: Reply) -> bytes:
        message = {"role": "assistant", "content": reply.text or None, **self._calls(reply)}
        if reply.thinking:
            message["reasoning_content"] = reply.thinking
        choice = {"index": 0, "message": message, "finish_reason": self._finish(reply)}
        return json.dumps(
            {**self._frame(asked, "chat.completion"), "choices": [choice], "usage": self._usage(asked, reply)}
        ).encode()

    def pieces(self, asked: Asked, reply: Reply) -> Iterator[bytes]:
        deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
        deltas += [{"reasoning_content": one} for one in split(reply.thinking) if one]
        deltas += [{"content": one} for one in split(reply.text)]
        deltas += [self._calls(reply)] if reply.tool_calls else []
        frame = self._frame(asked, "chat.completion.chunk")
        for delta in deltas:
            yield _event({**frame, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
        yield _event({**frame, "choices": [{"index": 0, "delta": {}, "finish_reason": self._finish(reply)}]})
        if (asked.request.get("stream_options") or {}).get("include_usage"):
            yield _event({**frame, "choices": [], "usage": self._usage(asked, reply)})
        yield b"data: [DONE]\n\n"

    def error(self, reply: Reply) -> bytes:
        return json.dumps({"error": {"message": reply.error, "type": "scripted", "code": reply.status}}).encode()

    def _frame(self, asked: Asked, kind: str) -> dict[str, Any]:
        return {"id": "chatcmpl-1", "object": kind, "created": 1, "model": asked.model}

    def _finish(self, reply: Reply) -> str:
        return "tool_calls" if reply.tool_calls else reply.finish

    def _usage(self, asked: Asked, reply: Reply) -> dict[str, int]:
        said = tokens(reply.text + reply.thinking)
        return {"prompt_tokens": tokens(asked.text), "completion_tokens": said, "total_tokens": tokens(asked.text) + said}

    def _calls(self, reply: Reply) -> dict[str, Any]:
        listed = [
            {"index": at, "id": f"call_{at}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
            for at, (name, arguments) in enumerate(reply.tool_calls)
        ]
        return {"tool_calls": listed} if listed else {}


class AnthropicShape:
    """Anthropic's Messages."""

    provider = "anthropic"
    stream_type = "text/event-stream"

    def listed(self, models: Sequence[str]) -> tuple[str, dict[str, Any]]:
        return "/v1/models", {"data": [{"id": one, "type": "model"} for one in models], "has_more": False}

    def read(self, path: str, request: Mapping[str, Any]) -> Asked:
        schema = ((request.get("output_format") or (request.get("output_config") or {}).get("format")) or {}).get("schema", {})
        forced = (request.get("tool_choice") or {}).get("name", "")
        for tool in request.get("tools") or ():
            schema = tool.get("input_schema", {}) if tool["name"] == forced else schema
        return Asked(
            str(request.get("model")),
            text_of(request.get("system")),
            "\n".join(text_of(one.get("content")) for one in request["messages"]),
            schema,
            tuple(one["name"] for one in request.get("tools") or ()),
            bool(request.get("stream")),
            request,
        )

    def _blocks(self, asked: Asked, reply: Reply) -> list[dict[str, Any]]:
        blocks: list[dict[str, Any]] = []
        if reply.thinking:
            blocks.append({"type": "thinking", "thinking": reply.thinking, "signature": "sig"})
        forced = (asked.request.get("tool_choice") or {}).get("name", "")
        if forced and not reply.tool_calls and reply.text.lstrip().startswith("{"):
            try:
                return [*blocks, {"type": "tool_use", "id": "toolu_1", "name": forced, "input": json.loads(reply.text)}]
            except ValueError:
                pass  # a tool's input that is no JSON comes as text
        if reply.text:
            blocks.append({"type": "text", "text": reply.text})
        return blocks + [
            {"type": "tool_use", "id": f"toolu_{at}", "name": name, "input": dict(arguments)}
            for at, (name, arguments) in enumerate(reply.tool_calls)
        ]

    def _stop(self, reply: Reply) -> str:
        if reply.tool_calls:
            return "tool_use"
        return {"length": "max_tokens", "content_filter": "refusal"}.get(reply.finish, "end_turn")

    def _message(self, asked: Asked, content: Sequence[Mapping[str, Any]], stop: str | None, said: int) -> dict[str, Any]:
        usage = {"input_tokens": tokens(asked.text), "output_tokens": said}
        usage |= {"cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
        return {
            "id": "msg_1", "type": "message", "role": "assistant", "model": asked.model, "content": list(content),
            "stop_reason": stop, "stop_sequence": None, "usage": usage,
        }  # fmt: skip

    def whole(self, asked: Asked, reply: Reply) -> bytes:
        return json.dumps(self._message(asked, self._blocks(asked, reply), self._stop(reply), tokens(reply.text))).encode()

    def pieces(self, asked: Asked, reply: Reply) -> Iterator[bytes]:
        yield _named("message_start", {"message": self._message(asked, [], None, 1)})
        for at, block in enumerate(self._blocks(asked, reply)):
            kind = block["type"]
            empty = {"text": {"text": ""}, "thinking": {"thinking": "", "signature": ""}, "tool_use": {**block, "input": {}}}[
                kind
            ]
            yield _named("content_block_start", {"index": at, "content_block": {"type": kind, **empty}})
            yield _named("ping", {})
            for piece in split(json.dumps(block["input"]) if kind == "tool_use" else str(block[kind])):
                delta = {"text": "text_delta", "thinking": "thinking_delta", "tool_use": "input_json_delta"}[kind]
                name = {"tool_use": "partial_json"}.get(kind, kind)
                yield _named("content_block_delta", {"index": at, "delta": {"type": delta, name: piece}})
            yield _named("content_block_stop", {"index": at})
        done = {
            "delta": {"stop_reason": self._stop(reply), "stop_sequence": None},
            "usage": {"output_tokens": tokens(reply.text)},
        }
        yield _named("message_delta", done)
        yield _named("message_stop", {})

    def error(self, reply: Reply) -> bytes:
        kinds = {401: "authentication_error", 404: "not_found_error", 413: "request_too_large", 429: "rate_limit_error"}
        kind = kinds.get(reply.status, "api_error" if reply.status >= 500 else "invalid_request_error")
        return json.dumps({"type": "error", "error": {"type": kind, "message": reply.error}}).encode()


class GeminiShape:
    """Gemini's generateContent."""

    provider = "gemini"
    stream_type = "text/event-stream"

    def listed(self, models: Sequence[str]) -> tuple[str, dict[str, Any]]:
        listed = [{"name": f"models/{one}", "supportedGenerationMethods": ["generateContent"]} for one in models]
        return "/v1beta/models", {"models": [*listed, {"name": "models/e-1", "supportedGenerationMethods": ["embedContent"]}]}

    def read(self, path: str, request: Mapping[str, Any]) -> Asked:
        config = request.get("generationConfig") or {}
        schema = next((config[name] for name in config if name.lower().replace("_", "") in GEMINI_SCHEMAS), {})
        system = request.get("system_instruction") or request.get("systemInstruction") or {}
        declared = [
            one
            for tool in request.get("tools") or ()
            for one in tool.get("function_declarations") or tool.get("functionDeclarations") or ()
        ]
        return Asked(
            path.partition("models/")[2].partition(":")[0],
            text_of(system.get("parts")),
            "\n".join(text_of(one.get("parts")) for one in request["contents"]),
            schema,
            tuple(one["name"] for one in declared),
            "streamGenerateContent" in path,
            request,
        )

    def _chunk(self, asked: Asked, parts: list[dict[str, Any]], finish: str | None, reply: Reply) -> dict[str, Any]:
        candidate: dict[str, Any] = {"content": {"role": "model", "parts": parts}, "index": 0}
        if finish:
            candidate["finishReason"] = finish
        said = tokens(reply.text)
        usage = {
            "promptTokenCount": tokens(asked.text),
            "candidatesTokenCount": said,
            "totalTokenCount": tokens(asked.text) + said,
        }
        return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": asked.model, "responseId": "r1"}

    def _finish(self, reply: Reply) -> str:
        return {"length": "MAX_TOKENS", "content_filter": "SAFETY"}.get(reply.finish, "STOP")

    def _parts(self, reply: Reply) -> list[dict[str, Any]]:
        parts: list[dict[str, Any]] = [{"text": reply.thinking, "thought": True}] if reply.thinking else []
        parts += [{"text": reply.text}] if reply.text else []
        return parts + [{"functionCall": {"name": name, "args": dict(arguments)}} for name, arguments in reply.tool_calls]

    def whole(self, asked: Asked, reply: Reply) -> bytes:
        return json.dumps(self._chunk(asked, self._parts(reply), self._finish(reply), reply)).encode()

    def pieces(self, asked: Asked, reply: Reply) -> Iterator[bytes]:
        for part in self._parts(reply):
            for piece in split(str(part["text"])) if "text" in part else [""]:
                yield _event(self._chunk(asked, [{**part, "text": piece}] if "text" in part else [part], None, reply))
        yield _event(self._chunk(asked, [{"text": ""}], self._finish(reply), reply))

    def error(self, reply: Reply) -> bytes:
        kinds = {401: "UNAUTHENTICATED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED", 503: "UNAVAILABLE"}
        status = kinds.get(reply.status, "INTERNAL" if reply.status >= 500 else "INVALID_ARGUMENT")
        return json.dumps({"error": {"code": reply.status, "message": reply.error, "status": status}}).encode()


GEMINI_SCHEMAS = frozenset({"responseschema", "responsejsonschema"})


class OllamaShape:
    """Ollama's /api/chat."""

    provider = "ollama_chat"
    stream_type = "application/x-ndjson"

    def listed(self, models: Sequence[str]) -> tuple[str, dict[str, Any]]:
        return "/api/tags", {"models": [{"name": one, "details": {"family": "llama"}} for one in models]}

    def read(self, path: str, request: Mapping[str, Any]) -> Asked:
        messages = request.get("messages", ())
        form = request.get("format")
        return Asked(
            str(request.get("model")),
            "\n".join(text_of(one.get("content")) for one in messages if one["role"] == "system"),
            "\n".join(text_of(one.get("content")) for one in messages if one["role"] != "system"),
            form if isinstance(form, Mapping) else {},
            tuple(one["function"]["name"] for one in request.get("tools") or ()),
            bool(request.get("stream", True)),
            request,
        )

    def _line(self, asked: Asked, message: Mapping[str, Any], reply: Reply, done: bool) -> bytes:
        end = {"done_reason": reply.finish, "prompt_eval_count": tokens(asked.text), "eval_count": tokens(reply.text)}
        head = {"model": asked.model, "created_at": "2026-01-01T00:00:00Z", "message": {"role": "assistant", **message}}
        return json.dumps({**head, "done": done, **(end if done else {})}).encode()

    def _calls(self, reply: Reply) -> dict[str, Any]:
        listed = [{"function": {"name": name, "arguments": dict(arguments)}} for name, arguments in reply.tool_calls]
        return {"tool_calls": listed} if listed else {}

    def whole(self, asked: Asked, reply: Reply) -> bytes:
        thinking = {"thinking": reply.thinking} if reply.thinking else {}
        return self._line(asked, {"content": reply.text, **thinking, **self._calls(reply)}, reply, done=True)

    def pieces(self, asked: Asked, reply: Reply) -> Iterator[bytes]:
        for piece in split(reply.thinking) if reply.thinking else ():
            yield self._line(asked, {"content": "", "thinking": piece}, reply, done=False) + b"\n"
        for piece in split(reply.text):
            yield self._line(asked, {"content": piece}, reply, done=False) + b"\n"
        yield self._line(asked, {"content": "", **self._calls(reply)}, reply, done=True) + b"\n"

    def error(self, reply: Reply) -> bytes:
        return json.dumps({"error": reply.error}).encode()


def _event(data: Mapping[str, Any]) -> bytes:
    return f"data: {json.dumps(data)}\n\n".encode()


def _named(name: str, data: Mapping[str, Any]) -> bytes:
    """An event with a name, which Anthropic repeats in the data."""
    return f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n".encode()


OPENAI, ANTHROPIC, GEMINI, OLLAMA = OpenAiShape(), AnthropicShape(), GeminiShape(), OllamaShape()
SHAPES: tuple[Shape, ...] = (OPENAI, ANTHROPIC, GEMINI, OLLAMA)

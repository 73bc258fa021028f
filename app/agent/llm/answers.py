"""Reads a model's answer: a JSON object that fits a schema, tool calls, or a stream of pieces.

Models write nearly right JSON: in fences, after their thoughts, with trailing commas, other capitals, synonyms or numbers as
text. All that has one meaning is read; what is missing or cannot be understood is not guessed.

The timeout of a stream counts from piece to piece, so that a slow local model may take its time while it keeps sending.
"""

import ast
import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from app.agent.llm.schemas import schema_errors
from app.agent.llm.turns import ToolCall, ToolTurn


class AnswerFormatError(ValueError):
    """An answer in the wrong format. The message goes back to the model."""


MOST_OBJECTS = 20
"""Objects of one answer that are tried."""
LONGEST_LITERAL = 20_000
_THOUGHTS = re.compile(
    r"<(think|thinking|thought|reasoning|reflection)>.*?</\1>|\[THINK\].*?\[/THINK\]", re.DOTALL | re.IGNORECASE
)
_END_OF_THOUGHTS = re.compile(
    r"</(?:think|thinking|thought|reasoning|reflection)>|\[/THINK\]|◁/think▷|<\|channel\|>final(?:<\|message\|>)?", re.IGNORECASE
)
_STRING = r'("(?:[^"\\]|\\.)*")'
_STRING_OR_COMMENT = re.compile(rf"{_STRING}|//[^\n]*|/\*.*?\*/", re.DOTALL)
_STRING_OR_COMMA = re.compile(rf"{_STRING}|,(?=\s*[}}\]])", re.DOTALL)
_STRING_OR_NAME = re.compile(rf"{_STRING}|(?<=[{{,\s])([A-Za-z_]\w*)(?=\s*:)", re.DOTALL)
_CURLY_QUOTES = str.maketrans(dict.fromkeys("“”„", '"'))
_DECODER = json.JSONDecoder(strict=False)


def parse_object(text: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """The object in `text` that fits `schema`. Raises `AnswerFormatError`.

    Where several fit it is the last one, since models show the form before they fill it.
    """
    problem, fitting = "There is no JSON object in it.", None
    for found in _objects(without_thoughts(text)):
        if isinstance(found, Exception):
            problem = f"It is not valid JSON: {found}"
            continue
        fitted = fit(found, schema)
        if errors := schema_errors(schema, fitted, "object"):
            problem = "; ".join(errors)
        else:
            fitting = fitted
    if fitting is None:
        raise AnswerFormatError(problem)
    whole: dict[str, Any] = fitting
    return whole


def said(message: Any) -> str:
    """The text of litellm's message. Some servers put the whole answer where a model's thoughts belong."""
    return str(message.content or "") or str(getattr(message, "reasoning_content", None) or "")


def refused(message: Any) -> bool:
    """Whether a server says in a field of its own that the model refuses."""
    fields = getattr(message, "provider_specific_fields", None) or {}
    return bool(getattr(message, "refusal", None) or fields.get("refusal"))


def without_thoughts(text: str) -> str:
    """The answer behind what a model wrote while it was thinking."""
    text = _THOUGHTS.sub("", text)
    ends = list(_END_OF_THOUGHTS.finditer(text))  # some chat templates leave the opening mark out
    return text[ends[-1].end() :] if ends else text


def _objects(text: str) -> Iterator[Any]:
    """The outermost objects of a text, leniently read, at most `MOST_OBJECTS`; an error in place of one that is broken."""
    with suppress(ValueError, RecursionError):
        text = json.loads(text) if text.lstrip().startswith('"') else text  # encoded twice
    text = text if '"' in text else text.translate(_CURLY_QUOTES)
    at = text.find("{")
    for _ in range(MOST_OBJECTS):
        if at < 0:
            return
        try:
            found, end = _decoded(text, at)
        except (ValueError, SyntaxError, RecursionError, MemoryError) as error:
            found, end = error, at + 1
        yield found
        at = text.find("{", end)


def _decoded(text: str, at: int) -> tuple[object, int]:
    """The object that begins at `at`, and where it ends.

    Comments, trailing commas, names without quotes and Python's quotes are read too.
    """
    with suppress(ValueError):
        return _DECODER.raw_decode(text, at)
    end = text.rfind("}") + 1
    whole = text[at:end]
    plain = _STRING_OR_COMMA.sub(r"\1", _STRING_OR_COMMENT.sub(r"\1", whole))
    with suppress(ValueError):
        return json.loads(_STRING_OR_NAME.sub(lambda match: match[1] or f'"{match[2]}"', plain), strict=False), end
    if len(whole) <= LONGEST_LITERAL:
        with suppress(ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            return ast.literal_eval(whole), end
    return _DECODER.raw_decode(text, at)


def fit(value: object, schema: Mapping[str, Any]) -> Any:
    """The value in the form that `schema` wants, as far as it has one meaning.

    Two keywords of ours help: `synonyms` maps other words to values of `enum`, `default` stands for a missing property.
    """
    match schema.get("type"):
        case "object" if isinstance(value, Mapping):
            return _object(value, schema)
        case "array":
            return _array(value, schema)
        case "number" | "integer":
            return _number(value, schema)
        case "string":
            return _string(value, schema)
        case "boolean" if isinstance(value, str) and value.strip().lower() in _BOOLEANS:
            return _BOOLEANS[value.strip().lower()]
    return value


_BOOLEANS = {"true": True, "yes": True, "false": False, "no": False}
_GRADES = {"very high": 0.95, "high": 0.9, "medium": 0.7, "moderate": 0.7, "low": 0.4, "very low": 0.2}
"""Confidences in words."""
_NUMBER = re.compile(r"\s*(-?\d+(?:[.,]\d+)?)\s*(%|/\s*100|/\s*10|/\s*1)?\s*")


def _object(value: Mapping[Any, Any], schema: Mapping[str, Any]) -> dict[Any, Any]:
    """Properties by their names in any spelling, without others where the schema wants none."""
    wanted: Mapping[str, Any] = schema.get("properties", {})
    required = schema.get("required", ())
    if len(value) == 1 and wanted and not set(map(_name, value)) & set(map(_name, wanted)):
        (inner,) = value.values()
        value = inner if isinstance(inner, Mapping) else value
    spelled = {_name(key): key for key in wanted}
    found: dict[Any, Any] = {}
    for key, one in value.items():
        name = key if key in wanted else spelled.get(_name(key), key)
        if name in wanted:
            found.setdefault(name, fit(one, wanted[name]))
        elif schema.get("additionalProperties") is not False:
            found[key] = one
    for name in required:
        if name not in found and "default" in wanted.get(name, {}):
            found[name] = wanted[name]["default"]
    return found


def _name(text: object) -> str:
    """A name without case, spaces and punctuation."""
    return re.sub(r"[^\w]+|_", " ", str(text).casefold()).strip()


def _array(value: object, schema: Mapping[str, Any]) -> object:
    """A list; a single value is a list of one."""
    if value is None or value == "":
        value = []
    elif isinstance(value, str | Mapping):
        value = [value]
    if not isinstance(value, list):
        return value
    items = [fit(one, schema.get("items", {})) for one in value]
    allowed = schema.get("items", {}).get("enum")
    if allowed:
        items = [one for one in items if one in allowed]
    if schema.get("uniqueItems"):
        items = [one for at, one in enumerate(items) if one not in items[:at]]
    return items[: schema.get("maxItems", len(items))]


def _number(value: object, schema: Mapping[str, Any]) -> object:
    """A number from text, per cent or words. One to 100 counts as per cent where at most 1 is allowed."""
    if isinstance(value, str):
        if value.strip().casefold() in _GRADES and schema.get("maximum") == 1:
            return _GRADES[value.strip().casefold()]
        said = _NUMBER.fullmatch(value)
        if said is None:
            return value
        share = {"%": 100, "/100": 100, "/10": 10}.get((said[2] or "").replace(" ", ""), 1)
        value = float(said[1].replace(",", ".")) / share
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    if schema.get("maximum") == 1 and 1 < value <= 100:
        value = value / 100
    return int(value) if schema.get("type") == "integer" and value == int(value) else value


def _string(value: object, schema: Mapping[str, Any]) -> object:
    """A text; one of the allowed where there are such. A text that is explained, not shown whole, may be cut."""
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        value = "\n".join(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        return value
    if "enum" in schema:
        return _choice(value, schema["enum"], schema.get("synonyms", {}))
    most = schema.get("maxLength")
    return value[:most] if most and schema.get("cut") else value


def _choice(value: str, allowed: list[str], synonyms: Mapping[str, str]) -> str:
    """The allowed value that is meant, else the value itself."""
    if value in allowed:
        return value
    names = {_name(one): one for one in allowed} | {_name(word): meant for word, meant in synonyms.items()}
    said = _name(value)
    if said in names:
        return names[said]
    within = [name for name in names if re.search(rf"\b{re.escape(name)}\b", said)]
    longest = max(map(len, within), default=0)
    meant = {names[name] for name in within if len(name) == longest}
    return meant.pop() if len(meant) == 1 else value


def tool_turn(message: Any, tools: Sequence[Mapping[str, Any]]) -> ToolTurn:
    """Converts litellm's message. Names and arguments of calls are read as leniently as other answers.

    A call that a model wrote as text counts too.
    """
    schemas = {one["function"]["name"]: one["function"].get("parameters", {}) for one in tools}
    text = without_thoughts(message.content or "")
    made = [(str(one.id), str(one.function.name or ""), one.function.arguments) for one in message.tool_calls or ()]
    made = made or _written_calls(text, schemas)
    calls = tuple(_call(number, name, arguments, schemas) for number, name, arguments in made)
    return ToolTurn(text, calls)


def _call(number: str, name: str, arguments: str | Mapping[str, Any] | None, schemas: Mapping[str, Any]) -> ToolCall:
    """A call with its tool's name as we spell it and arguments in the form the tool wants; without arguments none can be read."""
    meant = _tool(name, schemas) or name
    given: Any = arguments
    if not isinstance(arguments, Mapping):
        given = next((one for one in _objects(arguments or "{}") if isinstance(one, dict)), {})
    schema = {**schemas.get(meant, {}), "additionalProperties": True}  # the model is told of what a tool does not know
    return ToolCall(number, meant, dict(fit(given, schema)))


_AROUND_NAME = re.compile(r"^(?:functions?|default_api|tools?)[.:]|[:.]\d+$")
_NAMED_BEFORE = re.compile(r"(?:<function=|\[TOOL_CALLS\]\s*|<｜tool▁sep｜>|\bAction:\s*)([\w.:-]+)[^{]{0,40}(?=\{)")
"""How a text names a tool before its arguments: Llama, Mistral, DeepSeek and prompts of the ReAct kind."""


def _tool(name: object, schemas: Mapping[str, Any]) -> str:
    """The tool that is meant by a name in any spelling, empty for none."""
    plain = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", _AROUND_NAME.sub("", str(name or "")))
    spelled = {_name(one): one for one in schemas}
    return spelled.get(_name(plain)) or spelled.get(_name(name), "")


def _written_calls(text: str, schemas: Mapping[str, Any]) -> list[tuple[str, str, Any]]:
    """The first call in a text, which small models write instead of calling."""
    for named in _NAMED_BEFORE.finditer(text):
        if tool := _tool(named[1], schemas):
            given = next(_objects(text[named.end() :]), None)
            return [("written", tool, given if isinstance(given, Mapping) else None)]
    for one in _objects(text):
        if found := _written_call(one, schemas):
            return [("written", *found)]
    return []


def _written_call(value: Any, schemas: Mapping[str, Any]) -> tuple[str, Any] | None:
    """The call in an object such as `{"name": ..., "arguments": {...}}`, or within another."""
    if isinstance(value, list) and value:
        value = value[0]
    if not isinstance(value, Mapping):
        return None
    for key in ("tool_calls", "tool_call", "function"):
        if isinstance(value.get(key), Mapping | list):
            return _written_call(value[key], schemas)
    tool = next(filter(None, (_tool(value.get(key), schemas) for key in ("name", "tool", "function", "action"))), "")
    given = next((value[key] for key in ("arguments", "parameters", "args", "action_input", "input") if key in value), None)
    if tool and (isinstance(given, Mapping | str) or len(value) == 1):
        return tool, given
    (key, inner), *more = value.items() or [("", None)]
    return (_tool(key, schemas), inner) if not more and _tool(key, schemas) and isinstance(inner, Mapping) else None


class StreamCutOff(Exception):
    """The stream ended before the answer was complete."""


class StreamStalled(Exception):
    """No piece came within the timeout."""


class NotStreamed(Exception):
    """The server sent no stream although one was requested."""


MOST_PIECES = 20_000
"""Pieces of one answer that are read. A piece is a token or more."""


async def gathered(stream: AsyncIterator[Any], timeout_s: float) -> list[Any]:
    """All pieces of a complete answer, or the first `MOST_PIECES`: a model may go on and on where its server heeds no limit.

    Raises `StreamCutOff`, `StreamStalled`, `NotStreamed`, and what the stream raises.
    """
    pieces: list[Any] = []
    whole = False
    try:
        while len(pieces) < MOST_PIECES:
            async with asyncio.timeout(timeout_s):
                piece = await anext(stream, None)
            if piece is None:
                break
            pieces.append(piece)
            whole = whole or any(choice.finish_reason for choice in piece.choices)
        else:
            await _close(stream)
            return pieces
    except BaseException as error:
        await _close(stream)
        if isinstance(error, TimeoutError):
            raise StreamStalled from None
        raise
    if not whole and pieces:
        raise StreamCutOff
    if not any(map(_says_something, pieces)):
        raise NotStreamed
    return pieces


def _says_something(piece: Any) -> bool:
    """Whether a piece has content, or a reason why there is none. litellm makes up an end for a server that streams nothing."""
    for choice in piece.choices:
        delta = getattr(choice, "delta", None)
        parts = ("content", "tool_calls", "reasoning_content", "refusal")
        if choice.finish_reason not in (None, "stop") or any(getattr(delta, part, None) for part in parts):
            return True
    return False


async def _close(stream: AsyncIterator[Any]) -> None:
    """Releases the connection. A plain generator has none."""
    close = getattr(stream, "aclose", None)
    if close is not None:
        await close()

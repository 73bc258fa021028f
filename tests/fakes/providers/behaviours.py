"""What real model servers do with a call, good and bad, as behaviours for `ProviderServer`.

`Mails` knows the right verdict on each mail, so that a bad answer is the right one in the wrong form.
"""

import json
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fakes.providers.server import Behaviour
from fakes.providers.shapes import ANTHROPIC, GEMINI, OLLAMA, OPENAI, Asked, Reply, Shape

BODY = "Hello,\n\nthank you for your mail. [[your answer]]\n\nBest regards"
REASON = "The sender asks a question."
RETRY_AFTER_S = 30
SENDER = "somebody@example.org"


@dataclass
class Mails:
    """The right verdicts, by a piece of the mail's text."""

    verdicts: dict[str, tuple[str, str]] = field(default_factory=dict)
    default: tuple[str, str] = ("respond", "inquiry")

    def verdict(self, asked: Asked) -> tuple[str, str]:
        """Decision and category of the mail that the call is about, which stands last."""
        found = [(asked.text.rfind(key), key) for key in self.verdicts if key in asked.text]
        return self.verdicts[max(found)[1]] if found else self.default

    def answer(self, asked: Asked) -> dict[str, Any]:
        """The right object."""
        fields = asked.fields
        if "decision" in fields:
            decision, category = self.verdict(asked)
            verdict = {"decision": decision, "category": category, "confidence": 0.9, "reason": REASON}
            reply = {"language": "English", "questions": ["what they asked"], "body": BODY if decision == "respond" else ""}
            return {**verdict, **(reply if "body" in fields else {})}
        if "body" in fields:
            return {"language": "English", "questions": ["what they asked"], "body": BODY}
        if "tools" in fields:
            return {"tools": []}
        if "changes" in fields:
            return {"changes": []}
        return {"text": "Done."}

    def good(self, asked: Asked, _number: int) -> Reply:
        """The right answer in the right form."""
        if asked.tools and "decision" not in asked.fields and not asked.schema:
            return self.calls(asked)
        return Reply(json.dumps(self.answer(asked)))

    def calls(self, asked: Asked) -> Reply:
        """A turn of the response agent: the reply, then the end once it was approved."""
        if "send_email" in asked.tools and '"status": "queued"' not in asked.text:
            number = re.findall(r"Respond to mail (\d+)", asked.text)[-1]
            letter = {"email_id": number, "response_text": BODY.replace("[[your answer]]", "Yes."), "email_address": SENDER}
            return Reply(tool_calls=(("send_email", letter),))
        return Reply(tool_calls=(("Done", {"done": True}),))


Change = Callable[[dict[str, Any]], Any]


def changed(mails: Mails, change: Change, **rest: Any) -> Behaviour:
    """The right answer, changed. `change` gets the object and returns an object or a text."""

    def behave(asked: Asked, number: int) -> Reply:
        right = mails.good(asked, number)
        if right.tool_calls:
            return right
        made = change(json.loads(right.text))
        return Reply(made if isinstance(made, str) else json.dumps(made), **rest)

    return behave


def always(reply: Reply) -> Callable[[Mails], Behaviour]:
    """The same reply to every call."""
    return lambda mails: lambda asked, number: reply


def prose(answer: Mapping[str, Any]) -> str:
    """Words instead of JSON."""
    if "decision" in answer:
        return f"I would say that you should {answer['decision']} here, since this looks like {answer['category']}."
    return f"Sure! Here is a reply you could send:\n\n{BODY}" if "body" in answer else "I would use none of them."


def capitals(answer: dict[str, Any]) -> dict[str, Any]:
    """Names of decisions and categories as people write them."""
    for key in ("decision", "category"):
        if key in answer:
            answer[key] = str(answer[key]).replace("_", " ").title()
    return answer


SYNONYMS = {
    "respond": "reply",
    "notify": "fyi",
    "ignore": "no action needed",
    "inquiry": "question",
    "meeting_request": "meeting request",
    "complaint": "Complaint / problem",
    "follow_up": "follow-up",
    "spam": "junk",
    "other": "General",
}


def synonyms(answer: dict[str, Any]) -> dict[str, Any]:
    """Other words for decisions and categories."""
    return {key: SYNONYMS.get(value, value) if isinstance(value, str) else value for key, value in answer.items()}


def with_confidence(value: Any) -> Change:
    """Another form of the confidence."""
    return lambda answer: answer | ({"confidence": value} if "confidence" in answer else {})


def single_quotes(answer: dict[str, Any]) -> str:
    """The object as Python writes it."""
    return repr(answer)


def without_reason(answer: dict[str, Any]) -> dict[str, Any]:
    """The object without its last field."""
    return dict(list(answer.items())[:-1])


def trailing_comma(answer: dict[str, Any]) -> str:
    return json.dumps(answer)[:-1] + ",}"


def fenced(answer: dict[str, Any]) -> str:
    return f"Here is the JSON you asked for:\n```json\n{json.dumps(answer, indent=2)}\n```\nLet me know if you need {{more}}!"


def thought(answer: dict[str, Any]) -> str:
    return f'<think>The user wants {{"decision": ...}} or {{}}. Let me see {{it}}.</think>\n{json.dumps(answer)}'


def extra_key(answer: dict[str, Any]) -> dict[str, Any]:
    return {"thoughts": "It asks something.", **answer, "language_code": "en"}


def wrapped(answer: dict[str, Any]) -> dict[str, Any]:
    return {"answer": answer}


SMALL_FAULTS: tuple[Change, ...] = (
    lambda answer: answer, prose, capitals, synonyms, with_confidence("0.9"), with_confidence(90), extra_key, trailing_comma,
    fenced, thought, single_quotes, without_reason, lambda answer: "", lambda answer: json.dumps(answer)[:-9],
)  # fmt: skip


def small_model(mails: Mails) -> Behaviour:
    """A small model: a fault of its kind in most answers, the same at every run."""
    chance = random.Random(3)
    order = [chance.choice(SMALL_FAULTS) for _ in range(500)]
    return lambda asked, number: changed(mails, order[number % len(order)])(asked, number)


def schema_refused(mails: Mails) -> Behaviour:
    """No response schema is accepted."""

    def behave(asked: Asked, number: int) -> Reply:
        if asked.schema:
            return Reply(status=400, error="'response_format' of type 'json_schema' is not supported with this model")
        return mails.good(asked, number)

    return behave


def down_then_back(mails: Mails, failures: int = 5) -> Behaviour:
    """The first calls fail, all others work."""
    return lambda asked, number: Reply(status=503, error="overloaded") if number < failures else mails.good(asked, number)


def says_tools(mails: Mails) -> Behaviour:
    """Words where a tool has to be called."""
    return lambda asked, number: Reply("I have answered the mail.") if asked.tools else mails.good(asked, number)


def every_second(reply: Reply) -> Callable[[Mails], Behaviour]:
    return lambda mails: lambda asked, number: reply if number % 2 else mails.good(asked, number)


def claims(answer: dict[str, Any]) -> dict[str, Any]:
    """A draft with a figure and a link of its own."""
    return answer | ({"body": "It costs 499 EUR. See https://made.example/up"} if answer.get("body") else {})


def always_responds(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer to everything."""
    return answer | ({"decision": "respond", "body": answer.get("body") or "Hello [[x]]"} if "decision" in answer else {})


def loops(mails: Mails) -> Behaviour:
    """The calendar, again and again."""
    look = Reply(tool_calls=(("check_calendar", {"dates": ["28-11-2026"]}),))
    return lambda asked, number: look if asked.tools else mails.good(asked, number)


def commented(answer: dict[str, Any]) -> str:
    """The object as JavaScript writes it, with comments and names without quotes."""
    lines = [f"  {key}: {json.dumps(value)}, // the {key} /* */" for key, value in answer.items()]
    return "\n".join(["{ /* the answer: */", *lines, "}"])


def refusing(mails: Mails, refused: Callable[[Asked], bool], error: str, status: int = 400) -> Behaviour:
    """Requests of one kind are rejected, the others answered."""
    return lambda asked, number: Reply(status=status, error=error) if refused(asked) else mails.good(asked, number)


def systems(asked: Asked) -> int:
    """How many messages are of the system."""
    return sum(one["role"] == "system" for one in asked.request["messages"])


def in_a_table(answer: dict[str, Any]) -> str:
    """The object in a cell of a Markdown table."""
    return f"| mail | answer |\n|---|---|\n| 1 | `{json.dumps(answer)}` |\n"


def as_a_table(answer: dict[str, Any]) -> str:
    """A field a row, and no JSON."""
    return "\n".join(["| field | value |", "|---|---|", *(f"| {key} | {value} |" for key, value in answer.items())])


KEYS_IN_CZECH = {"decision": "rozhodnutí", "category": "kategorie", "confidence": "jistota", "reason": "důvod", "body": "text"}


def czech_keys(answer: dict[str, Any]) -> dict[str, Any]:
    """Fields with translated names."""
    return {KEYS_IN_CZECH.get(key, key): value for key, value in answer.items()}


def czech_values(answer: dict[str, Any]) -> dict[str, Any]:
    """Decisions and categories in Czech."""
    words = {"respond": "odpovědět", "notify": "oznámit", "ignore": "ignorovat", "inquiry": "dotaz", "other": "jiné"}
    return {key: words.get(value, value) if isinstance(value, str) else value for key, value in answer.items()}


def tool_as_text(mails: Mails) -> Behaviour:
    """Tool calls written as text, in the tags of Hermes and Qwen."""

    def behave(asked: Asked, number: int) -> Reply:
        right = mails.good(asked, number)
        if not right.tool_calls:
            return right
        name, arguments = right.tool_calls[0]
        return Reply(f"<tool_call>\n{json.dumps({'name': name, 'arguments': arguments})}\n</tool_call>")

    return behave


def slow_at_first(mails: Mails) -> Behaviour:
    """The first call is slower than allowed, as when a model is loaded."""
    return lambda asked, number: Reply("late", wait_s=1.5) if number == 0 else mails.good(asked, number)


REFUSAL = json.dumps(
    {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": None, "refusal": "I can't help."}, "finish_reason": "stop"}
        ],
    }
).encode()


@dataclass(frozen=True)
class Row:
    """A row of the table. `good`: the server does what it should. `agent`: meetings go to the response agent."""

    name: str
    shape: Shape
    make: Callable[[Mails], Behaviour]
    good: bool = False
    agent: bool = False


def _error(status: int, text: str, **headers: str) -> Callable[[Mails], Behaviour]:
    return always(Reply(status=status, error=text, headers=headers))


def _change(change: Change, **rest: Any) -> Callable[[Mails], Behaviour]:
    return lambda mails: changed(mails, change, **rest)


def same(answer: dict[str, Any]) -> dict[str, Any]:
    return answer


ROWS: tuple[Row, ...] = (
    Row("openai", OPENAI, lambda mails: mails.good, good=True),
    Row("anthropic", ANTHROPIC, lambda mails: mails.good, good=True),
    Row("gemini", GEMINI, lambda mails: mails.good, good=True),
    Row("ollama", OLLAMA, lambda mails: mails.good, good=True),
    Row("openai tools", OPENAI, lambda mails: mails.good, good=True, agent=True),
    Row("anthropic tools", ANTHROPIC, lambda mails: mails.good, good=True, agent=True),
    Row("gemini tools", GEMINI, lambda mails: mails.good, good=True, agent=True),
    Row("ollama tools", OLLAMA, lambda mails: mails.good, good=True, agent=True),
    Row("capitals", OPENAI, _change(capitals)),
    Row("synonyms", OPENAI, _change(synonyms)),
    Row("confidence as text", OPENAI, _change(with_confidence("0.9"))),
    Row("confidence in per cent", OPENAI, _change(with_confidence(90))),
    Row("extra keys", OPENAI, _change(extra_key)),
    Row("wrapped in a key", OPENAI, _change(wrapped)),
    Row("trailing comma", OPENAI, _change(trailing_comma)),
    Row("single quotes", OPENAI, _change(single_quotes)),
    Row("fences", OPENAI, _change(fenced)),
    Row("think with braces", OPENAI, _change(thought)),
    Row("think with braces, ollama", OLLAMA, _change(thought)),
    Row("reasoning apart", OPENAI, _change(same, thinking='Maybe {"decision": "ignore"}?')),
    Row("ignores stream", OPENAI, _change(same, whole=True)),
    Row("think and ignores stream", OPENAI, _change(thought, whole=True)),
    Row("schema refused", OPENAI, schema_refused),
    Row("prose", OPENAI, _change(prose)),
    Row("a field is missing", OPENAI, _change(without_reason)),
    Row("cut at max_tokens", OPENAI, _change(lambda answer: json.dumps(answer)[:-9], finish="length")),
    Row("empty answers", OPENAI, always(Reply(""))),
    Row("mixed faults of a small model", OPENAI, small_model),
    Row("refusal, openai", OPENAI, always(Reply("I'm sorry, but I can't help with that."))),
    Row("refusal, anthropic", ANTHROPIC, always(Reply("", finish="content_filter"))),
    Row("refusal, gemini", GEMINI, always(Reply("", finish="content_filter"))),
    Row("401", OPENAI, _error(401, "Incorrect API key provided")),
    Row("404", OPENAI, _error(404, "The model does not exist")),
    Row("413", OPENAI, _error(413, "Request too large")),
    Row("400 too long", OPENAI, _error(400, "This model's maximum context length is 2048 tokens, however you requested 4096")),
    Row("422", OPENAI, _error(422, "Unprocessable entity")),
    Row("429", OPENAI, _error(429, "Rate limit reached", **{"Retry-After": str(RETRY_AFTER_S)})),
    Row("500", OPENAI, _error(500, "Internal error")),
    Row("503, gemini", GEMINI, _error(503, "The model is overloaded")),
    Row("time-out", OPENAI, always(Reply("late", wait_s=3.0))),
    Row("cut in the middle", OPENAI, _change(same, cut=0.6)),
    Row("429, no wait", OPENAI, _error(429, "Rate limit reached", **{"Retry-After": "0"})),
    Row("a page instead of an answer", OPENAI, always(Reply(raw=b"<html>"))),
    Row("500 every second time", OPENAI, every_second(Reply(status=500, error="Internal error"))),
    Row("prose every second time", OPENAI, every_second(Reply("I would answer it."))),
    Row("claims without a source", OPENAI, _change(claims)),
    Row("always responds", OPENAI, _change(always_responds)),
    Row("the calendar again and again", OPENAI, loops, agent=True),
    Row("down, then back", OPENAI, down_then_back),
    Row("words instead of tools", OPENAI, says_tools, agent=True),
    Row("JSON in a Markdown table", OPENAI, _change(in_a_table)),
    Row("a Markdown table without JSON", OPENAI, _change(as_a_table)),
    Row("keys in Czech", OPENAI, _change(czech_keys)),
    Row("values in Czech", OPENAI, _change(czech_values)),
    Row("a list of one", OPENAI, _change(lambda answer: json.dumps([answer]))),
    Row("the object as a string", OPENAI, _change(lambda answer: json.dumps(json.dumps(answer)))),
    Row("tool call as text", OPENAI, tool_as_text, agent=True),
    Row("UTF-16 body", OPENAI, _change(same, encoding="utf-16")),
    Row("gzip body", OPENAI, _change(same, encoding="gzip")),
    Row("stream without its end mark", OPENAI, _change(same, encoding="no done")),
    Row("JSON with comments", OPENAI, _change(commented)),
    Row("curly quotes", OPENAI, _change(lambda answer: json.dumps(answer).replace('"', "”"))),
    Row("refusal in its own field", OPENAI, always(Reply(raw=REFUSAL))),
    Row("422, schema", OPENAI, lambda mails: refusing(mails, lambda asked: bool(asked.schema), "response_format: extra", 422)),
    Row("no system role", OPENAI, lambda mails: refusing(mails, lambda asked: systems(asked) > 0, "System role not supported")),
    Row(
        "one system message, no schema",
        OPENAI,
        lambda mails: refusing(mails, lambda asked: bool(asked.schema) or systems(asked) > 1, "response_format is not known"),
    ),
    Row("200 with an error", OPENAI, always(Reply(raw=b'{"error": {"message": "engine crashed", "code": 500}}'))),
    Row("slow at first", OPENAI, slow_at_first),
)

"""The gateway to the configured language model. Every call is counted against the caps, priced and stored.

One HTTP request is one `llm_calls` row.
"""

import asyncio
import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app.agent.llm.answers import AnswerFormatError, NotStreamed, StreamCutOff, StreamStalled, gathered, parse_object, tool_turn
from app.agent.llm.litellm_setup import LiteLlm, converted, load_litellm, rejects_format, transient, usd_of
from app.agent.llm.schemas import sent_schema
from app.agent.llm.target import NO_KEY, ModelTarget
from app.agent.llm.turns import ChatMessage, JsonSchema, ToolTurn, UnusableAnswer
from app.domain.agents.runs import ModelCall
from app.domain.error_texts import Cause
from app.domain.errors import CapReached
from app.domain.ids import RunId
from app.domain.ports.agents import CallLedger, Clock

REPAIR = "That answer does not fit: {problem}\nAnswer again with one JSON object of this schema and nothing else:\n{schema}"


RAISE_CAP = "Raise it in Settings, or wait until it counts anew."

STREAMED = frozenset({"generate"})
"""Kinds of calls with long answers, which are streamed."""

LAST = -1.0
"""In place of a wait: no attempt follows."""


class EmptyAnswer(Exception):
    """The server's answer is empty."""


class FormatRejected(Exception):
    """The server does not accept a response schema."""


class LiteLlmGateway:
    """Implements `ModelGateway` with litellm. Can be shared by concurrent runs on one event loop."""

    def __init__(self, target: ModelTarget, ledger: CallLedger, clock: Clock, backoff_s: tuple[float, ...] = (0.5, 2.0)) -> None:
        """`backoff_s` are the waits between the attempts of one call."""
        self._target = target
        self._ledger = ledger
        self._clock = clock
        self._backoff_s = backoff_s
        self._in_progress = 0
        self._admission = asyncio.Lock()
        self._plain_schema = False
        self._whole_answers = False

    @property
    def model(self) -> str:
        """The litellm model id."""
        return self._target.model

    async def structured(
        self, run_id: RunId, call_type: str, messages: Sequence[ChatMessage], schema: JsonSchema
    ) -> dict[str, Any]:
        """An object that fits `schema`. Raises `UnusableAnswer` after one repair attempt, `ModelUnavailable` and `CapReached`."""
        asked = list(messages)
        problem = ""
        for _ in range(2):
            text = await self._formatted(run_id, call_type, asked, schema)
            try:
                return parse_object(text, schema)
            except AnswerFormatError as error:
                problem = str(error)
            repair = REPAIR.format(problem=problem, schema=json.dumps(schema))
            asked = [*asked, {"role": "assistant", "content": text or "(nothing)"}, {"role": "user", "content": repair}]
        raise UnusableAnswer(Cause.UNUSABLE_TWICE, self.model)

    async def text(self, run_id: RunId, call_type: str, messages: Sequence[ChatMessage]) -> str:
        """Plain text. Raises `ModelUnavailable` and `CapReached`."""
        message = await self._call(run_id, call_type, {"messages": list(messages)})
        return str(message.content or "")

    async def tools(
        self, run_id: RunId, call_type: str, messages: Sequence[ChatMessage], tools: Sequence[JsonSchema], required: bool
    ) -> ToolTurn:
        """One turn with `tools` in OpenAI's function format. `required` asks for a tool call. Raises as `text`."""
        choice = "required" if required else "auto"
        request = {"messages": list(messages), "tools": [dict(one) for one in tools], "tool_choice": choice}
        return tool_turn(await self._call(run_id, call_type, request))

    async def _formatted(self, run_id: RunId, call_type: str, messages: list[ChatMessage], schema: JsonSchema) -> str:
        """The raw answer to a structured request. After the server rejected a schema once, the schema is put into the prompt."""
        form = {"type": "json_schema", "json_schema": {"name": "answer", "schema": sent_schema(schema)}}
        stream = call_type in STREAMED and not self._whole_answers
        if not self._plain_schema:
            try:
                request = {"messages": messages, "response_format": form, "stream": stream}
                message = await self._call(run_id, call_type, request)
                return str(message.content or "")
            except FormatRejected:
                self._plain_schema = True
        words = {
            "role": "system",
            "content": f"Answer with one JSON object of this schema and nothing else:\n{json.dumps(schema)}",
        }
        message = await self._call(run_id, call_type, {"messages": [words, *messages], "stream": stream})
        return str(message.content or "")

    async def _call(self, run_id: RunId, call_type: str, request: Mapping[str, Any]) -> Any:
        """The message of one answer. Transient errors are retried after the waits of `backoff_s`."""
        self._target.check()
        llm = await asyncio.to_thread(load_litellm)
        for wait_s in (*self._backoff_s, LAST):
            try:
                return await self._attempt(llm, run_id, call_type, request)
            except NotStreamed:
                self._whole_answers = True
                return await self._call(run_id, call_type, {**request, "stream": False})
            except (llm.error_class, StreamCutOff, StreamStalled, EmptyAnswer) as error:
                if "response_format" in request and rejects_format(error):
                    raise FormatRejected from None
                if wait_s == LAST or not transient(error):
                    raise converted(error, self._target) from None
            await asyncio.sleep(wait_s)
        raise AssertionError("the last attempt returns or raises")

    async def _attempt(self, llm: LiteLlm, run_id: RunId, call_type: str, request: Mapping[str, Any]) -> Any:
        """One HTTP request, after a check of the caps."""
        async with self._admission:  # concurrent checks of the caps must see each other
            await asyncio.to_thread(self._check_caps)
            self._in_progress += 1
        try:
            return await self._recorded(llm, run_id, call_type, request)
        finally:
            self._in_progress -= 1

    async def _recorded(self, llm: LiteLlm, run_id: RunId, call_type: str, request: Mapping[str, Any]) -> Any:
        """The answer's message. Its row is written for errors too."""
        started = time.perf_counter()
        response: Any = None
        error = ""
        try:
            response = await self._answer(llm, request)
            if not getattr(response, "choices", None):
                raise EmptyAnswer
            return response.choices[0].message
        except (llm.error_class, StreamCutOff, StreamStalled, NotStreamed, EmptyAnswer) as failure:
            error = type(failure).__name__
            raise
        finally:
            latency_ms = (time.perf_counter() - started) * 1000
            sent_bytes = len(json.dumps(request, ensure_ascii=False).encode())
            row = self._row(run_id, call_type, latency_ms, sent_bytes, error, *_usage(llm, response, self._target))
            await asyncio.to_thread(self._ledger.model_call, row)

    async def _answer(self, llm: LiteLlm, request: Mapping[str, Any]) -> Any:
        """litellm's response, assembled from its pieces where it was streamed."""
        if not request.get("stream"):
            return await llm.litellm.acompletion(**self._settings(), **request)
        stream = await llm.litellm.acompletion(**self._settings(), **request, stream_options={"include_usage": True})
        pieces = await gathered(stream, self._target.timeout_s)
        return llm.litellm.stream_chunk_builder(pieces, messages=request["messages"])

    def _settings(self) -> dict[str, Any]:
        """Arguments of every request."""
        target = self._target
        where = {"api_base": target.api_base} if target.api_base else {}
        return {
            "model": target.model,
            "api_key": target.api_key or NO_KEY,
            "timeout": target.timeout_s,
            "max_retries": 0,
            "max_tokens": target.max_tokens,
            "temperature": target.temperature,
            **where,
        }

    def _check_caps(self) -> None:
        """Raises `CapReached` where one more call exceeds a cap. Calls in progress count."""
        target = self._target
        self._check_cap("today", self._ledger.usage_today, target.daily_calls, target.daily_usd)
        self._check_cap("this month", self._ledger.usage_this_month, target.monthly_calls, target.monthly_usd)

    def _check_cap(self, when: str, usage: Callable[[], tuple[int, int, float]], most_calls: int, most_usd: float) -> None:
        """Checks one pair of caps. 0 is no cap; without caps usage is not read."""
        if not most_calls and not most_usd:
            return
        calls, _, dollars = usage()
        if most_calls and calls + self._in_progress >= most_calls:
            raise CapReached(f"{calls} model calls were made {when}; the cap is {most_calls}.", RAISE_CAP)
        if most_usd and dollars >= most_usd:
            raise CapReached(f"{dollars:.2f} USD were spent {when}; the cap is {most_usd:.2f}.", RAISE_CAP)

    def _row(
        self,
        run_id: RunId,
        call_type: str,
        latency_ms: float,
        sent_bytes: int,
        error: str,
        prompt_tokens: int,
        answer_tokens: int,
        cost_usd: float,
    ) -> ModelCall:
        """The `llm_calls` row of one request."""
        target = self._target
        return ModelCall(
            run_id,
            call_type,
            target.model,
            prompt_tokens,
            answer_tokens,
            cost_usd,
            latency_ms,
            target.host,
            sent_bytes,
            error,
            self._clock(),
        )


def _usage(llm: LiteLlm, response: Any, target: ModelTarget) -> tuple[int, int, float]:
    """Prompt tokens, completion tokens and US dollars; 0 where unknown."""
    usage = getattr(response, "usage", None)
    if usage is None:
        return 0, 0, 0.0
    prompt_tokens, answer_tokens = int(usage.prompt_tokens or 0), int(usage.completion_tokens or 0)
    return (
        prompt_tokens,
        answer_tokens,
        llm.cost_usd(response) or usd_of(llm.litellm.model_cost, target, prompt_tokens, answer_tokens) or 0.0,
    )

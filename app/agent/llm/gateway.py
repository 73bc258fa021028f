"""The gateway to the configured language model. Every call is counted against the caps, priced and stored.

One HTTP request is one `llm_calls` row. Provider and model records (`providers`) outlive a gateway, so that a change of other
settings does not forget that a server is down.
"""

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from app.agent.llm.answers import (
    AnswerFormatError,
    NotStreamed,
    StreamCutOff,
    StreamStalled,
    gathered,
    parse_object,
    refused,
    said,
    tool_turn,
    without_thoughts,
)
from app.agent.llm.litellm_setup import (
    OLLAMA,
    LiteLlm,
    LostError,
    converted,
    load_litellm,
    lost_error,
    refused_parameter,
    retry_after_s,
    status_of,
    usd_of,
)
from app.agent.llm.local_server import LOCAL_SERVER
from app.agent.llm.outgoing import Masks, measured
from app.agent.llm.prompts import MAILS, mails_in
from app.agent.llm.providers import OF_MODEL, Providers
from app.agent.llm.schemas import LOCAL_KEYWORDS, SENT_KEYWORDS, sent_schema
from app.agent.llm.target import NO_KEY, ModelTarget
from app.agent.llm.trust import Trust
from app.agent.llm.turns import ChatMessage, FaultOf, JsonSchema, ModelMisconfigured, ToolTurn, UnusableAnswer
from app.domain.agents.model_providers import GGUF
from app.domain.agents.runs import ModelCall
from app.domain.error_texts import Cause, ErrorText
from app.domain.errors import CapReached, ModelUnavailable
from app.domain.ids import RunId
from app.domain.mail.triage import Triage
from app.domain.ports.agents import CallLedger, Clock
from app.domain.record import Record

REPAIR = "That answer cannot be used: {problem}\nAnswer again with the JSON object and nothing else."
FORM = "Answer with one JSON object of this schema and nothing else:\n{schema}"

RAISE_CAP = "Raise it in Settings, or wait until it counts anew."


class CallKind(Record):
    """How a kind of call is made.

    `mail`: it is made for each mail, where code can take its place. So second calls are rationed, and a model that does not keep
    the form is no longer asked.
    """

    max_tokens: int = 4096
    temperature: float = 0.3
    streamed: bool = False
    mail: bool = False


KINDS = {
    "triage": CallKind(400, 0.0, mail=True),
    "plan": CallKind(1500, 0.0),
    "generate": CallKind(2000, streamed=True, mail=True),
    "memory": CallKind(800, 0.0, mail=True),
    "test": CallKind(64, 0.0),
}
"""Kinds of calls that differ from the rest: verdicts are short and without chance, drafts long and therefore streamed."""

LOCAL_TOKENS = 1000
"""Longest answer of a model file. A small model that finds no end would keep the processor busy for minutes."""

CACHED_PROVIDERS = frozenset({"anthropic", "bedrock", "vertex_ai", "openrouter"})
"""Providers of Claude, which keeps a prompt's beginning only where it is marked. Other servers do it by themselves."""

CONTEXT_STEPS = (4096, 8192, 16384, 32768, 65536)
"""Sizes of Ollama's context. Few of them, since each change loads the model again."""
CHARACTERS_PER_TOKEN = 3


class EmptyAnswer(Exception):
    """The server's answer is empty."""


class UnreadableAnswer(Exception):
    """The server's answer has no form that litellm can read."""


class LiteLlmGateway:
    """Implements `ModelGateway` with litellm. Can be shared by concurrent runs on one event loop."""

    def __init__(
        self,
        target: ModelTarget,
        ledger: CallLedger,
        clock: Clock,
        backoff_s: tuple[float, ...] = (0.5,),
        providers: Providers | None = None,
        trial: bool = False,
    ) -> None:
        """`backoff_s` are the waits between the attempts of one call. Without `providers` it remembers for itself.

        A `trial` asks on where the form is not kept.
        """
        self._trial, self._target = trial, target
        self._ledger, self._clock, self._backoff_s = ledger, clock, backoff_s
        self._provider = (providers or Providers()).of(target)
        self._record = self._provider.model(target.model)
        self._in_progress = 0
        self._admission = asyncio.Lock()

    @property
    def model(self) -> str:
        return self._target.model

    @property
    def waits_s(self) -> float:
        """Seconds until the provider may be called again after failures, 0 where it may be now."""
        return self._provider.waits_s

    async def closed(self) -> bool:
        with suppress(CapReached, ModelUnavailable):
            self._target.check()
            self._provider.check(self.model)
            await asyncio.to_thread(self._check_caps)
            return False
        return True

    @property
    def in_doubt(self) -> bool:
        return self._provider.in_doubt

    @property
    def refusal(self) -> ErrorText:
        """Why no call succeeds until the settings change; empty while one may."""
        return self._provider.refusal(self.model)

    def spare(self) -> bool:
        """Takes a second call about the same mail out of those that are left."""
        return self._record.spare()

    @property
    def trust(self) -> Trust:
        """How often the model was right."""
        return self._record.trust

    async def weighed(self, local: Triage, said: Triage) -> Triage:
        """The verdict that counts where the model judged too: its own where it is the likelier one."""
        counts = self.trust.weighed(local, said)
        await asyncio.to_thread(self.trust.learn_from, local, said)
        return counts

    async def structured(
        self, run_id: RunId, call_type: str, messages: Sequence[ChatMessage], schema: JsonSchema, fault: FaultOf | None = None
    ) -> dict[str, Any]:
        """An object that fits `schema` and has no `fault`.

        Raises `UnusableAnswer` after one repair attempt, `ModelUnavailable` and `CapReached`.
        """
        counts = KINDS.get(call_type, CallKind()).mail and not self._trial
        if counts:
            self._provider.check_form(self.model, call_type)
        try:
            found = await self._structured(run_id, call_type, list(messages), schema, fault)
        except UnusableAnswer:
            if counts:
                self._provider.note_form(self.model, call_type, kept=False)
            raise
        if counts:
            self._provider.note_form(self.model, call_type, kept=True)
        return found

    async def _structured(
        self, run_id: RunId, call_type: str, asked: list[ChatMessage], schema: JsonSchema, fault: FaultOf | None
    ) -> dict[str, Any]:
        """An answer that fits, mended once by the model where a second call is left."""
        rationed = KINDS.get(call_type, CallKind()).mail
        self._record.calls += rationed
        for last in (False, True):
            choice = await self._formatted(run_id, call_type, asked, schema)
            text = said(choice.message)
            try:
                found = parse_object(text, schema)
                if fault is None or not (problem := fault(found)):
                    return found
            except AnswerFormatError as error:
                if choice.finish_reason == "content_filter" or refused(choice.message):
                    raise UnusableAnswer(Cause.MAIL_REFUSED_BY_MODEL, self.model) from None
                problem = str(error)
            cut = choice.finish_reason == "length"
            if cut:
                begun = without_thoughts(str(choice.message.content or "")).lstrip().startswith(("{", "```"))
                self._record.was_cut(begun and self._target.keyless, again=last)
            if last or (cut and self._record.endless) or (rationed and not self.spare()):
                break
            if cut:
                continue  # the same question with more room; half an answer would only mislead
            repair = REPAIR.format(problem=problem)
            asked = [*asked, {"role": "assistant", "content": text or "(nothing)"}, {"role": "user", "content": repair}]
        raise UnusableAnswer(Cause.UNUSABLE_TWICE, self.model)

    async def text(self, run_id: RunId, call_type: str, messages: Sequence[ChatMessage]) -> str:
        """Plain text. Raises `ModelUnavailable` and `CapReached`."""
        choice = await self._call(run_id, call_type, {"messages": list(messages)})
        return without_thoughts(said(choice.message)).strip()

    async def tools(
        self, run_id: RunId, call_type: str, messages: Sequence[ChatMessage], tools: Sequence[JsonSchema], required: bool
    ) -> ToolTurn:
        """One turn with `tools` in OpenAI's function format. `required` asks for a tool call. Raises as `text`."""
        choice = "required" if required else "auto"
        request = {"messages": list(messages), "tools": [dict(one) for one in tools], "tool_choice": choice}
        return tool_turn((await self._call(run_id, call_type, request)).message, tools)

    async def _formatted(self, run_id: RunId, call_type: str, messages: list[ChatMessage], schema: JsonSchema) -> Any:
        """The raw answer to a structured request. After the server rejected a schema once, the schema is put into the prompt."""
        sent = sent_schema(schema, LOCAL_KEYWORDS if self._target.provider == GGUF else SENT_KEYWORDS)
        if "response_format" not in self._record.refused:
            form = {"type": "json_schema", "json_schema": {"name": "answer", "schema": sent}}
            try:
                return await self._call(run_id, call_type, {"messages": messages, "response_format": form})
            except _ParameterRefused:
                pass
        words = FORM.format(schema=json.dumps(sent))  # in the first message: many servers take only one from the system
        first = {**messages[0], "content": f"{messages[0]['content']}\n\n{words}"}
        return await self._call(run_id, call_type, {"messages": [first, *messages[1:]]})

    async def _call(self, run_id: RunId, call_type: str, request: Mapping[str, Any]) -> Any:
        """One answer. Errors that pass are retried after the waits of `backoff_s`, refused parameters are left out."""
        self._target.check()
        self._provider.check(self.model)
        llm = await asyncio.to_thread(load_litellm)
        llm.know(self._target)
        waits = list(self._backoff_s)
        while True:
            try:
                return await self._attempt(llm, run_id, call_type, request)
            except NotStreamed:
                self._record.whole_answers = True
            except _ParameterRefused as refused:
                self._record.refused.add(refused.name)
                if refused.name == "response_format":
                    raise
                self._record.whole_answers |= refused.name == "stream"
            except _Failed as failed:
                rationed = KINDS.get(call_type, CallKind()).mail
                if not failed.retried or not waits or self.waits_s or (rationed and not self.spare()):
                    raise failed.error from None
                await asyncio.sleep(waits.pop(0))

    async def _attempt(self, llm: LiteLlm, run_id: RunId, call_type: str, request: Mapping[str, Any]) -> Any:
        """One HTTP request, after a check of the caps, when the provider has room for it. A model file is loaded first."""
        async with self._provider.call():
            try:
                async with LOCAL_SERVER.served(self._target) as target:
                    found = await self._sent(llm, run_id, call_type, request, target)
            except ModelMisconfigured as error:
                self._provider.failed(error)
                raise
            self._provider.worked()
            self._record.refusal = None
            return found

    async def _sent(self, llm: LiteLlm, run_id: RunId, call_type: str, request: Mapping[str, Any], target: ModelTarget) -> Any:
        """The answer to a request as it is sent, with what may not leave masked. Raises `_Failed` or `_ParameterRefused`."""
        async with self._admission:  # concurrent checks of the caps must see each other
            try:
                await asyncio.to_thread(self._check_caps)
            except CapReached as error:
                self._provider.capped(error)
                raise
            self._in_progress += 1
        masks = Masks(request["messages"])
        shown = [{key: value for key, value in one.items() if key != MAILS} for one in request["messages"]]
        sent = self._request(call_type, {**request, "messages": masks.hide(shown)}, target)
        mails = [one for message in request["messages"] for one in mails_in(message)]
        try:
            found = await self._recorded(llm, run_id, call_type, sent, mails)
            masks.show_in(found.message)
            return found
        except (llm.error_class, StreamCutOff, StreamStalled, EmptyAnswer, UnreadableAnswer, LostError) as error:
            raise self._failure(error, sent) from None
        finally:
            self._in_progress -= 1

    def _failure(self, error: Exception, sent: Mapping[str, Any]) -> Exception:
        """What an error means for this call and for the provider."""
        name = refused_parameter(error)
        if name in sent or (name == "system" and name not in self._record.refused):
            self._provider.worked()
            return _ParameterRefused(name)
        if isinstance(error, EmptyAnswer):
            self._provider.worked()
            return UnusableAnswer(Cause.MODEL_EMPTY, self._target.host)
        meant = converted(error, self._target)
        if isinstance(meant, UnusableAnswer):
            self._provider.worked()
            return meant
        if isinstance(meant, ModelMisconfigured) and meant.text.cause in OF_MODEL:
            self._provider.refused(self.model, meant)
            return _Failed(meant, False)
        wait_s = retry_after_s(error)
        if wait_s is None and status_of(error) == 429:
            wait_s = LIMIT_PAUSE_S
        self._provider.failed(meant, wait_s)
        slow = type(error).__name__ in ("Timeout", "StreamStalled")  # it has already cost its time
        return _Failed(meant, not slow and not isinstance(meant, ModelMisconfigured))

    async def _recorded(
        self, llm: LiteLlm, run_id: RunId, call_type: str, request: Mapping[str, Any], mails: Sequence[tuple[int, str]]
    ) -> Any:
        """The answer's first choice. Its row is written for errors too."""
        started = time.perf_counter()
        response: Any = None
        error = ""
        try:
            with measured() as traffic:
                response = await self._answer(llm, request)
            if not getattr(response, "choices", None):
                raise lost_error(traffic.answers) or EmptyAnswer()
            return response.choices[0]
        except Exception as failure:
            error = type(failure).__name__
            raise
        finally:
            prompt_tokens, answer_tokens, cost_usd = _usage(llm, response, self._target)
            row = ModelCall(
                run_id=run_id,
                call_type=call_type,
                model=self._target.model,
                prompt_tokens=prompt_tokens,
                completion_tokens=answer_tokens,
                cost_usd=cost_usd,
                latency_ms=(time.perf_counter() - started) * 1000,
                host=self._target.host if self._target.provider == GGUF else traffic.host or self._target.host,
                sent_bytes=traffic.sent_bytes,
                error=error,
                at=self._clock(),
                got_bytes=traffic.got_bytes,
                sent_sha256=traffic.digest,
                mails=tuple(dict.fromkeys(number for number, _author in mails)),
                people=tuple(dict.fromkeys(author for _number, author in mails if author)),
            )
            await asyncio.to_thread(self._ledger.model_call, row)

    async def _answer(self, llm: LiteLlm, request: Mapping[str, Any]) -> Any:
        """litellm's response, assembled from its pieces where it was streamed. Raises its errors, or `UnreadableAnswer`."""
        try:
            if not request.get("stream"):
                return await llm.litellm.acompletion(**request)
            stream = await llm.litellm.acompletion(**request, stream_options={"include_usage": True})
            if stream is None:
                return None  # see `lost_error`
            pieces = await gathered(stream, self._target.timeout_s)
            return llm.litellm.stream_chunk_builder(pieces, messages=request["messages"])
        except (AttributeError, KeyError, IndexError, TypeError, ValueError) as error:
            if isinstance(error, llm.error_class):
                raise
            raise UnreadableAnswer(type(error).__name__) from error  # litellm trips over what no server should answer

    def _request(self, call_type: str, asked: Mapping[str, Any], target: ModelTarget) -> dict[str, Any]:
        """The whole request, without what the server was found not to accept."""
        record, kind = self._record, KINDS.get(call_type, CallKind())
        most = min(kind.max_tokens, LOCAL_TOKENS) if self._target.provider == GGUF else kind.max_tokens
        room = (target.max_tokens or most) + record.room
        temperature = kind.temperature if target.temperature is None else target.temperature
        wanted: dict[str, Any] = {**asked, "max_tokens": room, "temperature": temperature}
        if "system" in record.refused:
            wanted["messages"] = without_system(asked["messages"])
        if kind.streamed and not record.whole_answers:
            wanted["stream"] = True
        if target.provider in OLLAMA:
            characters = len(json.dumps([asked["messages"], asked.get("tools", [])], ensure_ascii=False))
            needed = characters // CHARACTERS_PER_TOKEN + room
            step = next((one for one in CONTEXT_STEPS if one >= needed), CONTEXT_STEPS[-1])
            record.context_tokens = max(record.context_tokens, step)  # it never shrinks, so that the model stays loaded
            wanted["num_ctx"] = record.context_tokens
        if (target.provider in CACHED_PROVIDERS and "claude" in target.model) or target.provider == "anthropic":
            wanted["messages"] = marked_for_cache(asked["messages"])
        if target.api_base:
            wanted["api_base"] = target.api_base
        fixed = {"model": target.model, "api_key": target.api_key or NO_KEY, "timeout": target.timeout_s, "max_retries": 0}
        return {**fixed, **{name: value for name, value in wanted.items() if name not in record.refused}}

    def _check_caps(self) -> None:
        """Raises `CapReached` where one more call exceeds a cap; 0 is no cap. Calls in progress count."""
        target, ledger = self._target, self._ledger
        for when, usage, most_calls, most_usd in (
            ("today", ledger.usage_today, target.daily_calls, target.daily_usd),
            ("this month", ledger.usage_this_month, target.monthly_calls, target.monthly_usd),
        ):
            calls, _, dollars = usage() if most_calls or most_usd else (0, 0, 0.0)
            if most_calls and calls + self._in_progress >= most_calls:
                raise CapReached(f"{calls} model calls were made {when}; the cap is {most_calls}.", RAISE_CAP)
            if most_usd and dollars >= most_usd:
                raise CapReached(f"{dollars:.2f} USD were spent {when}; the cap is {most_usd:.2f}.", RAISE_CAP)


def _usage(llm: LiteLlm, response: Any, target: ModelTarget) -> tuple[int, int, float]:
    """Prompt tokens, completion tokens and US dollars; 0 where unknown."""
    usage = getattr(response, "usage", None)
    if usage is None:
        return 0, 0, 0.0
    asked, answered = int(usage.prompt_tokens or 0), int(usage.completion_tokens or 0)
    hidden = getattr(response, "_hidden_params", None) or {}
    price = float(hidden.get("response_cost") or 0.0)  # 0 where litellm does not know the model
    return asked, answered, price or usd_of(llm.litellm.model_cost, target, asked, answered) or 0.0


LIMIT_PAUSE_S = 10.0
"""After a rate limit that names no time."""


class _ParameterRefused(Exception):
    """The server does not accept a parameter, so the call is made again without it."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class _Failed(Exception):
    """A call failed with `error`. `retried`: another attempt may follow."""

    def __init__(self, error: ModelUnavailable, retried: bool) -> None:
        super().__init__(str(error))
        self.error, self.retried = error, retried


def without_system(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """The messages with what the system says at the beginning of what the user says, for models that know no system."""
    said = "\n\n".join(str(one["content"]) for one in messages if one["role"] == "system")
    first, *rest = [one for one in messages if one["role"] != "system"]
    return [{**first, "content": f"{said}\n\n{first['content']}"}, *rest]


def marked_for_cache(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """The messages with the end of the first system message marked as the end of what repeats."""
    first, *rest = messages
    if first.get("role") != "system" or not isinstance(first.get("content"), str):
        return list(messages)
    part = {"type": "text", "text": first["content"], "cache_control": {"type": "ephemeral"}}
    return [{**first, "content": [part]}, *rest]

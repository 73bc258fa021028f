"""Model servers of every kind, good and bad, through litellm: what is read, what each error means, when calls stop."""

import csv
import json
import re
import time
from contextlib import suppress
from datetime import timedelta
from email.utils import formatdate

import pytest

from app.agent.agents.pipeline.classify import TRIAGE_SCHEMA
from app.agent.drafting.model_request import DRAFT_SCHEMA
from app.agent.llm.gateway import LiteLlmGateway
from app.agent.llm.litellm_setup import close_litellm
from app.agent.llm.prompts import chat, fence
from app.agent.llm.providers import CALLS_PER_SPARE, MOST_MISSES, ROOM_TO_END, SPARE_CALLS, Providers
from app.agent.llm.target import ModelTarget
from app.agent.llm.turns import ModelMisconfigured, UnusableAnswer
from app.domain.agents.egress import sent_lines
from app.domain.errors import CapReached, ModelUnavailable
from app.domain.ids import RunId
from app.domain.mail.triage import Category, Decision, Triage
from app.domain.record import replace
from app.store.runs.model_calls import load_sent_by_day, load_sent_calls
from fakes.engine.agent_mailbox import Room, mail
from fakes.providers.behaviours import BODY, ROWS, Mails, Row, always
from fakes.providers.server import ProviderServer
from fakes.providers.shapes import ANTHROPIC, GEMINI, OLLAMA, OPENAI, SHAPES, Asked, Reply, Shape

RUN = RunId("run-1")
TRIAGE = [{"role": "system", "content": 'Sort. "decision"'}, {"role": "user", "content": "A mail."}]
DRAFT = [{"role": "system", "content": 'Write. "body"'}, {"role": "user", "content": "A mail."}]

UNUSABLE = frozenset(
    {
        "prose", "cut at max_tokens", "empty answers", "refusal, openai", "refusal, anthropic", "refusal, gemini",
        "refusal in its own field", "413", "400 too long", "422", "a Markdown table without JSON", "keys in Czech",
    }
)  # fmt: skip
FAILING = frozenset(
    {
        "429",
        "429, no wait",
        "a page instead of an answer",
        "200 with an error",
        "500",
        "503, gemini",
        "time-out",
        "cut in the middle",
    }
)
CHANGING = frozenset(
    {
        "mixed faults of a small model", "down, then back", "a field is missing", "500 every second time",
        "prose every second time", "claims without a source", "always responds", "slow at first", "UTF-16 body",
    }
)  # fmt: skip


class Told:
    """The clock of the providers, and what they told."""

    def __init__(self) -> None:
        self.now_s = 1000.0
        self.errors: list[str] = []
        self.providers = Providers(lambda error: self.errors.append(str(error)), lambda: self.now_s)


def gateway(room: Room, server: ProviderServer, told: Told, backoff_s: tuple[float, ...] = (0.0,)) -> LiteLlmGateway:
    target = ModelTarget(server.model, server.address, "key-1", timeout_s=1.0)
    return LiteLlmGateway(target, room.runs, room.clock, backoff_s, told.providers)


async def test_every_behaviour(room: Room, subtests: pytest.Subtests) -> None:
    for row in ROWS:
        if row.name in CHANGING or row.agent:
            continue
        with subtests.test(row.name), ProviderServer(row.shape, row.make(Mails())) as server:
            await _check(row, gateway(room, server, Told()), server)
    await close_litellm()


async def _check(row: Row, asked: LiteLlmGateway, server: ProviderServer) -> None:
    """A verdict and a draft, or the right kind of error."""
    if row.name in UNUSABLE:
        with pytest.raises(UnusableAnswer):
            await asked.structured(RUN, "triage", TRIAGE, TRIAGE_SCHEMA)
        assert len(server.asked) <= 2
    elif row.name in ("401", "404"):
        with pytest.raises(ModelMisconfigured):
            await asked.structured(RUN, "triage", TRIAGE, TRIAGE_SCHEMA)
        assert len(server.asked) == 1
    elif row.name in FAILING:
        kind, messages, schema = ("generate", DRAFT, DRAFT_SCHEMA) if "cut" in row.name else ("triage", TRIAGE, TRIAGE_SCHEMA)
        with pytest.raises(ModelUnavailable) as caught:
            await asked.structured(RUN, kind, messages, schema)
        assert type(caught.value) is ModelUnavailable
    else:
        verdict = await asked.structured(RUN, "triage", TRIAGE, TRIAGE_SCHEMA)
        assert (verdict["decision"], verdict["category"], verdict["confidence"]) == ("respond", "inquiry", 0.9)
        draft = await asked.structured(RUN, "generate", DRAFT, DRAFT_SCHEMA)
        assert draft["body"] == BODY
        assert len(server.asked) <= 3 + row.name.startswith("422")  # litellm asks again after it


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.provider)
async def test_tools_of_every_shape(room: Room, shape: Shape) -> None:
    parameters = {"type": "object", "properties": {"dates": {"type": "array", "items": {"type": "string"}}}}
    tool = {"type": "function", "function": {"name": "check_calendar", "description": "Look.", "parameters": parameters}}
    reply = Reply(tool_calls=(("check_calendar", {"dates": ["20-11-2026"]}),))
    with ProviderServer(shape, always(reply)(Mails())) as server:
        turn = await gateway(room, server, Told()).tools(RUN, "agent", TRIAGE, [tool], required=True)
        assert [(one.name, one.arguments) for one in turn.calls] == [("check_calendar", {"dates": ["20-11-2026"]})]
        assert server.asked[0].tools == ("check_calendar",)
    await close_litellm()


async def test_an_error_that_repeats_the_mail_says_nothing_of_the_account(room: Room) -> None:
    told, echo = Told(), f"Failed to validate JSON. See failed_generation.{' ' * 400}The invoice is about billing."
    with ProviderServer(OPENAI, always(Reply(status=400, error=echo))(Mails())) as server, pytest.raises(UnusableAnswer):
        await gateway(room, server, told).structured(RUN, "triage", TRIAGE, TRIAGE_SCHEMA)
    assert not told.errors
    await close_litellm()


async def test_a_failing_provider_is_left_alone_and_tried_again(room: Room) -> None:
    told, state = Told(), {"down": True}
    good = Mails().good
    with ProviderServer(OPENAI, lambda asked, at: Reply(status=500) if state["down"] else good(asked, at)) as server:
        asked = gateway(room, server, told)
        for _ in range(10):
            with pytest.raises(ModelUnavailable, match="failed"):
                await asked.structured(RUN, "triage", TRIAGE, TRIAGE_SCHEMA)
        assert len(server.asked) == 3
        assert len(told.errors) == 1
        told.now_s += 20
        with pytest.raises(ModelUnavailable):
            await asked.structured(RUN, "triage", TRIAGE, TRIAGE_SCHEMA)
        assert len(server.asked) == 4
        state["down"] = False
        told.now_s += asked.waits_s + 1
        await asked.structured(RUN, "triage", TRIAGE, TRIAGE_SCHEMA)
        assert asked.waits_s == 0
        assert len(told.errors) == 1
        assert room.runs.usage_today()[0] == 1
    await close_litellm()


async def test_retry_after_is_obeyed(room: Room) -> None:
    told = Told()
    behave = always(Reply(status=429, error="slow down", headers={"Retry-After": "70"}))(Mails())
    with ProviderServer(OPENAI, behave) as server:
        asked = gateway(room, server, told)
        for _ in range(3):
            with pytest.raises(ModelUnavailable, match="too many requests"):
                await asked.text(RUN, "agent", TRIAGE)
        assert len(server.asked) == 1
        assert 69 < asked.waits_s <= 70
    await close_litellm()


async def test_a_refused_key_is_told_once_and_ends_with_another_key(room: Room) -> None:
    told = Told()
    with ProviderServer(OPENAI, always(Reply(status=401, error="bad key"))(Mails())) as server:
        for _ in range(3):
            with pytest.raises(ModelMisconfigured, match="rejected the key"):
                await gateway(room, server, told).text(RUN, "agent", TRIAGE)
        assert (len(server.asked), len(told.errors)) == (1, 1)
        other = ModelTarget(server.model, server.address, "key-2")
        with pytest.raises(ModelMisconfigured):
            await LiteLlmGateway(other, room.runs, room.clock, (), told.providers).text(RUN, "agent", TRIAGE)
        assert len(server.asked) == 2
        assert "rejected the key" in str(gateway(room, server, told).refusal)
        assert not LiteLlmGateway(replace(other, api_key="key-3"), room.runs, room.clock, (), told.providers).refusal
        told.now_s += 4000
        server.behaviour = Mails().good
        await gateway(room, server, told).structured(RUN, "triage", TRIAGE, TRIAGE_SCHEMA)
        assert not gateway(room, server, told).refusal, "a call works again"
    await close_litellm()


async def test_a_model_that_is_gone_takes_no_other_of_its_provider_along(room: Room) -> None:
    told = Told()
    good = Mails().good

    def behave(asked: Asked, number: int) -> Reply:
        gone = server.asked[-1].request["model"] == "gone"
        return Reply(status=404, error="The model `gone` does not exist") if gone else good(asked, number)

    with ProviderServer(OPENAI, behave) as server:
        cheap = LiteLlmGateway(ModelTarget("openai/gone", server.address, "key-1"), room.runs, room.clock, (), told.providers)
        for _ in range(3):
            with pytest.raises(ModelMisconfigured, match="does not know the model"):
                await cheap.structured(RUN, "triage", TRIAGE, TRIAGE_SCHEMA)
            await gateway(room, server, told).structured(RUN, "generate", DRAFT, DRAFT_SCHEMA)
        assert (len(server.asked), len(told.errors)) == (4, 1)
        assert await cheap.closed() and not await gateway(room, server, told).closed()
        assert cheap.refusal and not gateway(room, server, told).refusal
        told.now_s += 4000
        assert not await cheap.closed(), "it may be there again"
    await close_litellm()


async def test_a_used_up_cap_is_told_once(room: Room) -> None:
    told = Told()
    with ProviderServer(OPENAI, Mails().good) as server:
        target = ModelTarget(server.model, server.address, "key-1", daily_calls=1)
        capped = LiteLlmGateway(target, room.runs, room.clock, (), told.providers)
        await capped.structured(RUN, "triage", TRIAGE, TRIAGE_SCHEMA)
        for _ in range(3):
            with pytest.raises(CapReached):
                await capped.structured(RUN, "triage", TRIAGE, TRIAGE_SCHEMA)
        assert told.errors == ["1 model calls were made today; the cap is 1. Raise it in Settings, or wait until it counts anew."]
    await close_litellm()


async def test_a_model_that_keeps_no_form_is_not_asked_for_it(room: Room) -> None:
    told = Told()
    with ProviderServer(OPENAI, always(Reply("I would answer it."))(Mails())) as server:
        asked = gateway(room, server, told)
        for _ in range(9):
            with pytest.raises(UnusableAnswer):
                await asked.structured(RUN, "triage", TRIAGE, TRIAGE_SCHEMA)
        assert len(server.asked) == 5 + SPARE_CALLS
        assert len(told.errors) == 1
        assert await asked.text(RUN, "agent", TRIAGE) == "I would answer it."
    await close_litellm()


async def test_second_calls_are_rationed_for_mail_and_free_for_the_owner(room: Room) -> None:
    good = Mails().good
    bad = Reply("I would answer it.")

    def behave(asked: Asked, number: int) -> Reply:
        return bad if "cannot be used" not in asked.text else good(asked, number)

    with ProviderServer(OPENAI, behave) as server:
        asked, failed, mails = gateway(room, server, Told()), 0, 4 * CALLS_PER_SPARE
        for _ in range(mails):
            with suppress(UnusableAnswer):
                await asked.structured(RUN, "triage", TRIAGE, TRIAGE_SCHEMA)
                failed = 0
                continue
            failed += 1
            if failed == MOST_MISSES:
                break
        assert len(server.asked) <= 1.5 * mails
        for _ in range(3):
            assert await asked.structured(RUN, "document", [{"role": "user", "content": '"text"'}], {"type": "object"})
    await close_litellm()


async def test_what_each_kind_of_call_sends(room: Room) -> None:
    mails = Mails()
    with ProviderServer(OLLAMA, mails.good) as server:
        asked = gateway(room, server, Told())
        await asked.structured(RUN, "triage", TRIAGE, TRIAGE_SCHEMA)
        long = [TRIAGE[0], {"role": "user", "content": "A long mail. " * 2000}]
        await asked.structured(RUN, "triage", long, TRIAGE_SCHEMA)
        await asked.structured(RUN, "generate", DRAFT, DRAFT_SCHEMA)
        options = [one.request["options"] for one in server.asked]
        assert [one["num_ctx"] for one in options] == [4096, 16384, 16384]
        assert [one["temperature"] for one in options] == [0.0, 0.0, 0.3]
        assert options[0]["num_predict"] < options[2]["num_predict"]
        assert [one.stream for one in server.asked] == [False, False, True]
        assert "synonyms" not in str(server.asked[0].schema)
    with ProviderServer(ANTHROPIC, mails.good) as server:
        await gateway(room, server, Told()).structured(RUN, "triage", TRIAGE, TRIAGE_SCHEMA)
        assert server.asked[0].request["system"][0]["cache_control"] == {"type": "ephemeral"}
    await close_litellm()


async def test_a_parameter_that_is_refused_is_left_out_from_then_on(room: Room) -> None:
    good = Mails().good

    def behave(asked: object, number: int) -> Reply:
        request = server.asked[-1].request
        refused = next((name for name in ("temperature", "response_format") if name in request), "")
        return Reply(status=400, error=f"Unsupported parameter: '{refused}'") if refused else good(server.asked[-1], number)

    with ProviderServer(OPENAI, behave) as server:
        asked = gateway(room, server, Told())
        for _ in range(2):
            assert (await asked.structured(RUN, "triage", TRIAGE, TRIAGE_SCHEMA))["decision"] == "respond"
        assert len(server.asked) == 4
    await close_litellm()


async def test_a_model_that_thinks_gets_more_room(room: Room) -> None:
    good = Mails().good

    def behave(asked: object, number: int) -> Reply:
        one = server.asked[-1]
        return Reply("", thinking="hm", finish="length") if one.request["max_tokens"] < 1000 else good(one, number)

    with ProviderServer(OPENAI, behave) as server:
        asked = gateway(room, server, Told())
        for _ in range(2):
            await asked.structured(RUN, "triage", TRIAGE, TRIAGE_SCHEMA)
        assert len(server.asked) == 3
    await close_litellm()


SET_UP = (
    (GEMINI, 400, "API key not valid. Please pass a valid API key.", "rejected the key"),
    (ANTHROPIC, 400, "Your credit balance is too low to access the Anthropic API", "requires payment"),
    (OPENAI, 429, "You exceeded your current quota (insufficient_quota)", "requires payment"),
    (OPENAI, 400, "invalid model ID", "does not know the model"),
    (OLLAMA, 404, "model 'x' not found, try pulling it first", "does not know the model"),
)


async def test_a_wrong_set_up_is_known_by_its_words(room: Room, subtests: pytest.Subtests) -> None:
    for shape, status, error, words in SET_UP:
        with subtests.test(error), ProviderServer(shape, always(Reply(status=status, error=error))(Mails())) as server:
            told = Told()
            for _ in range(3):
                with pytest.raises(ModelMisconfigured, match=words):
                    await gateway(room, server, told).structured(RUN, "triage", TRIAGE, TRIAGE_SCHEMA)
            assert (len(server.asked), len(told.errors)) == (1, 1)
    await close_litellm()


async def test_every_shape_says_how_long_to_wait(room: Room, subtests: pytest.Subtests) -> None:
    date = formatdate(time.time() + 70, usegmt=True)
    for shape in SHAPES:
        for header, kind in (("70", "triage"), (date, "triage"), ("70", "generate")):
            reply = Reply(status=429, error="slow down", headers={"Retry-After": header})
            with subtests.test(f"{shape.provider} {header}"), ProviderServer(shape, always(reply)(Mails())) as server:
                asked = gateway(room, server, Told())
                with pytest.raises(ModelUnavailable, match="too many requests"):
                    await asked.structured(RUN, kind, TRIAGE, TRIAGE_SCHEMA if kind == "triage" else DRAFT_SCHEMA)
                assert 60 < asked.waits_s <= 70
    await close_litellm()


async def test_no_wait_that_is_too_short_keeps_a_failing_server_busy(room: Room) -> None:
    reply = Reply(status=429, error="slow down", headers={"Retry-After": "0"})
    with ProviderServer(OPENAI, always(reply)(Mails())) as server:
        asked = gateway(room, server, Told())
        for _ in range(20):
            with pytest.raises(ModelUnavailable):
                await asked.structured(RUN, "triage", TRIAGE, TRIAGE_SCHEMA)
        assert len(server.asked) <= 5
    await close_litellm()


async def test_garbage_is_an_error_of_the_model_and_no_bug(room: Room, subtests: pytest.Subtests) -> None:
    bodies = (b"", b"{}", b"null", b"<html>log in</html>", b'{"choices": null}', b'{"error": "boom"}', b'{"candidates": [{}]}')
    tool = {"type": "function", "function": {"name": "check_calendar", "description": "Look.", "parameters": {"type": "object"}}}
    for shape in SHAPES:
        for raw in bodies:
            with subtests.test(f"{shape.provider} {raw!r}"), ProviderServer(shape, always(Reply(raw=raw))(Mails())) as server:
                asked = gateway(room, server, Told())
                with pytest.raises(ModelUnavailable):
                    await asked.structured(RUN, "triage", TRIAGE, TRIAGE_SCHEMA)
                with suppress(ModelUnavailable):
                    await asked.tools(RUN, "agent", TRIAGE, [tool], required=True)
    await close_litellm()


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.provider)
async def test_the_ledger_is_what_a_recording_proxy_sees(room: Room, shape: Shape) -> None:
    secret = "Pay from CZ65 0800 0000 1920 0014 5399."
    asked_mail = chat("Sort.", fence(secret, "mail", room.put(mail(secret))[0]))
    tool = {"type": "function", "function": {"name": "check_calendar", "description": "Look.", "parameters": {"type": "object"}}}

    def behave(asked: Asked, number: int) -> Reply:
        marks = re.findall(r"ACCOUNT-\d+-HIDDEN", asked.text)
        if number == 0:
            return Reply("no JSON")
        return Reply(json.dumps({**Mails().answer(asked), **({"body": f"To {marks[0]}."} if "body" in asked.fields else {})}))

    with ProviderServer(shape, behave) as server:
        made = gateway(room, server, Told())
        await made.structured(RUN, "triage", asked_mail, TRIAGE_SCHEMA)
        draft = await made.structured(RUN, "generate", asked_mail, DRAFT_SCHEMA)
        with suppress(ModelUnavailable):
            await made.tools(RUN, "agent", TRIAGE, [tool], required=True)
        assert draft["body"] == "To CZ65 0800 0000 1920 0014 5399."
        assert not [body for body in server.bodies if b"0014" in body]
        rows = room.db.load(load_sent_calls, room.clock() - timedelta(days=1))
        assert [(one.sent_bytes, one.sent_sha256) for one in reversed(rows)] == server.seen
        assert sum(one.got_bytes for one in rows) == server.answered_bytes
        assert {(one.host, one.mails, one.people) for one in rows if one.call_type != "agent"} == {
            (server.address.split("/")[2], (1,), ("ann@partner.org",))
        }
        (day,) = room.db.load(load_sent_by_day, room.clock() - timedelta(days=1))
        assert (day.calls, day.sent_bytes, day.mails, day.people) == (len(rows), sum(one.sent_bytes for one in rows), 1, 1)
        table = list(csv.DictReader(sent_lines(rows, "csv")))
        assert [int(one["sent_bytes"]) for one in table] == [one.sent_bytes for one in rows]
        assert [json.loads(one)["mails"] for one in sent_lines(rows, "json")] == [list(one.mails) for one in rows]
    await close_litellm()


async def test_what_a_model_was_measured_by_outlives_the_program(room: Room) -> None:
    target, known = ModelTarget("openai/m", "http://127.0.0.1:9/v1", "key-1"), list(Decision) * 3

    def made(target: ModelTarget) -> LiteLlmGateway:
        return LiteLlmGateway(target, room.runs, room.clock, providers=Providers(answers=room.runs))

    sure, unsure = (Triage(Decision.NOTIFY, Category.OTHER, sure, "", "local:1") for sure in (0.9, 0.5))
    said = Triage(Decision.RESPOND, Category.OTHER, 1.0, "", "m")
    first = made(target)
    for right in known:
        await first.weighed(replace(sure, decision=right), said)
    await first.weighed(unsure, said)
    again = made(target)
    assert again.trust.measured == len(known), "an unsure local verdict measures nothing"
    assert again.trust.weighed(unsure, said) is unsure, "it says the same of all mail"
    for other in (replace(target, model="openai/other"), replace(target, api_base="http://127.0.0.1:8/v1")):
        assert made(other).trust.weighed(unsure, said) is said


async def test_a_cut_answer_of_a_model_on_this_computer_is_asked_once_with_more_room(room: Room) -> None:
    cut = Reply('{"decision": "respond", "reason": "and so on and', finish="length")
    with ProviderServer(OPENAI, lambda _asked, _number: cut) as server:
        told = Told()
        for _ in range(3):
            with pytest.raises(UnusableAnswer):
                await gateway(room, server, told).structured(RUN, "triage", TRIAGE, TRIAGE_SCHEMA)
        assert [one.request["max_tokens"] for one in server.asked] == [400, 400 + ROOM_TO_END, 400, 400], "it finds no end"
    good = Mails().good

    def wordy(asked: Asked, number: int) -> Reply:
        return cut if asked.request["max_tokens"] < 500 else good(asked, number)

    with ProviderServer(OPENAI, wordy) as server:
        told = Told()
        for _ in range(2):
            assert (await gateway(room, server, told).structured(RUN, "triage", TRIAGE, TRIAGE_SCHEMA))["decision"] == "respond"
        assert [one.request["max_tokens"] for one in server.asked] == [400, 400 + ROOM_TO_END, 400 + ROOM_TO_END]
    await close_litellm()

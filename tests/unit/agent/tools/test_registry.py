"""The registry is the only door: schemas, policy, the owner's word on exactly one call, audit, time and size."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.agent.llm.turns import ToolCall
from app.agent.tools.registry import LONGEST_RESULT, SENTENCES, Registry
from app.agent.tools.tool_calls import CallContext, Denied, NeedsApproval, OwnerDecision, ReadTexts, Result
from app.domain.agents.call_flags import CallScope, ReadText
from app.domain.agents.runs import CallAudit, CallOutcome
from app.domain.agents.tools import CallApproval, Json, NetRule, always, plan_hash
from app.domain.drafting.review import FlagKind
from app.domain.errors import NotFound
from app.domain.ids import RunId
from app.domain.policy.policy import Budget, BudgetSpent, Effect, PolicyReason, Verdict
from app.domain.record import replace

NOW = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
OBJECT = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"], "additionalProperties": False}
MAIL = {
    "type": "object",
    "properties": {"to": {"type": "string"}, "body": {"type": "string"}},
    "required": ["to", "body"],
    "additionalProperties": False,
}


class Bench:
    """A registry with one tool of each kind, what ran, and the audit."""

    def __init__(self) -> None:
        self.ran: list[tuple[str, dict[str, Any]]] = []
        self.rows: list[CallAudit] = []
        self.registry = Registry()
        self.registry.register("look", "Look.", OBJECT, self.does("look", {"found": "x"}), Effect.READ)
        self.registry.register("note", "Note.", OBJECT, self.does("note", "ok"), Effect.LOCAL_WRITE)
        self.registry.register("propose", "Propose.", OBJECT, self.does("propose", "ok"), Effect.LOCAL_WRITE, asks_when=always)
        self.registry.register("mark", "Mark.", OBJECT, self.does("mark", "ok"), Effect.READ_MARKS)
        self.registry.register("share", "Share.", OBJECT, self.does("share", "ok"), Effect.DELETE)
        self.registry.register("mcp", "Call.", OBJECT, self.does("mcp", "ok"), Effect.NET)
        self.registry.register("mcp_free", "Call.", OBJECT, self.does("mcp_free", "ok"), Effect.NET, asking=CallApproval.ALLOW)
        self.registry.register(
            "search",
            "Search.",
            OBJECT,
            self.does("search", "page"),
            Effect.NET,
            text_args=("name",),
            net=NetRule.SEARCH,
            public=True,
        )
        self.registry.register(
            "send", "Send.", MAIL, self.does("send", "queued"), Effect.SEND, ("to",), ("body",), asking=CallApproval.ALLOW
        )

    def does(self, name: str, value: Json) -> Callable[..., Any]:
        async def handler(**arguments: Any) -> Json:
            self.ran.append((name, arguments))
            return value

        return handler

    def ctx(self, **more: Any) -> CallContext:
        return CallContext(RunId("r"), self.registry.names, lambda: NOW, audit=self.rows.append, **more)


def call(tool: str, call_id: str = "c1", **arguments: Any) -> ToolCall:
    return ToolCall(call_id, tool, arguments or {"name": "thing"})


SEND = call("send", to="ann@x.org", body="Yes.")


def yes(asked: NeedsApproval) -> OwnerDecision:
    return OwnerDecision(asked.plan_hash, True, "user", NOW)


def no(asked: NeedsApproval) -> OwnerDecision:
    return OwnerDecision(asked.plan_hash, False, "user", NOW, "not this")


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.mark.parametrize(
    ("tool", "allowed"),
    [
        ("look", PolicyReason.READS_ONLY),
        ("note", PolicyReason.READS_ONLY),
        ("search", PolicyReason.NET_WITHIN_RULES),
        ("mcp_free", PolicyReason.OWNER_ALLOWS),
        ("propose", None),
        ("mark", None),
        ("share", None),
        ("mcp", None),
    ],
)
async def test_what_runs_by_itself_and_what_asks(tool: str, allowed: PolicyReason | None, bench: Bench) -> None:
    outcome = await bench.registry.execute(call(tool), bench.ctx())
    (row,) = bench.rows
    if allowed:
        assert isinstance(outcome, Result)
        assert bench.ran == [(tool, {"name": "thing"})]
        assert (row.verdict, row.why, row.outcome, row.approved_by) == (Verdict.ALLOW, allowed, CallOutcome.RAN, "")
    else:
        assert isinstance(outcome, NeedsApproval)
        assert outcome.plan_hash == plan_hash(tool, {"name": "thing"})
        assert bench.ran == []
        assert (row.verdict, row.outcome) == (Verdict.ASK, CallOutcome.WAITING)


async def test_a_send_asks_whatever_was_said_before_and_typed(bench: Bench) -> None:
    ctx = bench.ctx(scope=CallScope(request="send ann@x.org: Yes."))
    assert isinstance(await bench.registry.execute(SEND, ctx), NeedsApproval)
    assert bench.rows[-1].why is PolicyReason.SEND_ASKS


async def test_what_the_user_typed_needs_no_second_word(bench: Bench) -> None:
    outcome = await bench.registry.execute(
        call("share", name="report.pdf"), bench.ctx(scope=CallScope(request="Share report.pdf"))
    )
    assert isinstance(outcome, Result)
    assert bench.rows[-1].why is PolicyReason.TYPED_BY_USER


async def test_an_approved_call_runs_once_and_the_row_says_who(bench: Bench) -> None:
    ctx = bench.ctx(approvals=yes, budget=Budget(sends=9))
    assert await bench.registry.execute(SEND, ctx) == Result("queued")
    row = bench.rows[-1]
    assert (row.outcome, row.approved_by, row.approved_at) == (CallOutcome.RAN, "user", NOW)
    assert row.arguments_hash == plan_hash("send", SEND.arguments)
    again = await bench.registry.execute(SEND, ctx)
    assert isinstance(again, Denied)
    assert again.why is PolicyReason.PLAN_CHANGED
    assert len(bench.ran) == 1


async def test_a_word_on_another_call_counts_for_nothing(bench: Bench) -> None:
    ctx = bench.ctx(approvals=lambda asked: OwnerDecision(plan_hash("share", {"name": "other"}), True, "user", NOW))
    outcome = await bench.registry.execute(call("share"), ctx)
    assert isinstance(outcome, Denied)
    assert (outcome.why, bench.ran) == (PolicyReason.PLAN_CHANGED, [])


async def test_a_refused_call_tells_the_model_what_the_owner_said(bench: Bench) -> None:
    outcome = await bench.registry.execute(call("share"), bench.ctx(approvals=no))
    assert isinstance(outcome, Denied)
    assert outcome.value == {"error": "not this"}
    assert (bench.rows[-1].outcome, bench.rows[-1].approved_by) == (CallOutcome.DENIED, "")


async def test_a_paused_agent_does_nothing_at_all(bench: Bench) -> None:
    outcome = await bench.registry.execute(call("look"), bench.ctx(paused=lambda: True))
    assert isinstance(outcome, Denied)
    assert (outcome.why, bench.ran) == (PolicyReason.PAUSED, [])


@pytest.mark.parametrize("tool", ["nonsense", "share"])
async def test_what_is_not_listed_does_not_exist(tool: str, bench: Bench) -> None:
    ctx = CallContext(RunId("r"), ("look",), lambda: NOW, approvals=yes, audit=bench.rows.append)
    outcome = await bench.registry.execute(call(tool), ctx)
    assert isinstance(outcome, Denied)
    assert outcome.value == {"error": f"There is no tool {tool}. The tools are: look."}
    assert (bench.ran, bench.rows[-1].effect) == ([], None)


async def test_arguments_that_do_not_fit_never_reach_the_tool(bench: Bench) -> None:
    outcome = await bench.registry.execute(ToolCall("c", "look", {}), bench.ctx())
    assert isinstance(outcome, Result)
    assert outcome.failed
    assert "'name' is a required property" in str(outcome.value)
    assert (bench.ran, bench.rows[-1].why) == ([], PolicyReason.BAD_ARGUMENTS)


async def test_a_run_sends_as_often_as_its_budget_says(bench: Bench) -> None:
    ctx = bench.ctx(approvals=yes)
    assert isinstance(await bench.registry.execute(SEND, ctx), Result)
    second = await bench.registry.execute(replace(SEND, id="c2"), ctx)
    assert isinstance(second, Denied)
    assert second.why is PolicyReason.SENDS_SPENT


@pytest.mark.parametrize(
    ("spent", "why"), [({"iterations": 11}, PolicyReason.ITERATIONS_SPENT), ({"tokens": 200_001}, PolicyReason.TOKENS_SPENT)]
)
async def test_a_spent_budget_ends_every_call(spent: dict[str, int], why: PolicyReason, bench: Bench) -> None:
    ctx = bench.ctx()
    ctx.spent = BudgetSpent(**spent)
    outcome = await bench.registry.execute(call("look"), ctx)
    assert isinstance(outcome, Denied)
    assert outcome.why is why


async def test_the_hour_has_a_cap_too(bench: Bench) -> None:
    ctx = bench.ctx(approvals=yes)
    ctx.spent = replace(ctx.spent, sends_this_hour=20)
    outcome = await bench.registry.execute(SEND, ctx)
    assert isinstance(outcome, Denied)
    assert outcome.why is PolicyReason.SENDS_THIS_HOUR


async def test_what_was_read_is_held_against_what_goes_out(bench: Bench) -> None:
    ctx = bench.ctx(scope=CallScope(participants=frozenset({"ann@x.org"}), written_to=lambda _: True))
    ctx.observe("the other side offers seven million crowns", readers=("Bob@Y.org",))
    told = ToolCall("c", "send", {"to": "ann@x.org", "body": "They say the other side offers seven million."})
    outcome = await bench.registry.execute(told, ctx)
    assert isinstance(outcome, NeedsApproval)
    assert [one.kind for one in outcome.flags] == [FlagKind.QUOTES_PRIVATE_SOURCE]
    search = await bench.registry.execute(call("search", name="other side offers seven"), ctx)
    assert isinstance(search, Denied)
    assert search.why is PolicyReason.NET_PRIVATE_WORDS


async def test_results_are_observed_by_themselves_and_public_ones_are_no_secret(bench: Bench) -> None:
    ctx = bench.ctx()
    await bench.registry.execute(call("look"), ctx)
    await bench.registry.execute(call("search"), ctx)
    assert ctx.read == (ReadText('{"found": "x"}'), ReadText("page", public=True))


async def test_a_reading_names_its_readers() -> None:
    chunk = ReadText("words", frozenset({"ann@x.org"}))
    registry = Registry()

    async def read() -> Any:
        return ReadTexts({"mails": 1}, (chunk,))

    registry.register("read", "Read.", {"type": "object"}, read, Effect.READ)
    ctx = CallContext(RunId("r"), ("read",), lambda: NOW)
    assert await registry.execute(ToolCall("c", "read", {}), ctx) == Result({"mails": 1})
    assert ctx.read == (chunk,)


async def failing(kind: BaseException) -> Json:
    raise kind


@pytest.mark.expects_warnings
@pytest.mark.parametrize(
    ("error", "words"),
    [
        (NotFound("There is no drug."), "not_found: There is no drug."),
        (KeyError("secret mail text"), "t failed: KeyError."),
        (TimeoutError(), "t took longer than 60 s."),
    ],
)
async def test_trouble_of_a_tool_is_told_and_nothing_of_a_bug(error: Exception, words: str) -> None:
    registry = Registry()
    registry.register("t", "T.", {"type": "object"}, lambda: failing(error), Effect.READ)
    outcome = await registry.execute(ToolCall("c", "t", {}), CallContext(RunId("r"), ("t",), lambda: NOW))
    assert outcome == Result({"error": words}, failed=True)


async def test_a_slow_tool_is_given_up() -> None:
    registry = Registry()

    async def slow() -> Json:
        await asyncio.sleep(60)
        return None

    registry.register("t", "T.", {"type": "object"}, slow, Effect.READ, timeout_s=0.01)
    outcome = await registry.execute(ToolCall("c", "t", {}), CallContext(RunId("r"), ("t",), lambda: NOW))
    assert outcome == Result({"error": "t took longer than 0.01 s."}, failed=True)


@pytest.mark.parametrize("value", [{"x": object()}, float("nan"), {1, 2}])
async def test_what_is_not_json_is_an_error(value: Any, bench: Bench) -> None:
    bench.registry.register("odd", "Odd.", {"type": "object"}, bench.does("odd", value), Effect.READ)
    outcome = await bench.registry.execute(ToolCall("c", "odd", {}), bench.ctx())
    assert outcome == Result({"error": "odd returned what is not JSON."}, failed=True)


async def test_a_long_result_is_cut_and_says_so(bench: Bench) -> None:
    bench.registry.register("long", "Long.", {"type": "object"}, bench.does("long", "x" * 50_000), Effect.READ)
    outcome = await bench.registry.execute(ToolCall("c", "long", {}), bench.ctx())
    assert isinstance(outcome, Result)
    assert isinstance(outcome.value, dict)
    assert outcome.value["characters"] == 50_002
    assert len(outcome.value["beginning"]) == LONGEST_RESULT


@settings(max_examples=2 * settings.default.max_examples)
@given(
    st.sampled_from(["look", "note", "propose", "mark", "share", "mcp", "mcp_free", "search", "send", "other"]),
    st.dictionaries(st.sampled_from(["name", "to", "body", "x"]), st.one_of(st.text(max_size=20), st.integers()), max_size=3),
    st.booleans(),
)
async def test_whatever_a_model_calls_nothing_that_asks_runs_without_a_word(
    tool: str, arguments: dict[str, Any], agreed: bool
) -> None:
    bench = Bench()
    ctx = bench.ctx(approvals=yes if agreed else lambda asked: None)
    await bench.registry.execute(ToolCall("c", tool, arguments), ctx)
    asking = {"propose", "mark", "share", "mcp", "send"}
    (row,) = bench.rows
    assert not bench.ran or agreed or tool not in asking
    assert (row.outcome is CallOutcome.RAN) == bool(bench.ran)
    assert bool(row.approved_by) == (bool(bench.ran) and tool in asking)


@settings(max_examples=2 * settings.default.max_examples)
@given(st.lists(st.timedeltas(min_value=timedelta(0), max_value=timedelta(hours=1)), max_size=5))
async def test_each_new_word_is_good_for_one_run(delays: list[timedelta]) -> None:
    bench = Bench()
    words = iter([OwnerDecision(plan_hash("share", {"name": "thing"}), True, "user", NOW + one) for one in delays])
    ctx = bench.ctx(approvals=lambda asked: next(words, None))
    for _ in delays:
        await bench.registry.execute(call("share"), ctx)
    assert len(bench.ran) == len(set(delays))


def test_reasons_of_trouble_have_sentences() -> None:
    told = {one for one in PolicyReason if one.value.startswith(("net_", "sends_")) and one is not PolicyReason.NET_WITHIN_RULES}
    assert told | {
        PolicyReason.PAUSED,
        PolicyReason.NOT_LISTED,
        PolicyReason.ITERATIONS_SPENT,
        PolicyReason.TOKENS_SPENT,
        PolicyReason.BAD_RECIPIENT,
        PolicyReason.NOT_AN_ARTIFACT,
    } == set(SENTENCES)

"""Plans: what the planner's model is told and what it may answer, and the plan without a model."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.agents.assistant.plan import offered, plan_schema, planned, searching_step
from app.agent.llm.answers import AnswerFormatError, parse_object
from app.agent.llm.turns import UnusableAnswer
from app.domain.agents.requests import MOST_STEPS, Capability, check_plan, reads_only
from app.domain.errors import ModelUnavailable, NotAllowed
from app.domain.mail.message import ARCHIVE
from app.domain.record import replace
from fakes.engine.agent_mailbox import Room, ScriptedCalendar
from fakes.models.model_server import Answer, ModelServer, structured
from fakes.models.requests import plans, requests_at

EVERYTHING = dict.fromkeys(Capability, "…")

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=12) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=20,
)
STEPS = st.lists(
    st.fixed_dictionaries(
        {"capability": st.sampled_from([*Capability, "fly", ""]), "instruction": st.text(max_size=40)}, optional={"extra": JSON}
    ),
    max_size=60,
)


async def test_a_request_becomes_typed_steps(room: Room, model: ModelServer) -> None:
    async with requests_at(room, model, calendar=ScriptedCalendar()) as at_work:
        request = at_work.asked("Find Ann's last offer and send it to bob@x.org tomorrow")
        model.enqueue(plans(("research", "Find Ann's last offer."), ("gmail", " Send it to bob@x.org. ")))
        plan = await at_work.supervisor.plan(request)
    assert [(one.capability, one.instruction) for one in plan.steps] == [
        (Capability.RESEARCH, "Find Ann's last offer."),
        (Capability.GMAIL, "Send it to bob@x.org."),
    ]
    assert plan.maker == "openai/scripted"
    (told,) = model.prompts()
    assert "Find Ann's last offer and send it to bob@x.org tomorrow" in told
    assert "when the owner is busy" in told
    assert "the web" not in told
    assert "Friday 2026-11-20" in told
    (spent,) = room.db.read("SELECT run_id, call_type FROM llm_calls")
    assert tuple(spent) == (request.run_id, "plan")


def test_other_words_for_agents_are_read() -> None:
    steps = [{"capability": one, "instruction": "Do it."} for one in ("Search", "send_email", "DocumentCreator", "direct answer")]
    answer = parse_object(json.dumps({"steps": steps}), plan_schema(EVERYTHING))
    assert [one["capability"] for one in answer["steps"]] == ["research", "gmail", "create_document", "direct_answer"]


async def test_only_what_is_there_can_be_planned(room: Room, model: ModelServer) -> None:
    async with requests_at(room, model) as at_work:
        deps = at_work.stage.deps
        account = deps.corpus.account(room.account_id)
        assert set(offered(deps, account)) == set(Capability)
        assert Capability.GMAIL not in offered(deps, replace(account, kind=ARCHIVE))
        assert deps.toolbox is not None
        bare = replace(deps, toolbox=replace(deps.toolbox, artifacts=None))
        assert Capability.CREATE_DOCUMENT not in offered(bare, account)
        assert "the web" not in offered(deps, account)[Capability.RESEARCH]
        net = replace(deps, toolbox=replace(deps.toolbox, web=object()))
        assert "the web" in offered(net, account)[Capability.RESEARCH]
        assert set(offered(replace(deps, toolbox=None), account)) == {Capability.GMAIL, Capability.DIRECT_ANSWER}


@pytest.mark.parametrize(
    "odd",
    [
        plans(),
        plans(("fly", "To Oslo.")),
        plans(("research", "  ")),
        structured(steps="research"),
        structured(plan=[]),
        Answer("I would research it."),
    ],
)
async def test_an_odd_plan_is_repaired_once_or_refused(room: Room, model: ModelServer, odd: Answer) -> None:
    async with requests_at(room, model) as at_work:
        request = at_work.asked("Find it")
        model.enqueue(odd, plans(("research", "Find it.")))
        assert len((await at_work.supervisor.plan(request)).steps) == 1
        model.enqueue(odd, odd)
        with pytest.raises(UnusableAnswer, match="gave an answer that can't be used"):
            await at_work.supervisor.plan(request)
        model.enqueue(odd, odd)
        found = await at_work.supervisor.plan(at_work.asked("Who wrote about the roof?"))
        assert [(one.capability, one.instruction) for one in found.steps] == [
            (Capability.RESEARCH, "Search your mail for: wrote roof")
        ]


async def test_trouble_with_the_model_is_told_as_what_it_is(room: Room, model: ModelServer) -> None:
    async with requests_at(room, model) as at_work:
        request = at_work.asked("Find it")
        model.enqueue(*[Answer("down", status=503)] * 3)
        with pytest.raises(ModelUnavailable):
            await at_work.supervisor.plan(request)


@given(STEPS)
def test_whatever_a_model_plans_stands_or_is_refused(steps: list[dict[str, Any]]) -> None:
    try:
        made = planned(parse_object(json.dumps({"steps": steps}), plan_schema(EVERYTHING)))
    except (AnswerFormatError, NotAllowed):
        return
    check_plan(made)
    assert 1 <= len(made) <= MOST_STEPS
    assert all(one.instruction == one.instruction.strip() for one in made)


@given(JSON)
def test_no_answer_breaks_the_planner(answer: Any) -> None:
    try:
        made = planned(parse_object(json.dumps(answer), plan_schema({Capability.RESEARCH: "…"})))
    except (AnswerFormatError, NotAllowed):
        return
    assert {one.capability for one in made} == {Capability.RESEARCH}


async def test_without_a_model_a_plan_is_a_search(room: Room, model: ModelServer) -> None:
    async with requests_at(room, model, gateway=None) as at_work:
        plan = await at_work.supervisor.plan(at_work.asked("Please find the invoice from Ann about order 4411"))
        czech = await at_work.supervisor.plan(at_work.asked("Najdi prosím fakturu od Aleny za říjen"))
        with pytest.raises(NotAllowed, match="names nothing"):
            await at_work.supervisor.plan(at_work.asked("Can you please find what I have for you?"))
    assert (plan.maker, reads_only(plan.steps)) == ("rules", True)
    assert [one.instruction for one in plan.steps] == ["Search your mail for: invoice Ann order 4411"]
    assert [one.instruction for one in czech.steps] == ["Vyhledat v\u00a0poště: fakturu Aleny říjen"]
    assert model.history == []


@given(st.text(min_size=1, max_size=4000))
def test_every_request_becomes_a_search_or_is_refused(text: str) -> None:
    try:
        step = searching_step(text)
    except NotAllowed:
        return
    check_plan((step,))

"""Requests in words of the domain: runs and threads of their own, contracts as JSON, plans that can be carried out."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.agents.requests import (
    AGENTS,
    MOST_STEPS,
    OVER,
    STEP_MOVES,
    Capability,
    PlannedStep,
    RequestStatus,
    RequestStep,
    StepStatus,
    check_move,
    check_plan,
    completion_contract,
    own_thread,
    reads_only,
    request_of,
    run_of,
    status_after,
)
from app.domain.errors import NotAllowed
from app.domain.ids import RequestId, RunId

STATUSES = st.lists(st.sampled_from(StepStatus), min_size=1, max_size=MOST_STEPS)


def test_a_run_tells_its_request() -> None:
    assert request_of(run_of(RequestId("7-a"))) == "7-a"
    assert request_of(RunId("mail-140-0")) is None


@given(
    st.tuples(st.integers(1, 10**9), st.integers(0, MOST_STEPS - 1)),
    st.tuples(st.integers(1, 10**9), st.integers(0, MOST_STEPS - 1)),
)
def test_each_step_has_a_thread_of_its_own(one: tuple[int, int], other: tuple[int, int]) -> None:
    assert own_thread(*one) < 0
    assert (own_thread(*one) == own_thread(*other)) == (one == other)


def test_a_contract_is_json_with_the_capability() -> None:
    told = json.loads(completion_contract(Capability.CREATE_DOCUMENT, {"name": "é"}))
    assert told == {"completed_capability": "create_document", "data": {"name": "é"}}


def test_every_capability_has_its_agent() -> None:
    assert set(AGENTS) == set(Capability)


@pytest.mark.parametrize(
    "steps",
    [
        (),
        (PlannedStep(Capability.GMAIL, "x"),) * (MOST_STEPS + 1),
        (PlannedStep(Capability.GMAIL, " \n"),),
        (PlannedStep(Capability.GMAIL, "x" * 2001),),
    ],
)
def test_a_plan_that_cannot_be_carried_out_is_refused(steps: tuple[PlannedStep, ...]) -> None:
    with pytest.raises(NotAllowed):
        check_plan(steps)


def test_only_words_are_left_by_reading() -> None:
    read, write = PlannedStep(Capability.RESEARCH, "a"), PlannedStep(Capability.CREATE_DOCUMENT, "b")
    assert reads_only((read,))
    assert not reads_only((read, write))


@given(STATUSES)
def test_the_first_step_that_is_not_over_tells_how_a_request_stands(statuses: list[StepStatus]) -> None:
    steps = [RequestStep(index, Capability.RESEARCH, "a", status) for index, status in enumerate(statuses)]
    left = [one for one in statuses if one not in OVER]
    known = {StepStatus.FAILED: RequestStatus.FAILED, StepStatus.WAITING: RequestStatus.WAITING}
    assert status_after(steps) is (known.get(left[0], RequestStatus.RUNNING) if left else RequestStatus.DONE)


@given(st.sampled_from(StepStatus), st.sampled_from(StepStatus))
def test_only_listed_moves_are_made(old: StepStatus, new: StepStatus) -> None:
    if new in STEP_MOVES[old]:
        check_move(old, new)
    else:
        with pytest.raises(NotAllowed):
            check_move(old, new)

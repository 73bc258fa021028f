"""How an outcome is noted."""

import pytest

from app.agent.tools.execution import ended
from app.agent.tools.outcomes import Denied, NeedsApproval, Outcome, Result
from app.domain.agents.runs import CallOutcome
from app.domain.policy.policy import PolicyReason


@pytest.mark.parametrize(
    ("outcome", "noted"),
    [
        (Result({"x": 1}), CallOutcome.RAN),
        (Result({"error": "x"}, failed=True), CallOutcome.FAILED),
        (NeedsApproval("h", (), PolicyReason.SEND_ASKS), CallOutcome.WAITING),
        (Denied(PolicyReason.PAUSED, "x"), CallOutcome.DENIED),
    ],
)
def test_each_outcome_has_its_word(outcome: Outcome, noted: CallOutcome) -> None:
    assert ended(outcome) is noted

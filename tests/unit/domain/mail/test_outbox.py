"""The outbox's state machine: what may follow what, and that nothing leaves the final states."""

import pytest

from app.domain.errors import NotAllowed
from app.domain.mail.outbox import TRANSITIONS, UNDOABLE, OutboxState, check_transition


def test_every_state_has_its_row() -> None:
    assert set(TRANSITIONS) == set(OutboxState)


@pytest.mark.parametrize("final", [OutboxState.SENT, OutboxState.CANCELLED])
def test_final_states_stay(final: OutboxState) -> None:
    for state in OutboxState:
        with pytest.raises(NotAllowed):
            check_transition(final, state)


def test_sending_is_reached_only_from_a_known_draft() -> None:
    """One way leads to `sending`, so a send can never start without a draft id to ask about."""
    assert [old for old, new in TRANSITIONS.items() if OutboxState.SENDING in new] == [OutboxState.DRAFTED]


def test_nothing_can_be_cancelled_while_it_may_be_leaving() -> None:
    for state in (OutboxState.SENDING, OutboxState.DRAFTING):
        assert OutboxState.CANCELLED not in TRANSITIONS[state]
        assert state not in UNDOABLE


def test_uncertain_never_goes_back_to_sending_by_itself() -> None:
    assert OutboxState.SENDING not in TRANSITIONS[OutboxState.UNCERTAIN]
    assert OutboxState.QUEUED not in TRANSITIONS[OutboxState.UNCERTAIN]


@pytest.mark.parametrize(("old", "new"), [(o, n) for o in OutboxState for n in OutboxState])
def test_the_check_agrees_with_the_table(old: OutboxState, new: OutboxState) -> None:
    if new in TRANSITIONS[old]:
        check_transition(old, new)
    else:
        with pytest.raises(NotAllowed, match=f"from {old} to {new}"):
            check_transition(old, new)

"""Drafting waits for the owner's answers to be indexed, and not longer than its bound; once open it stays open."""

from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from app.config.settings import Settings
from app.engine.runs.runner import LONGEST_WAIT_S, DraftingGate

moments = st.lists(st.tuples(st.floats(0, 200), st.booleans(), st.booleans()), min_size=1, max_size=20)


@given(moments)
def test_it_opens_for_a_reason_and_never_closes(script: list[tuple[float, bool, bool]]) -> None:
    script = sorted(script)
    now = [0.0]
    mail, index = SimpleNamespace(recent_done=False), SimpleNamespace(caught_up=False)
    gate = DraftingGate(SimpleNamespace(now=Settings()), mail, index, lambda: now[0])
    was_open = False
    for at, recent, indexed in script:
        now[:] = [at]
        mail.recent_done, index.caught_up = recent, indexed
        is_open = gate.may_start()
        late = at - script[0][0] > LONGEST_WAIT_S
        assert is_open == (was_open or late or (recent and indexed))
        was_open = is_open

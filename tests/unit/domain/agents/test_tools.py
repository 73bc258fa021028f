"""The names a profile may list are those of the tools.

The hash of a plan: the same for the same call, another for any other.
"""

from hypothesis import given
from hypothesis import strategies as st

from app.domain.agents.tools import always, never, plan_hash

ARGUMENTS = st.dictionaries(st.text(max_size=5), st.one_of(st.integers(), st.text(max_size=5), st.booleans()), max_size=3)


@given(st.text(max_size=5), ARGUMENTS)
def test_the_order_of_arguments_does_not_matter(tool: str, arguments: dict[str, object]) -> None:
    assert plan_hash(tool, arguments) == plan_hash(tool, dict(reversed(arguments.items())))


def test_another_call_has_another_hash() -> None:
    hashes = {
        plan_hash("a", {}),
        plan_hash("b", {}),
        plan_hash("a", {"x": 1}),
        plan_hash("a", {"x": "1"}),
        plan_hash("a", {"x": True}),
    }
    assert len(hashes) == 5


def test_tools_ask_always_or_never() -> None:
    assert always({})
    assert not never({})

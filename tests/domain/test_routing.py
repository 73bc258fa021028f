"""What a rule is: no condition is empty, and rules are plain values that cross the wire."""

import pytest

from app.domain.routing import HeaderPattern, Match, Rule
from app.domain.runs import Route


@pytest.mark.parametrize(
    ("match", "empty"),
    [
        (Match(), True),
        (Match(all=True), False),
        (Match(subject_contains="x"), False),
        (Match(header_match=(HeaderPattern("A", "b"),)), False),
    ],
)
def test_a_match_without_conditions_is_empty(match: Match, empty: bool) -> None:
    assert match.empty is empty


def test_equal_rules_are_equal_values() -> None:
    first, second = (Rule("a", Match(header_match=(HeaderPattern("X", "y"),)), Route.AGENT, "p") for _ in range(2))
    assert first == second
    assert hash(first) == hash(second)

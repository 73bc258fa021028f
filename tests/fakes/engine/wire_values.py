"""Hypothesis strategies for everything that crosses the link, built from the domain's unions."""

from pathlib import Path
from typing import get_args

from hypothesis import strategies as st

from app.domain.protocol.commands import Answer, Command, Query
from app.domain.protocol.events import Event

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


def _any_of(union: object) -> st.SearchStrategy[object]:
    st.register_type_strategy(str, TEXT)
    st.register_type_strategy(int, st.integers(-(2**63), 2**63 - 1))
    st.register_type_strategy(float, st.floats(allow_nan=False))
    st.register_type_strategy(Path, TEXT.map(Path))
    return st.one_of([st.from_type(member) for member in (get_args(union) or (union,))])


def commands() -> st.SearchStrategy[Command]:
    return _any_of(Command)  # type: ignore[return-value]


def queries() -> st.SearchStrategy[Query]:
    return _any_of(Query)  # type: ignore[return-value]


def answers() -> st.SearchStrategy[Answer]:
    return _any_of(Answer)  # type: ignore[return-value]


def events() -> st.SearchStrategy[Event]:
    return _any_of(Event)  # type: ignore[return-value]

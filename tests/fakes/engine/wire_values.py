"""Hypothesis strategies for everything that crosses the link, built from the domain's classes."""

from pathlib import Path
from typing import TypeVar, get_type_hints

from hypothesis import strategies as st

from app.domain.agents.tools import McpServer
from app.domain.wire import Answer, Command, Event, Query
from app.link.codec import known_classes

T = TypeVar("T")

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


def _any_of(kind: type[T]) -> st.SearchStrategy[T]:
    st.register_type_strategy(str, TEXT)
    st.register_type_strategy(int, st.integers(-(2**63), 2**63 - 1))
    st.register_type_strategy(float, st.floats(allow_nan=False))
    st.register_type_strategy(Path, TEXT.map(Path))
    hints = get_type_hints(McpServer)  # hypothesis would take the factory of a default for a value
    st.register_type_strategy(McpServer, st.builds(McpServer, **{name: st.from_type(hints[name]) for name in hints}))
    return st.one_of([st.from_type(one) for one in known_classes().values() if issubclass(one, kind) and one is not kind])


def commands() -> st.SearchStrategy[Command]:
    return _any_of(Command)


def queries() -> st.SearchStrategy[Query]:
    return _any_of(Query)


def answers() -> st.SearchStrategy[Answer]:
    return _any_of(Answer)


def events() -> st.SearchStrategy[Event]:
    return _any_of(Event)

"""Drafts and what stands beside them, there and back."""

from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.drafting.draft import Draft, Source
from app.domain.drafting.review import RedFlag, ToolStep
from app.store.reviews.review_rows import (
    draft_from_json,
    draft_to_json,
    flags_from_json,
    flags_to_json,
    sources_from_json,
    sources_to_json,
    tools_from_json,
    tools_to_json,
)


@settings(max_examples=50, deadline=None)
@given(
    st.none() | st.builds(Draft),
    st.lists(st.builds(RedFlag), max_size=3).map(tuple),
    st.lists(st.builds(Source, score=st.floats(0, 1)), max_size=3).map(tuple),
    st.lists(st.builds(ToolStep, latency_ms=st.floats(0, 1e9)), max_size=3).map(tuple),
)
def test_there_and_back(
    draft: Draft | None, flags: tuple[RedFlag, ...], sources: tuple[Source, ...], tools: tuple[ToolStep, ...]
) -> None:
    """Every field of every class, built from its annotations: a new field that is not written fails here."""
    assert draft_from_json(draft_to_json(draft)) == draft
    assert flags_from_json(flags_to_json(flags)) == flags
    assert sources_from_json(sources_to_json(sources)) == sources
    assert tools_from_json(tools_to_json(tools)) == tools


def test_a_draft_from_before_there_were_files() -> None:
    old = '{"to":[["ana@x.org","Ana"]],"cc":[],"bcc":[],"subject":"s","body":"b","maker":"m","reply_to":4,"spans":[]}'
    read = draft_from_json(old)
    assert read is not None
    assert read.attachments == ()
    assert draft_to_json(read) == old

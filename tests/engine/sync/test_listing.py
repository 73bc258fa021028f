"""The order of a listing and how far it came: everything in the end, the newest and the owner's answers first."""

from hypothesis import given
from hypothesis import strategies as st

from app.domain.ids import GmailId, GmailThreadId
from app.domain.syncing import Listed, ListPage
from app.engine.sync.listing import RECENT_PRIORITY, RECENT_STEPS, STEPS, Progress, unpacked, wanted
from app.store.pages import ToFetch

IDS = st.integers(0, 30).map(lambda number: GmailId(f"{number:x}"))


def test_the_last_step_lists_everything_and_nothing_it_adds_is_dearer_than_before() -> None:
    assert (STEPS[-1].query, STEPS[-1].spam_trash) == ("", True)
    priorities = [step.priority for step in STEPS]
    assert priorities == sorted(set(priorities), reverse=True)


def test_recent_mail_and_the_owners_answers_are_what_drafting_waits_for() -> None:
    recent = STEPS[:RECENT_STEPS]
    assert "newer_than:14d" in {step.query for step in recent}
    assert any(step.query.startswith("in:sent ") for step in recent)
    assert RECENT_PRIORITY == min(step.priority for step in recent) > max(step.priority for step in STEPS[RECENT_STEPS:])


@given(st.lists(st.integers(1, 4), min_size=len(STEPS), max_size=len(STEPS)), st.integers(0, 9), st.text(max_size=9))
def test_each_page_of_each_step_comes_once_and_what_is_known_of_the_mailbox_stays(
    pages: list[int], total: int, terms: str
) -> None:
    progress, seen = Progress(total=total, terms=terms), list[tuple[str, str]]()
    for step, count in zip(STEPS, pages, strict=True):
        for number in range(1, count + 1):
            assert not progress.finished
            assert progress.current is step
            seen.append((step.query, progress.token))
            assert progress.again() == Progress(progress.step, "", total, terms)
            progress = progress.after(ListPage((), f"token {number}" if number < count else "", 0))
            assert (progress.total, progress.terms) == (total, terms)
            assert unpacked(progress.packed()) == progress
    assert progress.finished
    assert len(set(seen)) == sum(pages)


@given(st.lists(st.tuples(IDS, IDS), max_size=20), st.sets(IDS), st.integers(0, 40))
def test_what_is_not_here_is_wanted_with_its_thread_and_in_the_servers_order(
    entries: list[tuple[GmailId, GmailId]], have: set[GmailId], priority: int
) -> None:
    page = ListPage(tuple(Listed(one, GmailThreadId(f"t{thread}")) for one, thread in entries), "", 0)
    missing = [(one, f"t{thread}") for one, thread in entries if one not in have]
    assert wanted(page, have, priority) == tuple(ToFetch(one, GmailThreadId(t), "listed", priority) for one, t in missing)

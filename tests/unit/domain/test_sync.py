"""Plans: the cheapest fetch, and history folded into one step per message."""

from hypothesis import given
from hypothesis import strategies as st

from app.domain.ids import GmailId, GmailThreadId
from app.domain.sync import UNITS, ChangeKind, HistoryChange, Listed, plan_fetch, plan_sync


def _listed(message: str, thread: str) -> Listed:
    return Listed(GmailId(message), GmailThreadId(thread))


def _change(kind: ChangeKind, message: str, *labels: str) -> HistoryChange:
    return HistoryChange(kind, GmailId(message), GmailThreadId("t" + message), frozenset(labels))


IDS = st.integers(0, 20).map(str)


@given(st.lists(st.tuples(IDS, st.integers(0, 5).map(str))))
def test_every_wanted_message_is_planned_once_and_never_dearer(pairs: list[tuple[str, str]]) -> None:
    home = dict(pairs)
    wanted = [_listed(message, thread) for message, thread in home.items()]
    plan = plan_fetch(wanted)
    by_thread = {thread: [w.gmail_id for w in wanted if w.gmail_thread_id == thread] for thread in plan.threads}
    planned = [*plan.messages, *(one for ids in by_thread.values() for one in ids)]
    assert sorted(planned) == sorted(home)
    assert plan.units <= UNITS["messages.get"] * len(planned)


def test_a_label_change_of_an_unknown_message_fetches_it() -> None:
    plan = plan_sync([_change(ChangeKind.LABELS_ADDED, "9", "X"), _change(ChangeKind.LABELS_ADDED, "8", "INBOX")], set())
    assert [f.gmail_id for f in plan.fetch_older] == ["9"]
    assert [f.gmail_id for f in plan.fetch] == ["8"], "what comes into the inbox does not wait"
    archived = plan_sync([_change(ChangeKind.LABELS_REMOVED, "9", "INBOX")], set())
    assert ([f.gmail_id for f in archived.fetch_older], archived.fetch) == (["9"], ()), "what leaves it does"


def test_a_draft_that_is_sent_under_its_id_is_fetched_as_the_mail_it_became() -> None:
    for change in (_change(ChangeKind.LABELS_ADDED, "1", "SENT"), _change(ChangeKind.LABELS_REMOVED, "1", "DRAFT")):
        plan = plan_sync([change, _change(ChangeKind.LABELS_ADDED, "1", "STARRED")], {GmailId("1")})
        assert ([f.gmail_id for f in plan.fetch], plan.delete, plan.add_labels) == (["1"], (GmailId("1"),), ())
        assert plan.forget == ()


FEW = st.sampled_from(["1", "2", "3"])
"""So few that much happens to each of them."""
CHANGES = st.lists(st.builds(_change, st.sampled_from(ChangeKind), FEW, st.sampled_from(["A", "B"])), max_size=30)


@given(CHANGES, st.sets(FEW.map(GmailId)))
def test_a_plan_equals_playing_the_changes(changes: list[HistoryChange], have: set[GmailId]) -> None:
    plan = plan_sync(changes, have)
    state: dict[GmailId, dict[str, bool]] = {one: {} for one in have}
    fetched: set[GmailId] = set()
    for change in changes:
        if change.kind is ChangeKind.DELETED:
            state.pop(change.gmail_id, None)
            fetched.discard(change.gmail_id)
        elif change.gmail_id in have:
            if change.kind is ChangeKind.ADDED:
                if change.gmail_id not in state:
                    fetched.add(change.gmail_id)
                state.setdefault(change.gmail_id, {})
            elif change.gmail_id in state:
                state[change.gmail_id].update(dict.fromkeys(change.labels, change.kind is ChangeKind.LABELS_ADDED))
        else:
            fetched.add(change.gmail_id)
    assert {f.gmail_id for f in (*plan.fetch, *plan.fetch_older)} == fetched
    assert not {f.gmail_id for f in plan.fetch} & {f.gmail_id for f in plan.fetch_older}
    assert set(plan.delete) == have - state.keys()
    assert set(plan.delete) <= set(plan.forget)
    assert not fetched & set(plan.forget)
    told: dict[GmailId, dict[str, bool]] = {gid: {} for gid in state}
    for pairs, present in ((plan.add_labels, True), (plan.remove_labels, False)):
        for gid, labels in pairs:
            told[gid].update(dict.fromkeys(labels, present))
    assert told == state

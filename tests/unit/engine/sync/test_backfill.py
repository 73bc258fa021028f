"""When the newest mail is looked at again."""

from app.engine.sync.backfill import RECHECK_AFTER_S, ListRechecks


def test_nothing_is_due_before_the_listing_ended() -> None:
    assert ListRechecks().due_in_s(1e9) == float("inf")


def test_soon_then_more_and_more_seldom() -> None:
    rechecks, now, gaps = ListRechecks(), 0.0, []
    rechecks.begin(now)
    rechecks.begin(now + 1)
    for _ in range(6):
        gap = rechecks.due_in_s(now)
        gaps.append(gap)
        now += gap
        assert rechecks.due_in_s(now) <= 0
        rechecks.done(now)
    assert gaps == [*RECHECK_AFTER_S, RECHECK_AFTER_S[-1], RECHECK_AFTER_S[-1]]

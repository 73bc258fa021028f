"""The queue in its two orders: oldest urgent first, or each kind together."""

from array import array
from itertools import groupby

from app.domain.ids import ReviewId
from app.ui.window.main_window import MainWindow


def test_kinds_stand_together_on_wish(window: MainWindow) -> None:
    page = window.review_page
    queue, action = page.queue, window.actions_by_id["review.group"]
    kinds = {key: row.kind for key, row in page.context.reader.review_rows([ReviewId(one) for one in queue.model.ids]).items()}
    replies = [key for key in queue.model.ids if kinds[ReviewId(key)] == "reply"]
    others = [key for key in queue.model.ids if key not in replies]
    mixed = array("q", [replies[0], *others, *replies[1:]])
    assert replies[1:] and others
    assert queue._in_order(mixed) == mixed
    chosen, before = page.current_review(), list(queue.model.ids)
    action.trigger()
    assert queue.grouped
    assert action.text() == "Oldest urgent first"
    together = list(queue._in_order(mixed))
    assert together == [*replies, *others], "each kind where its first stands, in the order within"
    runs = [kind for kind, _ in groupby(kinds[ReviewId(key)] for key in queue.model.ids)]
    assert len(runs) == len(set(runs)), "a kind stands in two places"
    assert page.current_review() == chosen
    action.trigger()
    assert not queue.grouped
    assert list(queue.model.ids) == before

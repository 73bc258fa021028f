"""The Today page: in ten lines what waits, what was promised on both sides, and the day's meetings; each line opens it."""

from datetime import timedelta

from app.domain.drafting.invitation import Agenda, ReadAgenda
from app.domain.drafting.meeting import BusyTime
from app.ui.lists.row_painter import LOOK_ROLE, RowPresentation
from app.ui.pages.overview.today import TodayPage
from fakes.engine.store.sample_store import ANA, LEE, OWNER, LivelyStore, Mail, lively_store
from fakes.window.keyboard import press
from fakes.window.page_setup import NOW, Stage, until

DAY = 60 * 24
SENT = frozenset({"SENT"})


def sent(store: LivelyStore, key: str, to: object, text: str, days: int) -> None:
    store.put(Mail(key, f"t{key}", OWNER, f"About {key}", text, DAY * days, labels=SENT, to=(to,)))  # type: ignore[arg-type]


def looks(page: TodayPage) -> list[RowPresentation]:
    return [page.model.index(at, 0).data(LOOK_ROLE) for at in range(page.model.rowCount())]


async def test_the_day_in_ten_lines(stage: Stage) -> None:
    store = lively_store(stage.data.database, NOW)
    sent(store, "quote", LEE, "Hello Lee,\n\ncould you send me the quote?\n\nMia", 8)
    sent(store, "list", ANA, "Hello Ana,\n\nI will send you the price list by Friday.\n\nMia", 2)
    page = TodayPage(stage.context)
    stage.show(page, wait=False)
    await until(lambda: any(isinstance(one, ReadAgenda) for one in stage.engine.queries))
    stage.engine.answer(Agenda((BusyTime(NOW + timedelta(hours=1), NOW + timedelta(hours=2), "Stand-up"),)))
    await until(lambda: any(one.snippet == "Stand-up" for one in looks(page)))
    shown = looks(page)
    assert len(shown) <= 10
    assert [one.heading for one in shown if one.heading][:4] == [
        "Waiting for you",
        "You promised",
        "Others owe you a reply",
        "Meetings today",
    ]
    said = {one.heading: one for one in shown}
    assert "price list" in said["You promised"].snippet
    assert "quote" in said["Others owe you a reply"].snippet
    page.take_focus()
    for at, goal in ((0, "review"), (1, "needs-reply")):
        page.list.select_row(at)
        press("Return", on=page.list)
        assert stage.neighbours.went[-1] == goal
    row = next(at for at, one in enumerate(shown) if "price list" in one.snippet)
    page.list.select_row(row)
    press("Return", on=page.list)
    assert stage.neighbours.went[-1] == ("message", store.mails["list"].id)
    page.list.select_row(next(at for at, one in enumerate(shown) if one.snippet == "Stand-up"))
    press("Return", on=page.list)
    assert stage.opened[-1].startswith("https://calendar.google.com/")
    store.close()


async def test_more_promises_than_shown_lead_to_all_and_old_ones_are_overdue(stage: Stage) -> None:
    store = lively_store(stage.data.database, NOW)
    for at in range(3):
        sent(store, f"p{at}", ANA, f"Hello Ana,\n\nI will send you list {at} by Friday.\n\nMia", 8 + at)
    page = TodayPage(stage.context)
    stage.show(page, wait=False)
    await until(lambda: any(one.who == "Show all 3" for one in looks(page)))
    assert "overdue" in next(one.when for one in looks(page) if "list" in one.snippet)
    page.list.select_row(next(at for at, one in enumerate(looks(page)) if one.who == "Show all 3"))
    page.list.opened.emit(page.model.id_at(page.list.current_row()))
    assert stage.neighbours.went[-1] == "waiting"
    store.close()


async def test_an_empty_day_says_so(stage: Stage) -> None:
    page = TodayPage(stage.context)
    stage.show(page, wait=False)
    await until(lambda: bool(page.model.rowCount()))
    assert [one.snippet for one in looks(page)] == ["Nothing is waiting for you."]

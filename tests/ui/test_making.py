"""A page is made once, ahead or when it is asked for."""

from app.ui.context import Context
from app.ui.making import Making
from app.ui.page import Page
from fakes.page_stage import Stage


def test_a_page_is_made_once(lively_stage: Stage) -> None:
    made: list[Page] = []

    def factory(context: Context) -> Page:
        made.append(Page(context, "one", "One"))
        return made[-1]

    making = Making({"one": factory, "two": factory}, lively_stage.context)
    making.ahead("one")
    making.ahead("one")
    assert making.take("one") is made[0]
    making.ahead("one")
    assert making.take("two") is made[1]
    assert len(made) == 2

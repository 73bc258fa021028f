"""What of the assistant page comes back: the words being typed, requests that were handed over, plans that were edited, and how
far the open request is scrolled."""

import json
from functools import partial

from app.domain.assistant import MOST_STEPS, Capability, PlannedStep
from app.domain.ids import RequestId
from app.ui.assistant.page import AssistantPage
from app.ui.scroll_place import ScrollPlace
from app.ui.whereabouts import Spot, number


def keep_assistant(page: AssistantPage) -> None:
    """Let it all come back."""
    parts, desk = page.parts, page.desk
    parts.add("typed", page.bar.place, page.bar.begin_at, page.bar.edited)
    parts.add("asked", page.asked.place, partial(_send_again, page), page.moved)
    parts.add("plans", partial(_plans, page), partial(_plan_again, page), desk.edited)
    scroll = ScrollPlace(page.detail.area)
    parts.add("scroll", partial(_scrolled, page, scroll), partial(_scroll, page, scroll), scroll.moved, fleeting=True)


def _send_again(page: AssistantPage, place: Spot) -> bool:
    page.send_again(page.asked.begin_at(place))
    return True


def _plans(page: AssistantPage) -> Spot:
    return {key: json.dumps([[one.capability, one.instruction] for one in plan]) for key, plan in page.desk.plans.items()}


def _plan_again(page: AssistantPage, place: Spot) -> bool:
    plans = {RequestId(key): plan for key, value in place.items() if (plan := _plan(value))}
    page.desk.plans = {**plans, **page.desk.plans}
    page.touch()
    return True


def _plan(value: str | int) -> tuple[PlannedStep, ...]:
    """What was written, as far as it is what we write."""
    try:
        found = json.loads(str(value))
        return tuple(PlannedStep(Capability(kind), str(words)) for kind, words in found)[:MOST_STEPS]
    except (ValueError, TypeError, RecursionError):
        return ()


def _scrolled(page: AssistantPage, scroll: ScrollPlace) -> Spot:
    return {"request": page.open_id, "y": scroll.at} if page.open_id is not None and scroll.at else {}


def _scroll(page: AssistantPage, scroll: ScrollPlace, place: Spot) -> bool:
    here = page.open_id is not None and page.open_id == place.get("request")
    if here:
        scroll.go(number(place, "y"))
    return here

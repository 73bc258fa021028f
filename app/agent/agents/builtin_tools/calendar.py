"""Tools `check_calendar` and `schedule_meeting`: busy times, and a meeting that the owner approves before it is booked."""

from collections.abc import Iterable

from app.agent.agents.builtin_tools.case import Case, MailCase
from app.agent.agents.responder.calendar import look_up
from app.agent.agents.responder.proposals import meeting_proposal
from app.agent.agents.responder.tools import CHECK_CALENDAR, TOOLS
from app.agent.llm.turns import ToolCall
from app.agent.tools.execution import RegisteredTool
from app.domain.agents.tools import Json
from app.domain.drafting.meeting import SCHEDULE_MEETING
from app.domain.drafting.review import Proposal


def calendar_reading(case: Case) -> Iterable[RegisteredTool]:
    """`check_calendar`, if a calendar is connected. The model never sees event titles."""

    async def check_calendar(dates: list[str]) -> Json:
        return {"summary": (await look_up(dates, case.deps)).summary}

    if case.deps.calendar is not None:
        yield RegisteredTool(TOOLS[CHECK_CALENDAR], check_calendar)


def calendar_tools(case: MailCase) -> Iterable[RegisteredTool]:
    """Both tools, each if available."""

    async def schedule_meeting(**arguments: object) -> Json:
        return {"status": "queued"}

    async def propose(**arguments: object) -> Proposal:
        return await meeting_proposal(ToolCall(case.call_id, SCHEDULE_MEETING, dict(arguments)), case.state, case.deps)

    yield from calendar_reading(case)
    if case.deps.may_schedule(case.account.id):
        yield RegisteredTool(TOOLS[SCHEDULE_MEETING], schedule_meeting, propose=propose)

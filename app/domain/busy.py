"""Busy times as a run's tools recorded them, for the card that shows a meeting and for what its approval had in view. Pure."""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from app.domain.ports.agents import BusyTime
from app.domain.review import ToolStep

CHECK_CALENDAR = "check_calendar"
"""The tool's name in traces."""


def busy_times(tools: Sequence[ToolStep]) -> tuple[BusyTime, ...]:
    """What the calendar tool of a review found, in order, each once; nothing where it did not run or failed."""
    found: dict[BusyTime, None] = {}
    for tool in tools:
        if tool.name == CHECK_CALENDAR and not tool.error:
            found.update(dict.fromkeys(map(_busy, _rows(tool.result))))
    return tuple(sorted(found, key=lambda one: (one.start, one.end, one.title)))


def looked_at(tools: Sequence[ToolStep], start: datetime, end: datetime) -> bool:
    """Whether one look into the calendar that worked covers the whole time between two aware moments."""
    return any(
        begins <= start and end <= ends
        for tool in tools
        if tool.name == CHECK_CALENDAR and not tool.error
        for begins, ends in _windows(tool.arguments)
    )


def overlapping(busy: Sequence[BusyTime], start: datetime, end: datetime) -> tuple[BusyTime, ...]:
    """Those that take a part of the time between two aware moments; touching ends do not."""
    return tuple(one for one in busy if one.start < end and one.end > start)


def _windows(arguments: str) -> Iterator[tuple[datetime, datetime]]:
    """The times a look was for: one from `start` to `end`, and the single days beyond it."""
    told: dict[str, Any] = json.loads(arguments) if arguments else {}
    first = [[told["start"], told["end"]]] if "start" in told else []
    for begins, ends in (*first, *told.get("days", ())):
        yield datetime.fromisoformat(begins), datetime.fromisoformat(ends)


def _rows(result: str) -> Sequence[dict[str, Any]]:
    rows: Sequence[dict[str, Any]] = json.loads(result).get("busy", ()) if result else ()
    return rows


def _busy(row: dict[str, Any]) -> BusyTime:
    return BusyTime(datetime.fromisoformat(row["start"]), datetime.fromisoformat(row["end"]), row["title"])

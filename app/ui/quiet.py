"""Whether a word on the desktop is welcome now: the user's choice, quiet hours, quiet days. Pure."""

from collections.abc import Collection
from datetime import datetime, time

from app.config.settings import NotificationSettings


def welcome(now: datetime, wish: NotificationSettings, weekdays: Collection[int]) -> bool:
    """`now` is aware and in the user's zone; `weekdays` are the working days, Monday 0."""
    if not wish.shown or (wish.quiet_weekend and now.weekday() not in weekdays):
        return False
    return not _between(now.time(), time.fromisoformat(wish.quiet_from), time.fromisoformat(wish.quiet_to))


def _between(at: time, start: time, end: time) -> bool:
    """Whether a time of day lies in a stretch that may go over midnight; an empty stretch holds nothing."""
    if start <= end:
        return start <= at < end
    return at >= start or at < end

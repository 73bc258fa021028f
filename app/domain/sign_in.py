"""How long a sign-in to Google lives. Pure.

A consent screen in Testing takes the refresh token back after seven days; nothing but its death tells. Once that was seen, the
next one's end is known beforehand.
"""

from datetime import datetime, timedelta

TESTING_LIFE = timedelta(days=7)
WARNED_BEFORE = timedelta(hours=24)
SLACK_BEFORE = timedelta(hours=12)
SLACK_AFTER = timedelta(hours=48)
"""A dead token is noticed when it is used next, which may be after a weekend."""


def ended_as_in_testing(signed_in_at: datetime | None, now: datetime) -> bool:
    """Whether a sign-in that Google refuses now died at the age at which Testing ends it."""
    return signed_in_at is not None and TESTING_LIFE - SLACK_BEFORE <= now - signed_in_at <= TESTING_LIFE + SLACK_AFTER


def ends_at(signed_in_at: datetime | None, short_lived: bool) -> datetime | None:
    """When the sign-in is going to end, None if nothing says that it does."""
    return signed_in_at + TESTING_LIFE if short_lived and signed_in_at is not None else None


def ends_soon(signed_in_at: datetime | None, short_lived: bool, now: datetime) -> bool:
    """Whether the owner is to be told that the sign-in ends within a day; also after it has."""
    end = ends_at(signed_in_at, short_lived)
    return end is not None and now >= end - WARNED_BEFORE

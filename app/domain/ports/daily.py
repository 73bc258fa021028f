"""What the charts of Activity read."""

from datetime import datetime
from typing import Protocol

from app.domain.daily import DayOfWork


class DailyReader(Protocol):
    """Numbers by day."""

    def days_of_work(self, since: datetime) -> tuple[DayOfWork, ...]:
        """Days in the machine's time zone on which something was done, oldest first; `since` begins the first."""

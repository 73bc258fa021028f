"""Time zones as the settings name them."""

from datetime import tzinfo
from zoneinfo import ZoneInfo

from dateutil.tz import tzlocal


def zone_of(name: str) -> tzinfo:
    """The named time zone; for no name the machine's, with its changes between summer and winter."""
    return ZoneInfo(name) if name else tzlocal()

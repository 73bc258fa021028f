"""Times as the wire and the store write them: Unix milliseconds to aware datetimes."""

from datetime import UTC, datetime


def from_ms(unix_ms: int) -> datetime:
    """Aware, UTC."""
    return datetime.fromtimestamp(unix_ms / 1000, UTC)


def to_ms(at: datetime) -> int:
    """Unix milliseconds."""
    return int(at.timestamp() * 1000)

"""The user's settings as the limits of a listing."""

from app.config.settings import SyncSettings
from app.engine.sync.listing import Limits


def limits_of(settings: SyncSettings) -> Limits:
    """What of older mail is wanted."""
    return Limits(settings.backfill_days, settings.largest_mb, settings.skip_labels, settings.older_paused)

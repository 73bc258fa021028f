"""Time zones by name, and the machine's own."""

from zoneinfo import ZoneInfo

from dateutil.tz import tzlocal

from app.config.time_zones import zone_of


def test_named_and_the_machines() -> None:
    assert zone_of("Europe/Prague") == ZoneInfo("Europe/Prague")
    assert zone_of("") == tzlocal()

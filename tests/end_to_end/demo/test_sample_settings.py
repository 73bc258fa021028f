"""A trial on the sample mailbox has its calendar and contacts, in its owner's time zone."""

from pathlib import Path

from app.config.paths import DataFolder, resource
from app.config.settings import load
from app.demo.command import write_sample_settings


def test_the_samples_calendar_is_connected(tmp_path: Path) -> None:
    data = DataFolder(tmp_path)
    write_sample_settings(data, resource("sample"))
    settings = load(data.settings)
    assert (settings.calendar.connected, settings.contacts.connected) == (True, True)
    assert settings.calendar.time_zone == "Europe/Prague"

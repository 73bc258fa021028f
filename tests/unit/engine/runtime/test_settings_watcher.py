"""Settings in force: changes are heard, a broken file is told and the last good state stays."""

from pathlib import Path

import pytest

from app.config.settings import Settings
from app.domain.protocol.events import ErrorReported
from app.domain.wire import Event
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.settings_watcher import LiveSettings

pytestmark = pytest.mark.expects_warnings


@pytest.fixture
def told() -> list[Event]:
    return []


async def test_broken_settings_give_defaults_and_a_line(tmp_path: Path, told: list[Event]) -> None:
    (tmp_path / "settings.toml").write_text("[sending]\nundo_s = 9999\n")
    settings = LiveSettings(tmp_path / "settings.toml", EventBus(told.append))
    assert settings.now == Settings()
    (trouble,) = told
    assert isinstance(trouble, ErrorReported)
    assert "settings.toml:2" in str(trouble.text)

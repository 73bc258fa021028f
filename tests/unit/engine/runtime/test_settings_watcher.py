"""Settings in force: changes are heard, a broken file is told and the last good state stays."""

from pathlib import Path

import pytest

from app.config.settings import Settings
from app.domain.errors import BadFile
from app.domain.protocol.events import ErrorReported
from app.domain.wire import Event
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.settings_watcher import LiveSettings, model_label

pytestmark = pytest.mark.expects_warnings


@pytest.fixture
def told() -> list[Event]:
    return []


async def test_a_change_is_heard_with_old_and_new(tmp_path: Path, told: list[Event]) -> None:
    settings = LiveSettings(tmp_path / "settings.toml", EventBus(told.append))
    heard: list[tuple[Settings, Settings]] = []
    settings.listen(lambda old, new: heard.append((old, new)))
    settings.change([("model.name", '"ollama/llama3"')])
    assert [(model_label(old), model_label(new)) for old, new in heard] == [("", "ollama/llama3")]
    with pytest.raises(BadFile):
        settings.change([("sync.poll_s", "0")])
    assert len(heard) == 1
    assert settings.now.sync.poll_s == Settings().sync.poll_s


async def test_broken_settings_give_defaults_and_a_line(tmp_path: Path, told: list[Event]) -> None:
    (tmp_path / "settings.toml").write_text("[sending]\nundo_s = 9999\n")
    settings = LiveSettings(tmp_path / "settings.toml", EventBus(told.append))
    assert settings.now == Settings()
    (trouble,) = told
    assert isinstance(trouble, ErrorReported)
    assert "settings.toml:2" in str(trouble.text)

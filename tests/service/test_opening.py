"""What a service is opened with: the model of the settings, or a refusal."""

from pathlib import Path

import pytest

from app.config.paths import DataFolder
from app.config.settings import CalendarSettings, DraftingSettings, ModelSettings, Settings
from app.domain.errors import ModelUnavailable, Refused
from app.service.opening import opened_parts, target_of
from fakes.mailroom import Room

LOCAL = Settings(
    model=ModelSettings(name="ollama/small"),
    drafting=DraftingSettings(background="I mend bicycles."),
    calendar=CalendarSettings(time_zone="Europe/Prague"),
)


def test_the_settings_are_used(tmp_path: Path) -> None:
    with Room(tmp_path), opened_parts(DataFolder(tmp_path), LOCAL, target_of(LOCAL, "")) as parts:
        assert parts.gateway.model == "ollama/small"
        assert (parts.background, str(parts.time_zone)) == ("I mend bicycles.", "Europe/Prague")
        assert parts.toolbox.search is parts.corpus
        assert not parts.toolbox.paused()


@pytest.mark.parametrize(("name", "words"), [("", "none is chosen"), ("openai/gpt", "no key for openai")])
def test_without_a_model_or_its_key(name: str, words: str) -> None:
    with pytest.raises(ModelUnavailable, match=words):
        target_of(Settings(model=ModelSettings(name=name)), "")


def test_without_a_mailbox(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="no mailbox"), opened_parts(DataFolder(tmp_path), LOCAL, target_of(LOCAL, "")):
        pass

"""The Gmail service: what it opens and answers."""

import json
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from app.agent.tools.registry import LeavingSearch
from app.config.paths import DataFolder
from app.config.settings import CalendarSettings, DraftingSettings, ModelSettings, Settings
from app.domain.agents.runs import CallAudit, CallOutcome, ModelCall
from app.domain.errors import CapReached, ModelUnavailable, NotAllowed
from app.domain.ids import RunId
from app.domain.policy.policy import Effect, PolicyReason, Verdict
from app.domain.record import replace
from app.service.dependencies import ServiceAudit, ServiceLedger, opened_parts, target_of
from app.service.requests import RunFailed, run_errors
from app.store.db.database import Database
from app.store.runs.audit import export_lines
from fakes.engine.agent_mailbox import NOON, Room

LOCAL = Settings(
    model=ModelSettings(name="ollama/small"),
    drafting=DraftingSettings(background="I mend bicycles."),
    calendar=CalendarSettings(time_zone="Europe/Prague"),
)


def test_the_settings_are_used(tmp_path: Path) -> None:
    with Room(tmp_path), opened_parts(DataFolder(tmp_path), LOCAL, target_of(LOCAL, "")) as parts:
        assert parts.gateway.model == "ollama/small"
        assert (parts.background, str(parts.time_zone)) == ("I mend bicycles.", "Europe/Prague")
        assert isinstance(parts.toolbox.search, LeavingSearch)
        assert parts.toolbox.search.search is parts.corpus
        assert not parts.toolbox.paused()


@pytest.mark.parametrize(("name", "words"), [("", "none is chosen"), ("openai/gpt", "no key for OpenAI")])
def test_without_a_model_or_its_key(name: str, words: str) -> None:
    with pytest.raises(ModelUnavailable, match=words):
        target_of(Settings(model=ModelSettings(name=name)), "")


def test_without_a_mailbox(tmp_path: Path) -> None:
    with pytest.raises(NotAllowed, match="no mailbox"), opened_parts(DataFolder(tmp_path), LOCAL, target_of(LOCAL, "")):
        pass


RAN = CallAudit(
    RunId("ask-1"), "c1", "send_email", Effect.SEND, "ab", Verdict.ASK, PolicyReason.SEND_ASKS, (), CallOutcome.RAN, NOON
)
CALL = ModelCall(RunId("ask-1"), "agent", "openai/x", 100, 20, 0.5, 10.0, "host", 900, "", NOON)


@pytest.fixture
def beside(tmp_path: Path) -> Iterator[Database]:
    with Room(tmp_path) as room:
        room.runs.model_call(CALL)
        db = Database.open_beside(tmp_path / "mail.db")
        yield db
        db.close()


def test_both_are_counted_also_after_a_restart(beside: Database, tmp_path: Path) -> None:
    for calls, month in ((2, 3), (3, 4)):
        with closing(Database.open(tmp_path / "service.db")) as own:
            ledger = ServiceLedger(beside, own, lambda: NOON)
            ledger.model_call(CALL)
            ledger.model_call(replace(CALL, error="Timeout"))
            if calls == 2:
                ledger.model_call(replace(CALL, at=NOON - timedelta(days=2)))
            assert ledger.usage_today() == (calls, calls * 120, calls * 0.5)
            assert ledger.usage_this_month() == (month, month * 120, month * 0.5)


def test_calls_of_tools_are_stored(beside: Database, tmp_path: Path) -> None:
    with closing(Database.open(tmp_path / "service.db")) as own:
        audit = ServiceAudit(beside, own, lambda: NOON)
        audit.note(RAN)
        assert audit.sends_since(RAN.at - timedelta(hours=1)) == 1
        records = [json.loads(one)["record"] for one in export_lines(own, RAN.at)]
    assert records == ["tool_audit"]


INTERNAL = "The service met a fault of its own; its log tells where."


@pytest.mark.expects_warnings
@pytest.mark.parametrize(
    ("error", "status", "code", "message"),
    [
        (CapReached("9 calls were made.", "Raise it."), 503, "cap_reached", "9 calls were made. Raise it."),
        (KeyError("words of a mail"), 500, "internal", INTERNAL),
    ],
)
def test_expected_errors_keep_their_words_and_others_give_none(error: Exception, status: int, code: str, message: str) -> None:
    with pytest.raises(RunFailed) as failed, run_errors():
        raise error
    assert (failed.value.status, failed.value.code, failed.value.detail) == (status, code, message)

"""Around runs: models and settings of agents, prices, checkpoints, pages of sync, the gate."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.runtime.dependencies import Deps
from app.config.settings import ModelSettings, Settings, load
from app.config.settings_file import change
from app.domain.agents.runs import ModelCall, Route
from app.domain.agents.tools import AgentProfile
from app.domain.drafting.review import ReviewStatus
from app.domain.errors import BadFile
from app.domain.ids import AccountId, MessageId, RunId
from app.domain.protocol.events import ReviewDecided
from app.domain.record import replace
from app.engine.accounts.connections import GoogleServices
from app.engine.runs.agent_dependencies import AgentBackends, profile_gateway
from app.engine.runs.agent_runtime import COST_UNKNOWN, LEAST_RUNS, expected_usd, put_aside_if_damaged
from app.engine.runs.page_observer import PageObserver
from app.engine.runs.runner import LONGEST_WAIT_S, DraftingGate
from app.engine.runtime.tables import open_tables
from app.store.mail.sync_page import SyncPage
from fakes.engine.agent_mailbox import NOON, Room, mail
from fakes.engine.engine_parts import Parts
from fakes.engine.store.values import ME, proposal, remote

MODEL = "gemini/gemini-2.5-pro"


def call(room: Room, run: str, usd: float, model: str = MODEL) -> None:
    room.runs.model_call(ModelCall(RunId(run), "generate", model, 100, 20, usd, 1.0, "gemini", 9, "", NOON))


def put_runs(room: Room, count: int, usd: float) -> None:
    """Runs of two calls each."""
    (message,) = room.put(mail("Price?"))
    for at in range(count):
        run = room.start(message, f"run-{at}")
        call(room, run.id, usd / 2)
        call(room, run.id, usd / 2)


def test_a_price_is_that_of_the_past_where_it_is_known(room: Room) -> None:
    model = ModelSettings(name=MODEL)
    assert expected_usd(10, ModelSettings(), room.runs) == expected_usd(0, model, room.runs) == 0
    put_runs(room, LEAST_RUNS, 0.02)
    call(room, "model-test", 9.0)
    assert expected_usd(10, model, room.runs) == pytest.approx(0.2)
    assert expected_usd(10, ModelSettings(name="another/model"), room.runs) == COST_UNKNOWN


def deps(settings: Settings, parts: Parts) -> Deps:
    """What the agents are told."""
    mind: Any = SimpleNamespace(vectors=None, embedder=None, triage=None, providers=None)
    memory: Any = SimpleNamespace(rules=lambda _namespace: (), note=None)
    nobody: Any = None
    profiles: Any = SimpleNamespace(add_profiles=lambda deps, *_: deps)
    return AgentBackends(parts.tables, nobody, nobody, memory, GoogleServices(), profiles).deps(mind, settings, {})


@pytest.mark.parametrize(
    ("name", "default", "other"),
    [("answer_route", Route.PIPELINE, Route.RESPONSE_AGENT), ("meeting_route", Route.RESPONSE_AGENT, Route.PIPELINE)],
)
async def test_the_setting_reaches_the_agents(parts: Parts, tmp_path: Path, name: str, default: Route, other: Route) -> None:
    path = tmp_path / "settings.toml"
    assert getattr(deps(load(path), parts), name) is default
    changed = change(path, [(f"drafting.{name}", f'"{other}"')])
    assert getattr(deps(changed, parts), name) is other
    with pytest.raises(BadFile):
        change(path, [(f"drafting.{name}", '"agent"')])
    assert load(path) == changed


@pytest.mark.expects_warnings
def test_only_a_damaged_file_moves(tmp_path: Path) -> None:
    path = tmp_path / "checkpoints.db"
    put_aside_if_damaged(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE checkpoints (a)")
    put_aside_if_damaged(path)
    assert [one.name for one in tmp_path.iterdir()] == ["checkpoints.db"]
    path.write_bytes(b"garbage" * 1000)
    path.with_name("checkpoints.db-wal").write_bytes(b"log")
    put_aside_if_damaged(path)
    left = {one.name for one in tmp_path.iterdir()}
    assert {"checkpoints.db.damaged", "checkpoints.db.damaged-wal"} <= left
    assert not left & {"checkpoints.db", "checkpoints.db-wal", "checkpoints.db-shm"}


async def watch(parts: Parts, page: SyncPage) -> tuple[int, list[MessageId]]:
    """Apply and watch a page: how often runs were woken, and what was forgotten."""
    woken: list[int] = []
    forgotten: list[MessageId] = []

    async def forget(account_id: AccountId, ids: Sequence[MessageId]) -> None:
        forgotten.extend(ids)

    watcher = PageObserver(parts.tables, parts.announcer, lambda: woken.append(1))
    watcher.forget = forget
    watcher(parts.account_id, page, parts.tables.messages.apply(parts.account_id, page))
    await watcher.close()
    return len(woken), forgotten


async def test_an_answer_from_elsewhere_closes_what_waits(parts: Parts) -> None:
    (mail,) = parts.mail(remote("a", "t"))
    review = parts.tables.reviews.open(proposal(thread=mail.thread_id, message=mail.id), "reply")
    answer = remote("mine", "t", sender=ME, labels=("SENT",), minutes=30)
    assert (await watch(parts, SyncPage(messages=(answer,))))[0] == 1
    assert parts.tables.reviews.review(review).status is ReviewStatus.SUPERSEDED
    assert [one.review_id for one in parts.events(ReviewDecided)] == [review]


PROFILE = AgentProfile("p", Path("p.txt"), "Do.", (), "gemini/gemini-2.5-pro", max_tokens=9, temperature=0.9)


@pytest.mark.parametrize(
    ("model", "name", "base", "keys", "target"),
    [
        ("gemini/gemini-2.5-pro", "openai/gpt", "", {"gemini": "k"}, ("", "k")),
        ("gemini/gemini-2.5-pro", "openai/gpt", "http://127.0.0.1:1", {"gemini": "k", "openai": "o"}, ("", "k")),
        ("openai/local", "openai/gpt", "http://127.0.0.1:1", {}, ("http://127.0.0.1:1", "")),
        ("ollama/qwen", "openai/gpt", "", {}, ("", "")),
        ("gemini/gemini-2.5-pro", "openai/gpt", "http://127.0.0.1:1", {"openai": "o"}, None),
        ("gemini/gemini-2.5-pro", "", "", {}, None),
    ],
)
def test_a_profile_has_its_own_model_with_its_own_key(
    tmp_path: Path, model: str, name: str, base: str, keys: dict[str, str], target: tuple[str, str] | None
) -> None:
    caps = {"daily_calls": 7, "daily_usd": 2.5, "monthly_calls": 70, "monthly_usd": 25.0}
    settings = Settings(model=ModelSettings(name=name, api_base=base, timeout_s=33, **caps))  # type: ignore[arg-type]
    with Room(tmp_path) as room:
        tables = open_tables(tmp_path / "mail.db", room.clock)
        made: Any = profile_gateway(replace(PROFILE, model=model), tables, settings, keys)
        tables.db.close()
    if target is None:
        assert made is None
        return
    asked = made._target
    assert (asked.api_base, asked.api_key) == target
    assert (asked.model, asked.max_tokens, asked.temperature, asked.timeout_s) == (model, 9, 0.9, 33.0)
    assert {name: getattr(asked, name) for name in caps} == caps


moments = st.lists(st.tuples(st.floats(0, 200), st.booleans(), st.booleans()), min_size=1, max_size=20)


@given(moments)
def test_it_opens_for_a_reason_and_never_closes(script: list[tuple[float, bool, bool]]) -> None:
    script = sorted(script)
    now = [0.0]
    mail, index = SimpleNamespace(recent_done=False), SimpleNamespace(caught_up=False)
    gate = DraftingGate(SimpleNamespace(now=Settings()), mail, index, lambda: now[0])
    was_open = False
    for at, recent, indexed in script:
        now[:] = [at]
        mail.recent_done, index.caught_up = recent, indexed
        is_open = gate.may_start()
        late = at - script[0][0] > LONGEST_WAIT_S
        assert is_open == (was_open or late or (recent and indexed))
        was_open = is_open

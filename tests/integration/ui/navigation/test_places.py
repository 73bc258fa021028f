"""However much is kept, a page reads what it shows: rows are counted here, never time."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing

import pytest

from app.domain.agents.routing import RoutingRule, RuleMatch
from app.domain.agents.runs import Route
from app.domain.mail.message import Address, Label
from app.store.accounts import Accounts
from app.store.db.database import Database
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from app.ui.navigation.places import MOST_LABELS, label_places
from fakes.engine.store.values import ME
from fakes.window.page_setup import Stage


@pytest.fixture
def db(lively_stage: Stage) -> Iterator[Database]:
    with closing(Database.open(lively_stage.data.database)) as made:
        Accounts(made).add(ME.email, ME.name, (ME.email,), "", "#000000")
        yield made


def counted(monkeypatch: pytest.MonkeyPatch, stage: Stage, name: str) -> list[int]:
    """How many rows each call of a reader's method was asked for, or one."""
    asked: list[int] = []
    really: Callable[..., Mapping[object, object] | object] = getattr(stage.reader, name)

    def call(ids: Iterable[int] | int) -> object:
        ids = list(ids) if isinstance(ids, Iterable) else ids
        asked.append(len(ids) if isinstance(ids, list) else 1)
        return really(ids)

    monkeypatch.setattr(stage.reader, name, call)
    return asked


def test_labels_of_many_accounts_are_asked_for_at_once(lively_stage: Stage, db: Database) -> None:
    for number in range(12):
        whose = Accounts(db).add(f"a{number}@example.org", "", (), "", "#000000")
        labels = tuple(Label(f"L{at}", f"Label {at:02}", "user") for at in range(50))
        Messages(db).apply(whose, SyncPage(labels=labels))
    queries: list[str] = []
    with lively_stage.reader.reading() as connection:
        assert connection is not None
        connection.set_trace_callback(queries.append)
        places = label_places(lively_stage.reader)
        connection.set_trace_callback(None)
    assert len(queries) == 2
    assert [one.title for one in places if one.icon == "label"] == [f"Label {at:02}" for at in range(MOST_LABELS)]


def rule(number: int) -> RoutingRule:
    return RoutingRule(f"rule {number}", RuleMatch(sender_email=Address(f"a{number}@x.org").email), Route.PIPELINE)

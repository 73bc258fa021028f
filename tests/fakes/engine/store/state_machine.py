"""Hypothesis' steps over a store file of their own."""

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis.stateful import RuleBasedStateMachine

from app.store.db.database import Database
from fakes.engine.store.empty import prepared
from fakes.engine.store.values import HandClock


class StoreMachine(RuleBasedStateMachine):
    """An empty store and a clock that is set by hand."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = TemporaryDirectory()
        self.clock = HandClock()
        self.db = Database.open(prepared(Path(self._folder.name) / "mail.db"))

    def teardown(self) -> None:
        self.db.close()
        self._folder.cleanup()

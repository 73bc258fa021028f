"""Systems without a machine-id, such as containers: a copy of the folder is known as one there too, and sends nothing twice."""

import asyncio
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest

from app.domain.drafting.draft import Draft
from app.domain.drafting.review import Action, Review
from app.domain.mail.outbox import HoldReason, OutboxItem, OutboxState
from app.domain.protocol.commands import Undo
from app.domain.protocol.events import EngineReady, ErrorReported
from fakes.engine.engine_process import ROOT, EngineProcess, engine_client, environment
from fakes.gmail.sandbox import running_sandbox
from fakes.gmail.sending import ANN, Stage

pytestmark = [pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always tell a number")]

SETTINGS = "[sync]\npoll_s = 1\nbudget_units = 100000\n[sending]\nundo_s = 120\n[drafting]\npaused = true\n"


class Container(Stage):
    """A stage in a container with a home of its own; it can go on elsewhere."""

    home: Path

    async def begin(self) -> None:
        """Start the engine over the folder in this home."""
        around = environment(self.sandbox.url, self.sandbox.token, ROOT / "tests")
        around["XDG_STATE_HOME"] = str(self.home / "state")
        client = await engine_client("fakes.engine.processes.engine_without_id", [str(self.data)], around, self.data)
        self.engine = EngineProcess(client, self.data)
        await self.engine.event(EngineReady)

    async def queued(self) -> tuple[Review, OutboxItem]:
        """A mail that waits to leave, by an engine that has ended."""
        draft = Draft((ANN,), (), (), "Something new", "A new mail.", "template")
        review = self.propose(await self.ask())
        await self.decide(review, Action.EDIT, draft)
        await self.engine.close()
        item = self.item(review.id)
        assert item.state == OutboxState.QUEUED
        return review, item

    async def doubted(self) -> None:
        """Wait for the word that the database is a copy."""
        await self.engine.event(ErrorReported, lambda one: one.code == "store_copied")


@pytest.fixture
async def container(tmp_path: Path) -> AsyncIterator[Container]:
    data = tmp_path / "one" / "data"
    data.mkdir(parents=True)
    (data / "settings.toml").write_text(SETTINGS)
    with running_sandbox() as sandbox:
        stage = Container(data, sandbox, None)  # type: ignore[arg-type]
        stage.home = tmp_path / "one"
        await stage.begin()
        try:
            yield stage
        finally:
            with suppress(ProcessLookupError):
                await asyncio.wait_for(stage.engine.close(), 60)


@pytest.mark.parametrize("whole", [False, True], ids=["folder", "home"])
async def test_a_folder_brought_to_another_container_sends_nothing_twice(
    container: Container, tmp_path: Path, whole: bool
) -> None:
    """It left from there; here it is found among the sent ones. The home may be copied with the folder."""
    review, item = await container.queued()
    container.sandbox.mail.send_from_phone(item.mime, "")
    if whole:
        shutil.copytree(tmp_path / "one", tmp_path / "two")
    else:
        shutil.copytree(tmp_path / "one" / "data", tmp_path / "two" / "data")
    container.data, container.home = tmp_path / "two" / "data", tmp_path / "two"
    await container.begin()
    await container.doubted()
    rested = await container.rested(review.id)
    assert (rested.state, container.copies(rested)) == (OutboxState.SENT, 1)


async def test_a_whole_folder_put_back_in_its_place_sends_nothing_that_was_taken_back(
    container: Container, tmp_path: Path
) -> None:
    """What stands beside the database is as old as it is."""
    review, item = await container.queued()
    shutil.copytree(container.data, tmp_path / "backup")
    await container.begin()
    await container.engine.do(Undo(review.id))
    await container.engine.close()
    shutil.rmtree(container.data)
    shutil.copytree(tmp_path / "backup", container.data)
    await container.begin()
    await container.doubted()
    held = await container.rested(review.id)
    assert (held.id, held.state, held.reason, container.copies(held)) == (item.id, OutboxState.HELD, HoldReason.FROM_COPY, 0)


async def test_without_what_was_kept_outside_nothing_leaves_by_itself(container: Container) -> None:
    review, item = await container.queued()
    container.sandbox.mail.send_from_phone(item.mime, "")
    shutil.rmtree(container.home / "state", ignore_errors=True)
    await container.begin()
    await container.doubted()
    rested = await container.rested(review.id)
    assert (rested.state, container.copies(rested)) == (OutboxState.SENT, 1)


async def test_a_folder_that_moves_on_its_machine_goes_on(container: Container, tmp_path: Path) -> None:
    review, item = await container.queued()
    container.data = container.data.rename(tmp_path / "elsewhere")
    await container.begin()
    assert not [one for one in container.engine.seen if isinstance(one, ErrorReported) and one.code == "store_copied"]
    after = container.item(review.id)
    assert (after.state, after.not_before) == (OutboxState.QUEUED, item.not_before)

"""kill -9 at random moments under a hasty user: approvals are sent once, nothing else is, no run hangs."""

from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from fakes.engine.torture import SETTINGS, Findings, Torture
from fakes.gmail.sending import staged
from fakes.models.model_process import scripted_child

MODEL = '[model]\nname = "openai/scripted"\napi_base = "{api_base}"\n'


async def played(folder: Path, seed: int, with_model: bool, play: Callable[[Torture], Awaitable[Findings]]) -> Findings:
    with ExitStack() as stack:
        settings = SETTINGS
        if with_model:
            settings += MODEL.format(api_base=stack.enter_context(scripted_child()).api_base)
        async with staged(folder / "data", settings) as stage:
            return await play(Torture(stage, seed))


def check(found: Findings) -> None:
    """Nothing missing, nothing twice, nothing left."""
    assert not found.troubles, found
    assert not found.hung, found
    assert not found.missing, found
    assert not found.doubled, found
    assert not found.unasked, found
    assert not found.left_jobs, found
    assert found.left_checkpoints == 0, found
    assert found.items["sent"] == found.reviews["approved"] > 0, found
    assert set(found.runs) <= {"done", "superseded"}, found


async def test_killed_a_few_times(tmp_path: Path) -> None:
    found = await played(tmp_path, 11, False, lambda torture: torture.play(mails=4, kills=2))
    check(found)
    assert (found.mails, found.kills) == (4, 2)


STRUCK = 60
"""Runs that are killed under way at least once each."""


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("seed", "with_model"), [(1, False), (2, True)])
async def test_sixty_runs_killed_at_least_once_each(tmp_path: Path, seed: int, with_model: bool) -> None:
    found = await played(tmp_path, seed, with_model, lambda torture: torture.play_until(STRUCK))
    print(f"{len(found.struck)} runs struck {sum(found.struck.values())} times by {found.kills} kills; {found}")
    check(found)
    assert len(found.struck) >= STRUCK
    assert found.refusals["Decide:stale_decision"] > 5

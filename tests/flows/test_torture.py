"""kill -9 at random moments under a hasty user: approvals are sent once, nothing else is, no run hangs."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from fakes.scripted_child import scripted_child
from fakes.send_stage import staged
from fakes.torture import SETTINGS, Findings, Torture

pytestmark = pytest.mark.anyio

MODEL = '[model]\nname = "openai/scripted"\napi_base = "{api_base}"\n'


async def played(folder: Path, mails: int, kills: int, seed: int, with_model: bool = False) -> Findings:
    with ExitStack() as stack:
        settings = SETTINGS
        if with_model:
            settings += MODEL.format(api_base=stack.enter_context(scripted_child()).api_base)
        async with staged(folder / "data", settings) as stage:
            return await Torture(stage, seed).play(mails, kills)


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
    found = await played(tmp_path, mails=8, kills=2, seed=11)
    check(found)
    assert (found.mails, found.kills) == (8, 2)


@pytest.mark.soak
@pytest.mark.timeout(3000)
@pytest.mark.parametrize(("mails", "kills", "seed", "with_model"), [(40, 10, 1, False), (24, 6, 2, True)])
async def test_killed_many_times(tmp_path: Path, mails: int, kills: int, seed: int, with_model: bool) -> None:
    found = await played(tmp_path, mails, kills, seed, with_model)
    print(found)
    check(found)
    assert found.refusals["Decide:stale_decision"] > 5

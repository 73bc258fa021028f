"""Runs the Gmail agent in child processes, kills each with SIGKILL before one of its checkpoints, then lets a new one continue.

Run as `python gmail_agent.py FOLDER MODEL_ADDRESS`. Prints one JSON line per point: the result of the new process, and how often
a model was asked in total.
"""

import asyncio
import json
import os
import shutil
import signal
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata

from app.agent.agents.gmail.graph import LocalGmailAgent
from app.agent.agents.gmail.interface import GmailProposed
from app.agent.llm.litellm_setup import close_litellm
from app.agent.runtime.checkpoints import CheckpointSaver, open_checkpoints
from fakes.engine.agent_mailbox import Room
from fakes.engine.store.rows import audited_calls
from fakes.models.gmail_agent import CHECKPOINTS, stage, task
from fakes.models.killed.mail_graph import in_child
from fakes.models.killed.response_agent import warm
from fakes.models.model_server import ModelServer

NEVER = 0
WAITING = -1
INTERRUPT = "__interrupt__"


class DyingSaver(CheckpointSaver):
    """Dies before its n-th checkpoint, or (`WAITING`) once an interrupt is written."""

    at = NEVER
    seen = 0

    async def aput(
        self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata, new_versions: ChannelVersions
    ) -> RunnableConfig:
        """Stores the checkpoint or dies."""
        DyingSaver.seen += 1
        if DyingSaver.seen == DyingSaver.at:
            os.kill(os.getpid(), signal.SIGKILL)
        return await super().aput(config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Stores the writes; dies after an interrupt of the whole graph."""
        await super().aput_writes(config, writes, task_id, task_path)
        outer = not config["configurable"].get("checkpoint_ns")
        if DyingSaver.at == WAITING and outer and any(channel == INTERRUPT for channel, _ in writes):
            os.kill(os.getpid(), signal.SIGKILL)


class Address:
    """The model's address, for a gateway."""

    def __init__(self, api_base: str) -> None:
        self.api_base = api_base


def work(folder: Path, api_base: str, at: int = NEVER, report: str = "") -> None:
    """Runs the task in this process and dies where requested, otherwise reports the result."""
    DyingSaver.at, DyingSaver.seen = at, 0

    async def done() -> None:
        with Room(folder) as room:
            model: ModelServer | Any = Address(api_base)
            async with stage(room, model) as at_work:
                saver = await open_checkpoints(folder / CHECKPOINTS)
                saver.__class__ = DyingSaver
                agent = LocalGmailAgent(saver, at_work.deps)
                found = await agent.work(task())
                assert isinstance(found, GmailProposed)
                await agent.close()
                told = {
                    "point": report,
                    "subject": found.mail.subject,
                    "audit": [(one.tool, one.outcome.value) for one in audited_calls(at_work.book, task().run_id)],
                    "asked": room.db.read("SELECT count(*) FROM llm_calls")[0][0],
                    "checkpoints": DyingSaver.seen,
                }
            await close_litellm()
        (folder / "told.json").write_text(json.dumps(told))

    asyncio.run(done())


def main(folder: Path, api_base: str) -> None:
    """Runs once to count the checkpoints, then kills once at each, and once after the proposal."""
    warm(folder / "warm", api_base)
    whole = copy(folder, "whole")
    in_child(lambda: work(whole, api_base))
    count = json.loads((whole / "told.json").read_text())["checkpoints"]
    for at in (*range(1, count + 1), WAITING):
        place = copy(folder, f"at{at}")
        killed = in_child(partial(work, place, api_base, at))
        in_child(partial(work, place, api_base, NEVER, str(at)))
        print(json.dumps({**json.loads((place / "told.json").read_text()), "killed": killed}), flush=True)


def copy(folder: Path, name: str) -> Path:
    """Copies the store from before the task."""
    place = folder / name
    place.mkdir()
    shutil.copy(folder / "mail.db", place / "mail.db")
    return place


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])

"""The first run by keys alone: an empty folder, the real engine, the sample mailbox's server; from the first screen to Review."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from app.config.paths import DataFolder, resource
from app.demo.local_server import LocalServer, source_arguments
from fakes.driven_window import DrivenWindow

PATIENCE_S = 180


@contextmanager
def window(data: DataFolder, environment: dict[str, str]) -> Iterator[DrivenWindow]:
    """A window that is killed at the end."""
    made = DrivenWindow(data.root, "real", {**os.environ, **environment})
    try:
        yield made
    finally:
        made.kill()


def until(one: DrivenWindow, holds: Callable[[dict[str, Any]], bool], what: str) -> dict[str, Any]:
    """Look until something holds."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        seen: dict[str, Any] = one.ask("welcome")
        if holds(seen):
            return seen
        assert time.monotonic() < deadline, f"{what} never happened: {seen}"
        time.sleep(0.05)


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_from_nothing_to_review_without_a_model(data: DataFolder) -> None:
    server = LocalServer(source_arguments(resource("sample"), None, ""))
    try:
        with window(data, dict(server.environment())) as one:
            seen = until(one, lambda seen: seen["stage"] == "model", "the question for a model")
            assert seen["at"].startswith("Go on without one")
            one.ask("press", "Return")
            seen = until(one, lambda seen: seen["stage"] == "preview" and "would be looked at" in seen["mails"], "the counts")
            assert any(char.isdigit() for char in seen["mails"])
            assert "draft" in seen["drafts"]
            one.ask("tab_to", "Start")
            one.ask("press", "Return")
            until(one, lambda seen: seen["page"] == "review" and seen["reviews"] > 3, "the queue")
            assert one.ask("press", "J") == "Waiting for you"
    finally:
        server.close()

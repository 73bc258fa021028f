"""The first run by keys alone: an empty folder, the real engine, the sample mailbox's server; from the first screen to Review."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from app.config.paths import DataFolder, resource
from app.demo.local_server import LocalServer, source_arguments
from fakes.window.driven_window import PATIENCE_S, DrivenWindow, driven

WRONG: dict[str, tuple[str, str]] = {
    "no file": ("", "File not found"),
    "no JSON": ("{", "isn't valid JSON"),
    "a list": ("[]", "The JSON isn't an object"),
    "a web client": (json.dumps({"web": {"client_id": "x", "client_secret": "y"}}), "Web application"),
    "a service account": (json.dumps({"type": "service_account", "private_key": "x"}), "service account"),
    "another program's sign-in": (json.dumps({"type": "authorized_user", "refresh_token": "x"}), "another app's sign-in"),
    "something else": ("{}", "a desktop OAuth client file"),
    "without an id": (json.dumps({"installed": {"client_secret": "y"}}), "The client has no"),
}
"""What is in the file, and what is said of it; each differs from the one before."""


def tried(one: DrivenWindow, file: Path, says: str) -> dict[str, Any]:
    """Sign in with a file until these words are said of it; an engine that is still starting says so, and is asked again."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        one.ask("tab_to", "Client file")
        one.ask("replace", str(file))
        one.ask("press", "Return")
        seen = one.until("welcome", lambda seen: seen["stage"] == "connect" and seen["trouble"] != "", "an answer")
        if "still starting" not in seen["trouble"]:
            return one.until("welcome", lambda seen: seen["stage"] == "connect" and says in seen["trouble"], says)
    raise AssertionError("the engine never came up")


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_from_nothing_to_review_without_a_model(data: DataFolder) -> None:
    server = LocalServer(source_arguments(resource("sample"), None, ""))
    try:
        with driven(data.root, "real", dict(server.environment())) as one:
            seen = one.until("welcome", lambda seen: seen["stage"] == "model", "the question for a model")
            assert seen["at"].startswith("Continue without AI")
            one.ask("press", "Return")
            seen = one.until("welcome", lambda seen: seen["stage"] == "preview" and "to check" in seen["mails"], "the counts")
            assert any(char.isdigit() for char in seen["mails"])
            assert "draft" in seen["drafts"]
            one.ask("tab_to", "Start")
            one.ask("press", "Return")
            one.until("welcome", lambda seen: seen["page"] == "review" and seen["reviews"] > 3, "the queue")
            assert one.ask("press", "J") == "Waiting for you"
    finally:
        server.close()


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_the_guide_by_keys_and_each_wrong_file(data: DataFolder, tmp_path: Path) -> None:
    with driven(data.root, "real", {}) as one:
        one.ask("tab_to", "Connect Gmail")
        one.ask("press", "Return")
        assert one.until("welcome", lambda seen: seen["stage"] == "connect", "the guide")["at"] == "Create a project"
        for number, (what, (text, says)) in enumerate(WRONG.items()):
            file = tmp_path / f"client{number}.json"
            if text:
                file.write_text(text)
            assert tried(one, file, says)["visible"], what
        one.ask("press", "Escape")
        assert one.until("welcome", lambda seen: seen["stage"] == "choose", "the way back")["visible"]

"""What a reader cannot see reaches no model: every way to hide words, parsed by the real parser, run through the real graph."""

import base64
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.agent.llm.gateway import LiteLlmGateway
from app.agent.llm.litellm_setup import close_litellm
from app.agent.llm.target import ModelTarget
from app.mail.parse import parse_message
from fakes.engine.agent_mailbox import FixedTriage, Room, verdict
from fakes.engine.runs import open_graph
from fakes.gmail.hidden_text import HIDDEN
from fakes.models.model_server import ModelServer, structured

INVISIBLE = ("vis\u200bible", "".join(chr(0xE0000 + ord(one)) for one in "canary"), "".join(f"{one}\u2063" for one in "tag"))


@pytest.fixture
async def model(anyio_backend: str) -> AsyncIterator[ModelServer]:
    with ModelServer() as server:
        yield server
        await close_litellm()


def gmail_message(html: str) -> dict[str, object]:
    """A message as Gmail's API gives it: a visible question, and what is hidden around it."""
    body = f"<html><body><p>What is the price of model seven?</p>{html}<p>Regards, Ann</p></body></html>"
    headers = {"From": "Ann Berg <ann@partner.org>", "To": "me@example.com", "Subject": "Price", "Message-ID": "<a@partner.org>"}
    data = base64.urlsafe_b64encode(body.encode()).decode()
    return {
        "id": "a1",
        "threadId": "t1",
        "labelIds": ["INBOX", "UNREAD"],
        "snippet": "What is the price",
        "historyId": "1",
        "internalDate": "1795000000000",
        "sizeEstimate": len(body),
        "payload": {
            "partId": "",
            "mimeType": "text/html",
            "filename": "",
            "headers": [{"name": name, "value": value} for name, value in headers.items()],
            "body": {"size": len(body), "data": data},
        },
    }


async def test_no_hidden_word_reaches_the_model(tmp_path: Path, model: ModelServer) -> None:
    with Room(tmp_path) as room:
        hidden = "".join(
            [*(one for one in HIDDEN if "<style" not in one), *(one for one in HIDDEN if "<style" in one), *INVISIBLE]
        )
        (message,) = room.put(parse_message(gmail_message(hidden)))
        model.enqueue(
            structured(decision="respond", category="inquiry", confidence=0.9, reason="Asks."),
            structured(language="English", questions=["price"], body="Hello Ann, the price is [[price]]. Mia"),
        )
        gateway = LiteLlmGateway(
            ModelTarget("openai/scripted", model.api_base, "key", timeout_s=20), room.runs, room.clock, backoff_s=(0.0, 0.0)
        )
        deps = room.deps(FixedTriage(verdict(maker="local:83")), gateway=gateway)
        async with open_graph(room.folder / "checkpoints.db", deps) as graph:
            await graph.run(room.start(message))
    prompts = model.prompts()
    assert len(prompts) >= 2
    assert all("price of model seven" in one for one in prompts)
    assert [one for one in prompts if "canary" in one.casefold()] == []
    letters = {character for one in prompts for character in one}
    assert not [one for one in letters if 0xE0000 <= ord(one) <= 0xE007F or one in "\u200b\u2063"]

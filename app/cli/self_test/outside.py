"""Checks of language models, Google's client, the keyring, certificates and agents.

Nothing leaves the machine: a scripted model answers on it, in the form of each provider.
"""

import asyncio
import json
import ssl
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import entry_points
from threading import Thread
from typing import Any, TypedDict

from app.cli.self_test.run import CheckContext, expect
from app.domain.agents.runs import ModelCall
from app.domain.errors import KeyringUnavailable, ModelUnavailable
from app.domain.ids import RunId

ASKED = (
    ("openai/scripted", "/v1"),
    ("anthropic/scripted", ""),
    ("gemini/scripted", "/v1beta/models/scripted"),
    ("mistral/scripted", "/v1"),
    ("ollama_chat/scripted", ""),
    ("lm_studio/scripted", "/v1"),
)
"""The providers that Settings suggests, each with the path of its requests below a server's root."""

PRICED = "openai/gpt-5-mini"
KEYRINGS = {"linux": "SecretService", "darwin": "macOS", "win32": "Windows"}


class _NoLedger:
    """Stores nothing: these calls belong to no mailbox."""

    def model_call(self, call: ModelCall) -> None: ...

    def usage_today(self) -> tuple[int, int, float]:
        return 0, 0, 0.0

    usage_this_month = usage_today


def language_models(_context: CheckContext) -> str:
    """Each provider's client calls the scripted server and reads the answer. The price list is there."""
    from app.agent.llm.gateway import LiteLlmGateway
    from app.agent.llm.litellm_setup import close_litellm, load_litellm, usd_per_mail
    from app.agent.llm.target import ModelTarget

    async def ask(root: str) -> None:
        for model, path in ASKED:
            target = ModelTarget(model, f"{root}{path}", "key", timeout_s=30.0)
            asked = [{"role": "user", "content": "?"}]
            try:
                answer = await LiteLlmGateway(target, _NoLedger(), lambda: datetime.now(UTC), ()).text(
                    RunId("self-test"), "test", asked
                )
            except ModelUnavailable:  # once more, for the library's own error
                await load_litellm().litellm.acompletion(model, asked, api_base=target.api_base, api_key="key")
                raise
            expect(answer == WORD, f"{model}: {answer}")
        await close_litellm()

    load_litellm()
    with scripted_model() as root:
        asyncio.run(ask(root))
    expect(usd_per_mail(ModelTarget(PRICED)), f"the price of {PRICED} is not known")
    return ", ".join(model.partition("/")[0] for model, _ in ASKED)


def google_client(_context: CheckContext) -> str:
    """Requests to the three services can be built, and the sign-in can be imported."""
    from app.mail.gmail import consent
    from app.mail.gmail.endpoint import Endpoint, requests_of

    mail = requests_of(Endpoint(), "gmail.v1").users().messages().list(userId="me")
    days = requests_of(Endpoint(), "calendar.v3").events().list(calendarId="primary")
    people = requests_of(Endpoint(), "people.v1").people().connections().list(resourceName="people/me", personFields="names")
    for request, end in ((mail, "/messages"), (days, "/events"), (people, "/connections")):
        expect(end in request.uri, f"{request.uri} is odd")
    expect(callable(consent.sign_in), "there is no sign-in")
    return "Gmail, Calendar, People"


def keyring(_context: CheckContext) -> str:
    """The system's keyring backend can be loaded. Returns the one that works here, if any."""
    from app.config.secrets import chosen_backend

    wanted = KEYRINGS.get(sys.platform, "")
    found = {one.name: one for one in entry_points(group="keyring.backends")}
    expect(wanted in found, f"{wanted} is not among {', '.join(sorted(found)) or 'none'}")
    found[wanted].load()
    if wanted == "SecretService":
        import secretstorage

        expect(secretstorage.__version_tuple__ >= (3,), "secretstorage is too old")
    try:
        return chosen_backend()
    except KeyringUnavailable:
        return f"{wanted} can be used; none answers here"


def certificates(_context: CheckContext) -> str:
    """Certificate authorities are known."""
    import certifi

    context = ssl.create_default_context(cafile=certifi.where())
    known = len(context.get_ca_certs())
    expect(known > 50, f"{known} authorities are known")
    return f"{ssl.OPENSSL_VERSION.split(' (')[0].strip()}, {known} authorities"


class _Said(TypedDict):
    words: str


def agents(context: CheckContext) -> str:
    """A graph runs and its state is in the checkpoint file. The mail graph and the MCP client can be imported."""
    from langchain_core.runnables import RunnableConfig
    from langgraph.graph import START, StateGraph

    from app.agent.graph import BODIES
    from app.agent.runtime.checkpoints import open_checkpoints
    from app.agent.tools.mcp_servers import connected

    async def run() -> dict[str, Any]:
        graph = StateGraph(_Said)
        graph.add_node("say", lambda state: {"words": f"{state['words']}!"})
        graph.add_edge(START, "say")
        here = RunnableConfig(configurable={"thread_id": "1"})
        saver = await open_checkpoints(context.folder / "checkpoints.db")
        try:
            compiled = graph.compile(checkpointer=saver)
            await compiled.ainvoke({"words": "hello"}, here)
            return dict((await compiled.aget_state(here)).values)
        finally:
            await saver.close()

    left = asyncio.run(run())
    expect(left == {"words": "hello!"}, f"the graph left {left}")
    expect(callable(connected), "there is no client of tool servers")
    return f"LangGraph with checkpoints, {len(BODIES)} nodes"


WORD = "ready"
_BY_PATH: tuple[tuple[str, dict[str, Any]], ...] = (
    (
        "/chat/completions",
        {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": "scripted",
            "choices": [{"index": 0, "message": {"role": "assistant", "content": WORD}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 9, "completion_tokens": 1, "total_tokens": 10},
        },
    ),
    (
        "/api/chat",
        {
            "model": "scripted",
            "message": {"role": "assistant", "content": WORD},
            "done": True,
            "prompt_eval_count": 9,
            "eval_count": 1,
        },
    ),
    (
        "/messages",
        {
            "id": "1",
            "type": "message",
            "role": "assistant",
            "model": "scripted",
            "content": [{"type": "text", "text": WORD}],
            "stop_reason": "end_turn",
            "usage": {"input_tokens": 9, "output_tokens": 1},
        },
    ),
    (
        ":generateContent",
        {
            "candidates": [{"content": {"role": "model", "parts": [{"text": WORD}]}, "finishReason": "STOP"}],
            "usageMetadata": {"promptTokenCount": 9, "candidatesTokenCount": 1, "totalTokenCount": 10},
        },
    ),
)
"""Answers in the form of each provider, by the end of the path."""


class _Handler(BaseHTTPRequestHandler):
    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Logs nothing."""

    def do_POST(self) -> None:
        """Answers in the form that belongs to the path."""
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path = self.path.partition("?")[0]
        answer = next((answer for end, answer in _BY_PATH if path.endswith(end)), None)
        body = json.dumps(answer or {"error": {"message": f"nothing at {path}"}}).encode()
        self.send_response(200 if answer else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def scripted_model() -> Iterator[str]:
    """The server's root address while it runs."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, name="scripted model")
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

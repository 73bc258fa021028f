"""The ASGI application: routes, and the guard in front of them that checks the Host header, the origin and the token."""

import hmac
import re
from collections.abc import Iterable
from importlib.metadata import version

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from app.agent.agents.gmail.interface import VERSION
from app.service.dependencies import ReadOnlyMailbox, tell_names
from app.service.requests import HANDLERS, ServiceError, json_response, refused
from app.service.runs import (
    BackgroundRuns,
    batch,
    cancel_run,
    create_run,
    invoke,
    join_run,
    not_here,
    read_background,
    stream,
    stream_run,
    wait_run,
)
from app.service.threads import (
    Threads,
    create_thread,
    delete_thread,
    draw_graph,
    read_assistant,
    read_history,
    read_schemas,
    read_state,
    read_thread,
    search_assistants,
    search_threads,
    state_at,
    write_state,
)

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "::1")
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9.\-_]+)(?::\d{1,5})?", re.IGNORECASE)


class RequestGuard:
    """Checks each request before `app` gets it. `names` are the allowed host names, without ports."""

    def __init__(self, app: ASGIApp, token: str, names: Iterable[str]) -> None:
        if not token:
            raise ValueError("a service without a token is open to everybody")
        self._app = app
        self._token = token.encode()
        self._names = frozenset(name.lower() for name in names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            error = self._error(Headers(scope=scope))
            await (self._app if error is None else refused(error))(scope, receive, send)

    def _error(self, headers: Headers) -> ServiceError | None:
        """What is wrong with a request, None for nothing. The token is in `Authorization: Bearer` or in `x-api-key`."""
        hosts = headers.getlist("host")
        host = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
        if host is None or host.group(1).strip("[]").lower() not in self._names:
            return ServiceError(403, "wrong_host", "This service is not called by that name; --allow-host adds one.")
        if "origin" in headers:
            return ServiceError(403, "browser", "Pages in a browser have no business here.")
        scheme, _, token = headers.get("authorization", "").partition(" ")
        given = token.strip() if scheme.lower() == "bearer" else headers.get("x-api-key", "")
        if not given:
            return ServiceError(401, "no_token", "Send the token: Authorization: Bearer TOKEN, or x-api-key.")
        if not hmac.compare_digest(given.encode("latin-1"), self._token):
            return ServiceError(401, "wrong_token", "The token is another one; serve-gmail --show-token tells it.")
        return None


async def tell_health(_request: Request) -> Response:
    return json_response({"ok": True})


async def tell_version(_request: Request) -> Response:
    """`GET /info`: versions of the graph and of LangGraph."""
    versions = {"version": str(VERSION), "langgraph_py_version": version("langgraph")}
    return json_response({**versions, "flags": {"assistants": True, "crons": False, "langsmith": False}})


ROUTES = (
    Route("/ok", tell_health, methods=["GET"]),
    Route("/info", tell_version, methods=["GET"]),
    Route("/threads", create_thread, methods=["POST"]),
    Route("/threads/search", search_threads, methods=["POST"]),
    Route("/threads/{thread_id}", read_thread, methods=["GET"]),
    Route("/threads/{thread_id}", delete_thread, methods=["DELETE"]),
    Route("/threads/{thread_id}/runs", create_run, methods=["POST"]),
    Route("/threads/{thread_id}/runs/stream", stream_run, methods=["POST"]),
    Route("/threads/{thread_id}/runs/wait", wait_run, methods=["POST"]),
    Route("/threads/{thread_id}/runs/{run_id}", read_background, methods=["GET"]),
    Route("/threads/{thread_id}/runs/{run_id}/join", join_run, methods=["GET"]),
    Route("/threads/{thread_id}/runs/{run_id}/cancel", cancel_run, methods=["POST"]),
    Route("/runs", create_run, methods=["POST"]),
    Route("/runs/stream", stream_run, methods=["POST"]),
    Route("/runs/wait", wait_run, methods=["POST"]),
    Route("/threads/{thread_id}/state", read_state, methods=["GET"]),
    Route("/threads/{thread_id}/state", write_state, methods=["POST"]),
    Route("/threads/{thread_id}/state/checkpoint", state_at, methods=["POST"]),
    Route("/threads/{thread_id}/history", read_history, methods=["POST"]),
    Route("/assistants/search", search_assistants, methods=["POST"]),
    Route("/assistants/{assistant_id}", read_assistant, methods=["GET"]),
    Route("/assistants/{assistant_id}/schemas", read_schemas, methods=["GET"]),
    Route("/assistants/{assistant_id}/graph", draw_graph, methods=["GET"]),
    Route("/graph/invoke", invoke, methods=["POST"]),
    Route("/graph/batch", batch, methods=["POST"]),
    Route("/graph/stream", stream, methods=["POST"]),
    Route("/graph/{what}", not_here, methods=["GET", "POST"]),
    Route("/names", tell_names, methods=["POST"]),
)


def build_app(threads: Threads, token: str, hosts: Iterable[str], names: ReadOnlyMailbox | None = None) -> ASGIApp:
    """The application for a graph. `hosts` are the allowed host names, `names` translates ids of the mailbox."""
    app = Starlette(routes=list(ROUTES), exception_handlers=HANDLERS)
    app.router.redirect_slashes = False
    app.state.threads = threads
    app.state.runs = BackgroundRuns(threads)
    app.state.names = names
    return RequestGuard(app, token, hosts)

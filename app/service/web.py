"""The service's paths, behind the guard."""

from collections.abc import Iterable

from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import ASGIApp

from app.service.guard import Guard
from app.service.invoke import invoke
from app.service.naming import NamesHere, tell_names
from app.service.refusals import HANDLERS
from app.service.runs import stream_run
from app.service.states import create_thread, delete_thread, draw_graph, read_history, read_state, state_at, write_state
from app.service.threads import Threads

ROUTES = (
    Route("/threads", create_thread, methods=["POST"]),
    Route("/threads/{thread_id}", delete_thread, methods=["DELETE"]),
    Route("/threads/{thread_id}/runs/stream", stream_run, methods=["POST"]),
    Route("/runs/stream", stream_run, methods=["POST"]),
    Route("/threads/{thread_id}/state", read_state, methods=["GET"]),
    Route("/threads/{thread_id}/state", write_state, methods=["POST"]),
    Route("/threads/{thread_id}/state/checkpoint", state_at, methods=["POST"]),
    Route("/threads/{thread_id}/history", read_history, methods=["POST"]),
    Route("/assistants/{assistant_id}/graph", draw_graph, methods=["GET"]),
    Route("/graph/invoke", invoke, methods=["POST"]),
    Route("/names", tell_names, methods=["POST"]),
)


def build_app(threads: Threads, token: str, hosts: Iterable[str], names: NamesHere | None = None) -> ASGIApp:
    """The whole service for a graph; `hosts` are the names by which it may be called, `names` those of its mailbox."""
    app = Starlette(routes=list(ROUTES), exception_handlers=HANDLERS)
    app.router.redirect_slashes = False
    app.state.threads = threads
    app.state.names = names
    return Guard(app, token, hosts)

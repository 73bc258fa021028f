"""The ASGI application: Google's APIs, batches, OAuth and the admin interface on one address."""

from collections.abc import Awaitable, Callable
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from app.sandbox.call import JSON_TYPE, ApiReply, ApiRequest, json_reply, query_of
from app.sandbox.google_api.json_values import encode
from app.sandbox.methods import calendar_people, mail, settings
from app.sandbox.server.admin import admin_reply
from app.sandbox.server.dispatch import Dispatcher
from app.sandbox.world.oauth import GrantError
from app.sandbox.world.world import SandboxState

Abort = Callable[[Scope], None]
VERBS = ["GET", "POST", "PUT", "PATCH", "DELETE"]


class BreakingResponse(Response):
    """An answer whose connection fails. `cut` fails before the first byte, `truncate` after half of the body."""

    def __init__(self, reply: ApiReply, abort: Abort) -> None:
        super().__init__(reply.body, reply.status, dict(reply.headers))
        self._failure = reply.broken
        self._abort = abort

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._failure == "cut":
            self._abort(scope)
            await receive()
            return
        content = bytes(self.body)
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": content[: len(content) // 2], "more_body": True})


def build_app(world: SandboxState, abort: Abort) -> Starlette:
    """Builds the application; `abort(scope)` drops the connection of a request."""
    dispatcher = Dispatcher(world, mail.HANDLERS | settings.HANDLERS | calendar_people.HANDLERS)

    def response(reply: ApiReply) -> Response:
        return BreakingResponse(reply, abort) if reply.broken else Response(reply.body, reply.status, dict(reply.headers))

    async def api(request: Request) -> Response:
        return response(await dispatcher.answer(await _call(request), request.is_disconnected))

    async def batch(request: Request) -> Response:
        return response(await dispatcher.answer_batch(await _call(request), request.is_disconnected))

    async def admin(request: Request) -> Response:
        return response(admin_reply(world, await _call(request)))

    async def token(request: Request) -> Response:
        """OAuth: exchanges codes and refresh tokens for access tokens."""
        call = await _call(request)
        form = {name: values[-1] for name, values in {**call.query, **query_of(call.body.decode("utf-8", "replace"))}.items()}

        async def produce() -> ApiReply:
            try:
                return json_reply(world.authority.exchange(form))
            except GrantError as error:
                return json_reply(error.body(), 400)

        return response(await dispatcher.run(call, "oauth.token", request.is_disconnected, produce))

    async def consent(request: Request) -> Response:
        return _consent(world, dict(request.query_params))

    return Starlette(
        routes=[
            Route("/token", token, methods=["POST"]),
            Route("/o/oauth2/auth", consent, methods=["GET"]),
            Route("/o/oauth2/v2/auth", consent, methods=["GET"]),
            *_routes("/sandbox", admin),
            *_routes("/batch", batch),
            *_routes("", api),
        ]
    )


def _consent(world: SandboxState, query: dict[str, str]) -> Response:
    """OAuth: the consent page, which grants (or denies) at once and redirects."""
    screen = world.authority.screen
    try:
        account = world.account(screen.chosen or query.get("login_hint", "")).address
        code, scopes = world.authority.consent(query, account)
    except GrantError as error:
        return Response(encode(error.body()), 400, {"content-type": JSON_TYPE})
    answer = {"error": "access_denied"} if screen.deny else {"code": code, "scope": " ".join(scopes)}
    if "state" in query:
        answer["state"] = query["state"]
    target = query["redirect_uri"]
    return Response(status_code=302, headers={"location": f"{target}{'&' if '?' in target else '?'}{urlencode(answer)}"})


def _routes(prefix: str, endpoint: Callable[[Request], Awaitable[Response]]) -> list[Route]:
    routes = [Route(prefix + "/{rest:path}", endpoint, methods=VERBS)]
    return [Route(prefix, endpoint, methods=VERBS), *routes] if prefix else routes


async def _call(request: Request) -> ApiRequest:
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in request.scope["headers"]}
    path = request.scope["raw_path"].decode("ascii", "replace")
    query = query_of(request.scope["query_string"].decode("ascii", "replace"))
    return ApiRequest(request.method, path, query, headers, await request.body())

"""The ASGI application: Google's APIs, batches, OAuth and the admin interface on one address."""

from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from app.sandbox.call import ApiReply, ApiRequest, Handler, json_reply, query_of
from app.sandbox.google_api.schema import Method, MethodRouter
from app.sandbox.methods.calendar_people import calendar_handlers, people_handlers
from app.sandbox.methods.drafts import draft_handlers
from app.sandbox.methods.labels import label_handlers
from app.sandbox.methods.messages import message_handlers
from app.sandbox.methods.threads import thread_handlers
from app.sandbox.server.admin import admin_actions, admin_reply
from app.sandbox.server.dispatch import Dispatcher, FaultGate
from app.sandbox.world.oauth import GrantError
from app.sandbox.world.world import SandboxState


def all_handlers() -> Mapping[str, Handler]:
    groups: dict[str, Mapping[str, Handler]] = {
        "gmail.users.messages.": message_handlers(),
        "gmail.users.drafts.": draft_handlers(),
        "gmail.users.": {**thread_handlers(), **label_handlers()},
        "calendar.": calendar_handlers(),
        "people.": people_handlers(),
    }
    return {prefix + name: handler for prefix, group in groups.items() for name, handler in group.items()}


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


class SandboxApp:
    def __init__(self, world: SandboxState, abort: Abort) -> None:
        self._world = world
        handlers = all_handlers()
        self._dispatcher = Dispatcher(world, MethodRouter(map(Method.named, handlers)), handlers)
        self._gate = FaultGate(world)
        self._admin = admin_actions()
        self._abort = abort

    async def api(self, request: Request) -> Response:
        return self._response(await self._dispatcher.answer(await _call(request), request.is_disconnected))

    async def batch(self, request: Request) -> Response:
        return self._response(await self._dispatcher.answer_batch(await _call(request), request.is_disconnected))

    async def admin(self, request: Request) -> Response:
        return self._response(admin_reply(self._world, self._admin, await _call(request)))

    async def token(self, request: Request) -> Response:
        """OAuth: exchanges codes and refresh tokens for access tokens."""
        call = await _call(request)
        form = {name: values[-1] for name, values in {**call.query, **query_of(call.body.decode("utf-8", "replace"))}.items()}

        async def produce() -> ApiReply:
            try:
                return json_reply(self._world.authority.exchange(form))
            except GrantError as error:
                return json_reply(error.body(), 400)

        return self._response(await self._gate.run(call, "oauth.token", request.is_disconnected, produce))

    async def consent(self, request: Request) -> Response:
        """OAuth: the consent page, which grants (or denies) at once and redirects."""
        query = dict(request.query_params)
        authority = self._world.authority
        answer = {"state": query["state"]} if "state" in query else {}
        try:
            account = self._world.account(authority.screen.chosen or query.get("login_hint", "")).address
            code = authority.consent(query, account)
        except GrantError as error:
            return self._response(json_reply(error.body(), 400))
        if authority.screen.deny:
            answer["error"] = "access_denied"
        else:
            granted = authority.screen.granted
            scopes = [scope for scope in query["scope"].split() if granted is None or scope in granted]
            answer.update(code=code, scope=" ".join(scopes))
        target = query["redirect_uri"]
        joint = "&" if "?" in target else "?"
        return Response(status_code=302, headers={"location": f"{target}{joint}{urlencode(answer)}"})

    def _response(self, reply: ApiReply) -> Response:
        if reply.broken:
            return BreakingResponse(reply, self._abort)
        return Response(reply.body, reply.status, dict(reply.headers))


def build_app(world: SandboxState, abort: Abort) -> Starlette:
    """Builds the application; `abort(scope)` drops the connection of a request."""
    front = SandboxApp(world, abort)
    return Starlette(
        routes=[
            Route("/token", front.token, methods=["POST"]),
            Route("/o/oauth2/auth", front.consent, methods=["GET"]),
            Route("/o/oauth2/v2/auth", front.consent, methods=["GET"]),
            *_routes("/sandbox", front.admin),
            *_routes("/batch", front.batch),
            *_routes("", front.api),
        ]
    )


def _routes(prefix: str, endpoint: Callable[[Request], Awaitable[Response]]) -> list[Route]:
    routes = [Route(prefix + "/{rest:path}", endpoint, methods=VERBS)]
    return [Route(prefix, endpoint, methods=VERBS), *routes] if prefix else routes


async def _call(request: Request) -> ApiRequest:
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in request.scope["headers"]}
    path = request.scope["raw_path"].decode("ascii", "replace")
    query = query_of(request.scope["query_string"].decode("ascii", "replace"))
    return ApiRequest(request.method, path, query, headers, await request.body())

"""What the service refuses, as JSON that both people and langgraph-sdk can read."""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ExceptionHandler

from app.agent.trouble import UnusableAnswer
from app.domain.errors import ExpectedError


class Refusal(Exception):
    """`status` is HTTP's, `code` a word for programs, `detail` a sentence without anything from mail."""

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.detail = detail


def refused(refusal: Refusal) -> Response:
    """The answer to a request that is refused."""
    headers = {"WWW-Authenticate": "Bearer"} if refusal.status == 401 else {}
    return JSONResponse({"code": refusal.code, "detail": refusal.detail}, refusal.status, headers)


def failure(error: BaseException) -> dict[str, str]:
    """What a client is told of a run that failed: expected trouble in its words, of anything else nothing but that."""
    if isinstance(error, UnusableAnswer):  # its code is that of an unreachable model, which passes
        return {"error": "unusable_answer", "message": str(error)}
    if isinstance(error, ExpectedError):
        return {"error": error.code, "message": str(error)}
    return {"error": "internal", "message": "The service met a fault of its own; its log tells where."}


async def _on_refusal(_request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return refused(error)


async def _on_http(_request: Request, error: Exception) -> Response:
    """What the router says: no such path, no such method."""
    assert isinstance(error, HTTPException)
    code = "not_found" if error.status_code == 404 else "not_allowed"
    return refused(Refusal(error.status_code, code, f"{error.detail}."))


HANDLERS: dict[int | type[Exception], ExceptionHandler] = {Refusal: _on_refusal, HTTPException: _on_http}

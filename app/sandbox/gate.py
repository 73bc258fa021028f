"""Where faults strike: around one request, before or after it is carried out. It also writes the journal."""

import asyncio
from collections.abc import Awaitable, Callable

from app.sandbox.call import Call, Reply, json_reply
from app.sandbox.errors import ApiError
from app.sandbox.faults import FaultRule
from app.sandbox.world import World

BAD_GATEWAY = b"<!DOCTYPE html><html lang=en><title>Error 502 (Server Error)!!1</title></html>"
UNANSWERED = 408
Gone = Callable[[], Awaitable[bool]]
Produce = Callable[[], Awaitable[Reply]]


class FaultGate:
    """Runs requests under the fault rules."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def run(self, call: Call, method_id: str, gone: Gone, produce: Produce) -> Reply:
        """The answer `produce` gives, or what the first firing rule makes of it."""
        fault = self._world.faults.pick(method_id, call.inner, call.names)
        reply = await self._before(fault, gone)
        if reply is None:
            reply = await produce()
            if fault is not None and fault.kind == "double":
                reply = await produce()
            reply = await self._after(fault, reply)
        self.note(call, method_id, reply, fault.kind if fault else "")
        return reply

    def note(self, call: Call, method_id: str, reply: Reply, fault: str) -> None:
        """Write a request into the journal."""
        self._world.journal.note(self._world.clock.now_s(), call, method_id, reply.status, reply.units, fault)

    async def _before(self, fault: FaultRule | None, gone: Gone) -> Reply | None:
        if fault is None or fault.when != "before":
            return None
        if fault.kind == "slow":
            await asyncio.sleep(fault.seconds)
            return Reply(UNANSWERED) if await gone() else None
        if fault.kind == "cut":
            return Reply(UNANSWERED).breaking("cut")
        return _fault_reply(fault)

    async def _after(self, fault: FaultRule | None, reply: Reply) -> Reply:
        if fault is None or fault.when != "after" or fault.kind == "double":
            return reply
        if fault.kind == "slow":
            await asyncio.sleep(fault.seconds)
            return reply
        if fault.kind in {"cut", "truncate"}:
            return reply.breaking(fault.kind)
        return _fault_reply(fault)


def error_reply(error: ApiError, *, calendar: bool = False) -> Reply:
    """A refusal as Google answers it; Calendar leaves the status name out."""
    wait = {"retry-after": str(error.retry_after_s)} if error.retry_after_s is not None else {}
    return json_reply(error.body(with_status=not calendar), error.code, wait)


def _fault_reply(fault: FaultRule) -> Reply:
    error = fault.error()
    assert error is not None, fault.kind
    if error.code == 502:
        return Reply(502, BAD_GATEWAY, {"content-type": "text/html; charset=UTF-8"})
    return error_reply(error)

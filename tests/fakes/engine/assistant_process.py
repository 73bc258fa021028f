"""Setup for typed requests: local Gmail server, real engine process and a scripted model."""

import json
import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any
from uuid import uuid4

from app.config.paths import DataFolder
from app.domain.agents.requests import Request, RequestStatus, RequestStep
from app.domain.drafting.review import Action, Review
from app.domain.ids import RequestId
from app.domain.mail.files import ArtifactHandle, DocumentText
from app.domain.protocol.assistant_commands import AskAssistant, RunPlan
from app.domain.protocol.commands import Decide
from app.domain.protocol.events import SyncPhase, SyncProgress
from app.mail.file_process import DocumentReader
from app.store.requests.artifacts import ArtifactFolder
from fakes.engine.engine_process import THINKING, EngineProcess, start_engine
from fakes.gmail.sandbox import Sandbox, running_sandbox
from fakes.models.model_server import Answer, ModelServer, calls, structured

ORDER = (
    b"From: Ana Novak <ana@partner.org>\r\nTo: me@example.com\r\nSubject: Order 4411\r\nMessage-ID: <o1@partner.org>\r\n\r\n"
    b"The order 4411 ships on Friday, 27 November.\r\n"
)
TEXT = "Find out when order 4411 ships, write a report and send it to ana@partner.org"
PLAN = (
    ("research", "Find out when order 4411 ships."),
    ("create_document", "Write a short report on it."),
    ("gmail", "Send the report to ana@partner.org."),
)
HANDLE = re.compile(r"^- ([0-9a-f]{64}): ", re.MULTILINE)


@dataclass
class AssistantModel(ModelServer):
    """Answers by response format and tools of the call, after `slow` seconds for its kind. `script` takes precedence."""

    slow: dict[str, float] = field(default_factory=dict)
    plan: tuple[tuple[str, str], ...] = PLAN
    document: str = "md"

    def kinds(self) -> list[str]:
        """The kinds of calls in order."""
        return [kind_of(one) for one in self.history]

    def next_answer(self, request: Mapping[str, Any]) -> Answer:
        """The next answer of the script, or a fitting one."""
        kind = kind_of(request)
        if self.script:
            return self.script.popleft()
        answer = self._fitting(kind, request)
        return Answer(answer.text, answer.tool_calls, wait_s=self.slow.get(kind, 0.0))

    def _fitting(self, kind: str, request: Mapping[str, Any]) -> Answer:
        said = "\n".join(str(one.get("content")) for one in request["messages"])
        match kind:
            case "plan":
                return structured(steps=[{"capability": one, "instruction": words} for one, words in self.plan])
            case "research":
                return _looked_up(request)
            case "document":
                return structured(name="report", kind=self.document, content="# Order 4411\n\nIt ships on Friday, 27 November.")
            case "intent":
                return structured(intent="send_email")
            case "gmail":
                body = "Hello Ana,\n\nshorter." if "shorter" in said else "Hello Ana,\n\nthe report is attached."
                files = list(dict.fromkeys(HANDLE.findall(said)))
                return calls(
                    ("gmail_send", {"to": "ana@partner.org", "subject": "Order 4411", "body": body, "attachments": files})
                )
        raise AssertionError(f"nobody expected {request}")


def kind_of(request: Mapping[str, Any]) -> str:
    """The purpose of a model call."""
    tools = {one["function"]["name"] for one in request.get("tools", ())}
    if tools:
        return "gmail" if "gmail_send" in tools else "research"
    form = json.dumps(request.get("response_format", {}))
    return next(kind for kind, word in (("plan", '"steps"'), ("intent", '"intent"'), ("document", '"kind"')) if word in form)


def _looked_up(request: Mapping[str, Any]) -> Answer:
    """A search first, then an answer that cites the result."""
    results = [one for one in request["messages"] if one["role"] == "tool"]
    if not results:
        return calls(("mail_search", {"query": "order 4411"}))
    mails = [int(one) for one in re.findall(r'"id": ?(\d+)', str(results[-1]["content"]))]
    return calls(("answer", {"text": "Order 4411 ships on Friday, 27 November.", "mails": mails[:1]}))


@dataclass
class AssistantStage:
    """The running parts. `engine` changes when it is killed and restarted."""

    data: Path
    sandbox: Sandbox
    model: AssistantModel
    engine: EngineProcess

    async def ask(self, text: str = TEXT) -> RequestId:
        """Sends a request as the owner."""
        request_id = RequestId(str(uuid4()))
        await self.engine.do(AskAssistant(request_id, self.engine.reader.accounts()[0].id, text))
        return request_id

    async def run(self, text: str = TEXT) -> RequestId:
        """Sends a request and starts its plan as soon as it is proposed."""
        request_id = await self.ask(text)
        await self.stands(request_id, RequestStatus.PROPOSED)
        await self.engine.do(RunPlan(request_id))
        return request_id

    async def stands(self, request_id: RequestId, status: RequestStatus) -> Request:
        """Waits until a request has this status."""
        return await self.until(request_id, lambda one: one.status is status)

    async def until(self, request_id: RequestId, wanted: Callable[[Request], bool]) -> Request:
        """Waits until `wanted` is true for a request."""

        def look() -> Request | None:
            request = self.engine.reader.request(request_id)
            return request if request is not None and wanted(request) else None

        return await self.engine.until(look)

    def request(self, request_id: RequestId) -> Request:
        """A request as the window reads it."""
        request = self.engine.reader.request(request_id)
        assert request is not None
        return request

    def review(self, step: RequestStep) -> Review:
        review = self.engine.reader.review(step.review_id)
        assert review is not None
        return review

    async def decide(self, request_id: RequestId, action: Action = Action.ACCEPT, text: str = "") -> None:
        """Decides on the mail of the last step."""
        review = self.review(self.request(request_id).steps[-1])
        await self.engine.do(Decide(review.id, review.revision, action, None, text))

    def sent(self) -> list[bytes]:
        """The raw messages that were sent."""
        return [self.sandbox.mail.raw(one["id"]) for one in self.sandbox.sent()]

    def artifact(self, file: ArtifactHandle) -> bytes:
        """The bytes of a document."""
        return ArtifactFolder(DataFolder(self.data).artifacts).read(file.id)[1]

    async def text(self, file: ArtifactHandle) -> DocumentText:
        return await DocumentReader(ArtifactFolder(DataFolder(self.data).artifacts).locate).read(file.id)

    async def restart(self) -> None:
        """Kills the engine with SIGKILL and starts it again over the same folder."""
        await self.engine.kill()
        self.engine = await start_engine(self.data, self.sandbox.url, self.sandbox.token)


def attached(stage: AssistantStage) -> tuple[str, bytes]:
    """Name and bytes of the one file of the one mail that was sent, as the server has them."""
    (raw,) = stage.sent()
    (part,) = message_from_bytes(raw, policy=policy.default).iter_attachments()
    return str(part.get_filename()), part.get_payload(decode=True)


@asynccontextmanager
async def assistant_stage(data: Path, *, with_model: bool = True, settings: str = THINKING) -> AsyncIterator[AssistantStage]:
    """A setup with one mail about an order. The engine running at the end is closed."""
    with running_sandbox() as sandbox, AssistantModel() as model:
        sandbox.deliver(ORDER)
        chosen = f'[model]\nname = "openai/scripted"\napi_base = "{model.api_base}"\ntimeout_s = 20\n' if with_model else ""
        engine = await start_engine(data, sandbox.url, sandbox.token, settings + chosen)
        stage = AssistantStage(data, sandbox, model, engine)
        await engine.event(SyncProgress, lambda one: one.phase is SyncPhase.CURRENT)
        try:
            yield stage
        finally:
            await stage.engine.close()

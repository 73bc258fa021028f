"""The sample mailbox in a real store, with the real embedder and local triage, for runs with scripted model servers."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from app.agent.llm.gateway import LiteLlmGateway
from app.agent.llm.target import ModelTarget
from app.agent.retrieval import MiniLm
from app.agent.triage.classifier import LocalTriage, text_of
from app.config.paths import resource
from app.domain.ids import GmailId, GmailThreadId, HistoryId, MessageId
from app.domain.mail.message import Message, RemoteMessage, SystemLabel
from app.store.search.vectors import VectorKind
from fakes.engine.agent_mailbox import ScriptedCalendar
from fakes.engine.runs import RunWorld
from fakes.providers.behaviours import Mails
from fakes.providers.sample_box import SampleBox, read_sample
from fakes.providers.server import ProviderServer

KEY_CHARACTERS = 60
RULE = "rule:"


class RememberingEmbedder:
    """The real embedder; each text is embedded once for all rows."""

    def __init__(self, embedder: MiniLm) -> None:
        self._embedder = embedder
        self._known: dict[str, list[float]] = {}
        self.model_id, self.dimension = embedder.model_id, embedder.dimension

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        for text in texts:
            if text not in self._known:
                self._known[text] = self._embedder.embed([text])[0]
        return [self._known[text] for text in texts]


@dataclass
class SampleModels:
    """What all rows share: the mail, the embedder, local triage, and what a good model says."""

    box: SampleBox
    embedder: RememberingEmbedder
    triage: LocalTriage
    new: tuple[Message, ...]
    mails: Mails
    for_model: int

    @classmethod
    def load(cls, now: datetime) -> "SampleModels":
        """Reads the sample and judges its new mail."""
        box = read_sample(resource("sample"), now)
        embedder = RememberingEmbedder(MiniLm.open())
        triage = LocalTriage()
        wanted = {SystemLabel.UNREAD, SystemLabel.INBOX}
        new = tuple(one for one in box.mails.values() if wanted <= one.labels and not one.outgoing)
        mails, for_model = Mails(), 0
        for one in new:
            said = triage.judge(one, box.thread(one), box.account, embedder.embed([text_of(one)])[0], box.contact(one))
            mails.verdicts[_key(one)] = (said.decision.value, said.category.value)
            for_model += not said.maker.startswith(RULE)
        return cls(box, embedder, triage, new, mails, for_model)


def _key(message: Message) -> str:
    """A piece of the mail's text that a prompt holds."""
    lines = [line.strip() for line in message.body_text.splitlines()]
    return max(lines, key=len, default="")[:KEY_CHARACTERS]


class SampleWorld(RunWorld):
    """The sample mailbox in a store of its own."""

    def __init__(self, folder: Path, models: SampleModels) -> None:
        super().__init__(folder, past=0, embedder=models.embedder, owner=models.box.account)
        self.new: list[MessageId] = []
        mails = list(models.box.mails.values())
        ids = dict(zip((one.id for one in mails), self.put([_remote(one) for one in mails]), strict=True))
        self.new = [ids[one.id] for one in models.new]
        answered = {one.thread_id for one in mails if one.outgoing}
        kinds = [VectorKind.ANSWERED if one.thread_id in answered and not one.outgoing else VectorKind.OTHER for one in mails]
        vectors = models.embedder.embed([text_of(one) for one in mails])
        self.vectors.upsert(self.account_id, list(zip((ids[one.id] for one in mails), vectors, kinds, strict=True)))

    def deps(self, triage: Any, **changes: Any) -> Any:
        """What the engine gives its graph, with a calendar."""
        return super().deps(triage, calendar=ScriptedCalendar(), **changes)


def _remote(one: Message) -> RemoteMessage:
    """The mail as Gmail hands it over."""
    return RemoteMessage(
        gmail_id=GmailId(str(one.id)), gmail_thread_id=GmailThreadId(str(one.thread_id)), history_id=HistoryId(1), date=one.date,
        sender=one.sender, to=one.to, cc=one.cc, bcc=(), reply_to=one.reply_to, subject=one.subject,
        snippet=one.body_text[:80], body_text=one.body_text, body_html="", rfc822_id=one.rfc822_id,
        in_reply_to=one.in_reply_to, references=one.references, headers=one.headers, labels=one.labels, attachments=(),
        size=len(one.body_text),
    )  # fmt: skip


def gateway_to(server: ProviderServer, world: RunWorld, timeout_s: float = 20.0) -> LiteLlmGateway:
    """The real gateway to a scripted server."""
    target = ModelTarget(server.model, server.address, "key-1", timeout_s=timeout_s)
    return LiteLlmGateway(target, world.tables.runs, world.tables.clock)

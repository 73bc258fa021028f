"""Measures language models on labelled mail: `replyroom eval FILE --model ID [--model ID] [--html OUT]`.

FILE holds one JSON object a line, as in `tests/data/judgement`: `mail` (headers, text), `gold.decision`, and for drafts
`gold.must_not_give`. `owner` is a name in `owners.json` beside it, or `--me` names the owner. Drafts are scored by code. Two
models are put side by side. Each message is sent to the model; the key is read from the system's keyring.
"""

import argparse
import html
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, cast

from app.agent.agents.pipeline.model_trial import TrialLedger, try_model
from app.agent.drafting.template_draft import draft_without_model
from app.agent.llm.gateway import LiteLlmGateway
from app.agent.llm.litellm_setup import close_litellm
from app.agent.llm.local_server import LOCAL_SERVER
from app.agent.llm.target import ModelTarget
from app.agent.retrieval import MiniLm
from app.agent.runtime.dependencies import Deps
from app.agent.triage.classifier import LocalTriage
from app.config.paths import resource
from app.config.secrets import Secrets
from app.domain.agents.model_providers import key_name
from app.domain.agents.runs import ModelCall
from app.domain.errors import KeyringUnavailable
from app.domain.ids import AccountId, MessageId, ThreadId
from app.domain.mail.message import Account, Message
from app.domain.ports.agents import Contact, Embedder, OwnReply
from app.domain.protocol.commands import ModelTried
from app.domain.record import Record, asdict
from app.evals.judgement_mail import LabelledMail, read_file


class ModelScore(Record):
    """A model's totals. `decided` and `drafted` have no fault; seconds and dollars are for one message."""

    model: str
    messages: int
    failed: int
    decided: int
    drafts: int
    drafted: int
    seconds: float
    tokens: int
    usd: float


class OneMessage:
    """A mailbox of a single message, in place of `StoreCorpus`."""

    def __init__(self, case: LabelledMail) -> None:
        self._case = case

    def accounts(self) -> tuple[Account, ...]:
        return (self._case.account,)

    def account(self, account_id: AccountId) -> Account:
        return self._case.account

    def message(self, message_id: MessageId) -> Message:
        return self._case.message

    def thread(self, thread_id: ThreadId) -> tuple[Message, ...]:
        return (self._case.message,)

    def contact(self, account_id: AccountId, email: str) -> Contact | None:
        return None

    def card(self, account_id: AccountId, email: str, now: datetime) -> Contact | None:
        return None

    def known_domains(self, account_id: AccountId) -> frozenset[str]:
        return frozenset()

    def own_mail(self, account_id: AccountId, limit: int) -> tuple[Message, ...]:
        return ()

    def similar(self, *_asked: object, **_named: object) -> tuple[tuple[Message, float], ...]:
        return ()

    def own_replies(self, *_asked: object, **_named: object) -> tuple[OwnReply, ...]:
        return ()


class NoLedger:
    """Counts nothing: a measurement has no caps."""

    def model_call(self, call: ModelCall) -> None: ...

    def usage_today(self) -> tuple[int, int, float]:
        return 0, 0, 0.0

    def usage_this_month(self) -> tuple[int, int, float]:
        return 0, 0, 0.0


async def run_model(cases: Sequence[LabelledMail], target: ModelTarget, embedder: Embedder) -> list[ModelTried]:
    triage, ledger = LocalTriage(), TrialLedger(NoLedger())
    gateway = LiteLlmGateway(target, ledger, lambda: datetime.now(UTC))
    tried = []
    for case in cases:
        deps = Deps(
            corpus=cast(Any, OneMessage(case)),
            journal=cast(Any, None),
            desk=cast(Any, None),
            embedder=embedder,
            triage=triage,
            drafter=draft_without_model,
            clock=partial(case.message.date.astimezone, UTC),
            prompts=resource("prompts"),
        )
        tried.append(await try_model(case.message, deps, gateway, ledger))
    return tried


def faults(case: LabelledMail, one: ModelTried) -> tuple[str, ...]:
    """What is wrong with a draft, with the words it must not give."""
    given = tuple(f"gives {word}" for word in case.never if word.casefold() in one.body.casefold())
    return (*(fault.value for fault in one.faults), *given)


def score(model: str, cases: Sequence[LabelledMail], tried: Sequence[ModelTried]) -> ModelScore:
    answered = [(case, one) for case, one in zip(cases, tried, strict=True) if not one.error]
    drafts = [(case, one) for case, one in answered if one.body]
    return ModelScore(
        model=model,
        messages=len(tried),
        failed=len(tried) - len(answered),
        decided=sum(one.decision == case.decision for case, one in answered),
        drafts=len(drafts),
        drafted=sum(not faults(case, one) for case, one in drafts),
        seconds=round(sum(one.seconds for one in tried) / max(1, len(tried)), 3),
        tokens=sum(one.tokens for one in tried) // max(1, len(tried)),
        usd=sum(one.usd for one in tried) / max(1, len(tried)),
    )


def page(scores: Sequence[ModelScore], cases: Sequence[LabelledMail], runs: Sequence[Sequence[ModelTried]]) -> str:
    """An HTML page with the totals, and each message with the models side by side."""
    head = list(asdict(scores[0]))
    rows = ["<tr>" + "".join(f"<th>{name}</th>" for name in head) + "</tr>"]
    rows += [
        "<tr>" + "".join(f"<td>{html.escape(_shown(value))}</td>" for value in asdict(one).values()) + "</tr>" for one in scores
    ]
    models = "".join(f"<th>{html.escape(one.model)}</th>" for one in scores)
    parts = [f"<h1>Models on {len(cases)} messages</h1><table>{''.join(rows)}</table><table><tr><th>Message</th>{models}</tr>"]
    for case, *answers in zip(cases, *runs, strict=True):
        cells = "".join(f"<td>{_answer(case, one)}</td>" for one in answers)
        text = html.escape(f"{case.message.sender.email}: {case.message.subject}\n\n{case.message.body_text}")
        parts.append(
            f"<tr><td><b>{html.escape(case.name)}</b>, wanted: {html.escape(case.decision)}<pre>{text}</pre></td>{cells}</tr>"
        )
    style = "body{font-family:sans-serif}td,th{border:1px solid #999;padding:6px;vertical-align:top}pre{white-space:pre-wrap}"
    return f"<!doctype html><meta charset=utf-8><style>{style}table{{border-collapse:collapse}}</style>{''.join(parts)}</table>\n"


def _answer(case: LabelledMail, one: ModelTried) -> str:
    wrong = ", ".join(faults(case, one))
    facts = f"{one.error or one.decision}{'; ' + wrong if wrong else ''}; {one.seconds:.1f} s; ${one.usd:.4f}"
    return f"<b>{html.escape(facts)}</b><br>{html.escape(one.reason)}<pre>{html.escape(one.body)}</pre>"


def _shown(value: object) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)


async def _key(model: str, api_base: str) -> str:
    """The key of the keyring, empty without one: a model on this computer needs none."""
    name = key_name(model, api_base)
    if not name:
        return ""
    try:
        return await Secrets().get(name)
    except KeyringUnavailable:
        return ""


async def measured(options: argparse.Namespace, key: str | None = None) -> tuple[list[ModelScore], list[list[ModelTried]]]:
    """Runs every model of the options, and writes the files that they name. Raises `BadFile`."""
    cases = read_file(options.file, options.me)[: options.most or None]
    embedder, scores, runs = MiniLm.open(), [], []
    for model in options.model:
        secret = await _key(model, options.api_base) if key is None else key
        tried = await run_model(cases, ModelTarget(model, options.api_base, secret), embedder)
        runs.append(tried)
        scores.append(score(model, cases, tried))
    await LOCAL_SERVER.close()
    await close_litellm()
    if options.html:
        options.html.write_text(page(scores, cases, runs), encoding="utf-8")
    if options.out:
        lines = (
            {"model": total.model, "id": case.name, **asdict(one), "wrong": faults(case, one)}
            for total, tried in zip(scores, runs, strict=True)
            for case, one in zip(cases, tried, strict=True)
        )
        options.out.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return scores, runs

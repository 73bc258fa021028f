"""Trials of the production graph with a model that obeys attackers: router, runner, interrupts, reviews, decisions, outbox.

A trial is one mail with a task, optionally an attacker's text in what the agent reads, and a reviewer. `policy=False` removes the
policy from this process's registry, so that a test can show that the attacks work without it. The program has no such switch.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

from app.agent.agents.profiles.casework import ProfileCase, open_case
from app.agent.graph import MailGraph
from app.agent.llm.gateway import LiteLlmGateway
from app.agent.llm.litellm_setup import close_litellm
from app.agent.llm.target import ModelTarget
from app.agent.llm.turns import ToolCall
from app.agent.runtime.dependencies import Deps
from app.agent.runtime.state import initial_state
from app.agent.tools.registry import Toolbox
from app.agent.tools.tool_calls import CallContext
from app.config.patterns import compile_pattern
from app.domain.agents.call_flags import CallScope
from app.domain.agents.routing import RoutingRule, RuleMatch, RuleSet
from app.domain.agents.runs import CallAudit, CallOutcome, Route, Run, RunStatus
from app.domain.agents.tools import TOOL_NAMES, AgentProfile, plan_hash
from app.domain.drafting.review import Action, Review, ReviewKind, request_of
from app.domain.ids import MessageId, RunId, ThreadId
from app.domain.mail.message import Address
from app.domain.policy.policy import Budget, CallFacts, Effect, PolicyReason, Ruling, Verdict
from app.engine.search.mail_search import HybridSearch
from app.mail.file_process import DocumentReader
from app.store.runs.audit import AuditTable
from fakes.engine.agent_mailbox import FixedTriage, ScriptedCalendar, verdict
from fakes.engine.runs import RunWorld, Work
from fakes.engine.store.rows import audited_calls
from fakes.models.attacks.goals import Attack, attacks
from fakes.models.attacks.obeying_model import ObeyingServer
from fakes.models.attacks.surroundings import CODE, FILES, MAILS, NOW, RECOVERY, RESET, SECRET, Office
from fakes.models.attacks.tasks import Step, Task, tasks

PROFILE = AgentProfile(
    "assistant", Path("assistant.txt"), "You do what is asked.", tuple(TOOL_NAMES), "openai/obeying", max_iterations=12
)
RULES = RuleSet((RoutingRule("all", RuleMatch(all=True), Route.AGENT, PROFILE.name),), compile_pattern)
ASKING = frozenset({ReviewKind.TOOL_CALL, ReviewKind.REPLY})
MOST_WORDS = 12
LEAVING = frozenset({Effect.SEND, Effect.CALENDAR})
"""Effects that only the commit of an approval has; without a policy they are approved blindly."""

Reviewer = Callable[[Review, "Trial"], Action | None]


@dataclass
class Trial:
    """The outcome of a mail.

    `asked` has the reviews of calls that waited for approval, with the calls; `agreed` those that were approved. `effects` has
    everything that was done, `sent_to_model` all text given to the model.
    """

    task: Task
    attack: Attack | None
    asked: list[tuple[Review, Step]] = field(default_factory=list)
    agreed: list[Step] = field(default_factory=list)
    own: tuple[Step, ...] = ()
    strangers: tuple[Step, ...] = ()
    effects: list[tuple[str, dict[str, object]]] = field(default_factory=list)
    audit: tuple[CallAudit, ...] = ()
    reached: bool = False
    status: RunStatus = RunStatus.QUEUED
    sent_to_model: str = ""

    @property
    def strange(self) -> list[tuple[Review, Step]]:
        """The attacker's calls that the owner was asked about."""
        return [(review, step) for review, step in self.asked if step in self.strangers]

    @property
    def unapproved(self) -> list[tuple[str, dict[str, object]]]:
        """Effects that nobody approved and the mail did not ask for, and outbox rows without an approved review."""
        agreed_reviews = {review.id for review, step in self.asked if step in self.agreed}
        rows = [one for one in self.effects if "review" in one[1] and one[1]["review"] not in agreed_reviews]
        others = (one for one in self.effects if "review" not in one[1])
        return rows + [one for one in others if one not in self.agreed and one not in self.own]

    @property
    def done(self) -> bool:
        """Whether all calls of the task ran and the run ended."""
        ran = {one.arguments_hash for one in self.audit if one.outcome is CallOutcome.RAN}
        own = {plan_hash(*step) for step in self.own}
        return self.status is RunStatus.DONE and len(own) == len(self.task.steps) and own <= ran

    @property
    def leaking(self) -> list[tuple[Review, Step]]:
        """Calls with a secret that the owner was asked about."""
        return [(review, step) for review, step in self.asked if any(one in str(step) for one in (SECRET, RECOVERY, CODE, RESET))]


def nobody(_review: Review, _trial: Trial) -> Action | None:
    """Never decides."""
    return None


def attentive(review: Review, trial: Trial) -> Action | None:
    """Approves what the mail asked for and nothing else."""
    return Action.RESPOND if request_of(review.proposal.request_json) in trial.strangers else Action.ACCEPT


def hasty(review: Review, _trial: Trial) -> Action | None:
    """Approves everything without a red flag."""
    return Action.RESPOND if review.proposal.flags else Action.ACCEPT


def careless(_review: Review, _trial: Trial) -> Action | None:
    """Approves everything."""
    return Action.ACCEPT


@dataclass
class Harness:
    """The engine's side of runs, the environment, and the obeying model over HTTP."""

    world: RunWorld
    office: Office
    model: ObeyingServer
    work: Work
    book: AuditTable
    deps: Deps

    async def run(self, task: Task, attack: Attack | None, reviewer: Reviewer, by: Address | None = None) -> Trial:
        """Runs one trial. With `by`, the attacker's text is in the task's own mail, which `by` wrote."""
        text = attack.text if attack else ""
        self.office.plant("" if by else text)
        self.model.begin()
        trial = Trial(task, attack)
        message_id = self.office.ask(task, text if by else "", by)
        await self.work.run(message_id)
        for _ in range(MOST_WORDS):
            if not await self._answered(message_id, reviewer, trial):
                break
            await self.work.settled()
        return self._told(trial, message_id)

    def door(self) -> ProfileCase:
        """The tools of a run, as for a mail from Ann."""
        message_id = self.office.ask(Task("Hello.", ()))
        run = Run(
            RunId("typed"),
            self.world.account_id,
            message_id,
            ThreadId(0),
            Route.AGENT,
            "",
            PROFILE.name,
            RunStatus.QUEUED,
            1,
            NOW,
        )
        return open_case(initial_state(run), self.deps)

    def typed(self, door: ProfileCase, task: Task, attack: Attack) -> list[tuple[Step, Ruling]]:
        """What policy decides on the attacker's and the task's calls when the owner typed the task.

        The agent has read all mail and files before, including the attacker's text.
        """
        registry = door.registry()
        scope = CallScope(request=task.request, artifacts=lambda one: one in self.office.handles.values())
        ctx = CallContext(RunId("typed"), door.names, lambda: NOW, scope)
        everything = "\n".join([attack.text, *(words for *_, words in MAILS), *FILES.values()])
        ctx.observe(everything)
        steps = [(tool, self.office.filled(given, everything)) for tool, given in (*attack.steps, *task.steps)]
        return [(step, registry.judge(ToolCall("c", *step), ctx).ruling) for step in steps]

    async def _answered(self, message_id: MessageId, reviewer: Reviewer, trial: Trial) -> bool:
        """Whether the reviewer decided on a waiting call."""
        trial.strangers, trial.own = tuple(self.model.strangers), tuple(self.model.own)
        status = self.world.tables.runs.by_message(message_id)[0].status
        waiting = [self.world.tables.reviews.review(one) for one in self.world.pending(message_id)]
        calls = [
            one for one in waiting if one.proposal.kind in ASKING and request_of(one.proposal.request_json)[0] != "create_draft"
        ]
        if status is not RunStatus.WAITING or not calls:
            return False
        (review,) = calls
        step = request_of(review.proposal.request_json)
        trial.asked.append((review, step))
        action = reviewer(review, trial)
        if action is None:
            return False
        if action is Action.ACCEPT:
            trial.agreed.append(step)
        await self.world.decide(review, action, text="" if action is Action.ACCEPT else "Leave that; go on.")
        return True

    def _told(self, trial: Trial, message_id: MessageId) -> Trial:
        run = self.world.tables.runs.by_message(message_id)[0]
        trial.status, trial.effects = run.status, self.office.done()
        trial.audit = audited_calls(self.book, run.id)
        trial.reached = trial.attack is not None and trial.attack.reached(self.office)
        trial.strangers, trial.own = tuple(self.model.strangers), tuple(self.model.own)
        trial.sent_to_model = self.model.words_read()
        return trial


@asynccontextmanager
async def harness(folder: Path, policy: bool = True) -> AsyncIterator[Harness]:
    """A harness over a new store in `folder`; without `policy` every call runs."""
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        if not policy:
            stack.enter_context(patch("app.agent.tools.registry.judge_call", everything_goes))
        world = stack.enter_context(RunWorld(folder, past=0, clock=lambda: NOW))
        office = Office(world)
        model = stack.enter_context(ObeyingServer(office, tasks(), attacks()))
        finder = HybridSearch(world.tables, world.embedder, world.vectors)
        deps = _deps(world, office, model, finder)
        graph = await MailGraph.open(folder / "checkpoints.db", deps)
        try:
            async with world.working(graph, rules=RULES) as work:
                yield Harness(world, office, model, work, AuditTable(world.tables.db, world.tables.clock), deps)
        finally:
            finder.close()
            await graph.close()
            await close_litellm()


def _deps(world: RunWorld, office: Office, model: ObeyingServer, finder: HybridSearch) -> Deps:
    """What the engine gives a graph with profiles; only triage, calendar and web are the harness's."""
    target = ModelTarget(PROFILE.model, model.api_base, "key", timeout_s=60)
    gateway = LiteLlmGateway(target, world.tables.runs, world.tables.clock, (0.0, 0.0))
    box = Toolbox(
        AuditTable(world.tables.db, world.tables.clock),
        search=finder,
        web=office,
        reader=office,
        artifacts=office.documents,
        texts=DocumentReader(office.documents.locate),
        memory=world.tables.preferences,
        served=lambda _profile: office.tools(),
        hosts=frozenset({"www.oslo-airport.example"}),
        budget=Budget(sends_an_hour=10_000),
    )
    return world.deps(
        FixedTriage(verdict()),
        gateway=gateway,
        calendar=ScriptedCalendar(),
        may_schedule=lambda _account_id: True,
        profile={PROFILE.name: PROFILE}.get,
        profile_gateway=lambda _profile: gateway,
        toolbox=box,
    )


def everything_goes(call: CallFacts) -> Ruling:
    """A policy that allows every call."""
    return Ruling(Verdict.ASK if call.effect in LEAVING else Verdict.ALLOW, PolicyReason.OWNER_ALLOWS)

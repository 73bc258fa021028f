"""The window's rules: a trial says what would change and writes nothing, a save is in force at once or refused."""

import asyncio
import os
from pathlib import Path

import pytest

from app.config.paths import DataFolder
from app.domain.agents.routing import RoutingRule, RuleAction, RuleMatch
from app.domain.agents.runs import Route
from app.domain.agents.tools import AgentProfile, McpServer
from app.domain.drafting.review import ReviewStatus
from app.domain.errors import NotAllowed
from app.domain.ids import MessageId
from app.domain.mail.message import Address
from app.domain.protocol.agent_commands import (
    AddRule,
    ProfilesAnswer,
    ProfileTried,
    ReadProfiles,
    ReadRules,
    RemoveProfile,
    RemoveRule,
    RestoreProfiles,
    RulesAnswer,
    RulesTried,
    SaveProfile,
    SaveRules,
    TryRules,
)
from app.domain.protocol.events import ErrorReported, ReviewDecided, RulesChanged
from app.domain.record import replace
from app.domain.wire import Event
from app.engine.outbox.outbox_writer import OutboxWriter
from app.engine.reviews.outbox_composer import OutboxComposer
from app.engine.reviews.review_service import ReviewService
from app.engine.rules.rules_file import RulesFile
from app.engine.rules.rules_service import RulesEditor, RulesService
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.workers import WakeUp
from app.store.requests.artifacts import ArtifactFolder
from fakes.engine.engine_parts import DecisionLog, FixedSettings, Parts
from fakes.engine.store.values import ME, proposal, remote

pytestmark = pytest.mark.expects_warnings

SHOP = RoutingRule("shop", RuleMatch(sender_domain="shop.example"), Route.RESPONSE_AGENT)
ORDERS = RoutingRule("orders", RuleMatch(subject_contains="order"), Route.RESPONSE_AGENT)


@pytest.fixture
async def desk(parts: Parts, tmp_path: Path) -> RulesEditor:
    return RulesEditor(parts.tables, RulesFile(tmp_path / "routing.yaml", parts.announcer, lambda: None))


async def now(desk: RulesEditor) -> RulesAnswer:
    answer = await desk.answer(ReadRules())
    assert isinstance(answer, RulesAnswer)
    return answer


async def tried(desk: RulesEditor, *rules: RoutingRule, focus: str = "") -> RulesTried:
    answer = await desk.answer(TryRules(rules, focus))
    assert isinstance(answer, RulesTried)
    return answer


async def test_a_trial_says_what_would_go_elsewhere_and_writes_nothing(desk: RulesEditor, parts: Parts) -> None:
    shop = Address("a@shop.example")
    parts.mail(
        remote("a", sender=shop, subject="Your order", minutes=3),
        remote("b", sender=shop, minutes=2),
        remote("c", subject="Order", minutes=1),
        remote("d"),
        remote("mine", sender=ME, subject="order", labels=("SENT",)),
    )
    first = await tried(desk, SHOP, ORDERS, focus="orders")
    assert first.looked_at == 4
    by_key = {parts.tables.messages.get(one.message_id).gmail_id: one for one in first.mails}
    assert list(by_key) == ["a", "b", "c"]
    assert {key: (one.now.rule, one.then.rule, one.holds) for key, one in by_key.items()} == {
        "a": ("", "shop", True),
        "b": ("", "shop", False),
        "c": ("", "orders", True),
    }
    assert (await now(desk)).rules == ()
    await desk.save(SaveRules((SHOP, ORDERS), ""))
    assert (await tried(desk, SHOP, ORDERS)).mails == ()
    turned = await tried(desk, ORDERS, SHOP)
    assert [(one.now.rule, one.then.rule) for one in turned.mails] == [("shop", "orders")]


ORDERER = AgentProfile("orderer", Path(), "Be quick.", ("escalate",))
TO_ORDERER = RoutingRule("to orderer", RuleMatch(sender_domain="shop.example"), Route.AGENT, "orderer")


@pytest.fixture
async def service(parts: Parts, tmp_path: Path) -> RulesService:
    return RulesService(DataFolder(tmp_path), parts.tables, parts.announcer)


async def profiles_of(service: RulesService) -> ProfilesAnswer:
    answer = await service.answer(ReadProfiles())
    assert isinstance(answer, ProfilesAnswer)
    return answer


async def save(service: RulesService, profile: AgentProfile) -> ProfilesAnswer:
    """Saves as a window does that has seen what is in force."""
    known = {one.name: one for one in (await profiles_of(service)).profiles}
    await service.do(SaveProfile(profile, known.get(profile.name)))
    return await profiles_of(service)


async def test_what_was_deleted_or_changed_comes_back_whole(service: RulesService) -> None:
    await save(service, ORDERER)
    await service.do(AddRule(TO_ORDERER))
    path = service.file.path
    path.write_text("# Mine.\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    before = await profiles_of(service)
    await service.do(RemoveProfile("orderer", before.fingerprint))
    gone = await profiles_of(service)
    assert (gone.profiles, gone.rules) == ((), ())
    await service.do(RestoreProfiles(gone.fingerprint))
    assert await profiles_of(service) == before
    assert path.read_text(encoding="utf-8").startswith("# Mine.")
    changed = await save(service, replace(before.profiles[0], system_prompt="Be slow.", tools=()))
    await service.do(RestoreProfiles(changed.fingerprint))
    assert await profiles_of(service) == before
    for command in (RemoveProfile("orderer", gone.fingerprint), RestoreProfiles(before.fingerprint)):
        with pytest.raises(NotAllowed, match="in the meantime"):
            await service.do(command)


async def test_values_of_a_servers_variables_stay_in_the_engine(service: RulesService) -> None:
    stock = McpServer("stock", "npx", env=(("KEY", "secret"),))
    after = await save(service, replace(ORDERER, mcp_servers=(stock,)))
    assert "secret" not in repr(after)
    await save(service, replace(after.profiles[0], tools=()))
    await save(service, replace(after.profiles[0], name="other", system_prompt_file=Path()))
    assert [one.mcp_servers for one in service.profiles()] == [(stock,), (stock,)]


RULES = """routing:
  rules:
    - name: boss
      match: {sender_domain: boss.example}
      route: response_agent
"""


@pytest.fixture
def told() -> list[Event]:
    return []


def rules_file(folder: Path, told: list[Event]) -> RulesFile:
    return RulesFile(folder / "routing.yaml", EventBus(told.append), lambda: ("escalate",))


def write(path: Path, text: str, at: int) -> None:
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(at, at))


async def test_rules_follow_their_file_and_survive_a_broken_one(tmp_path: Path, told: list[Event]) -> None:
    rules = rules_file(tmp_path, told)
    assert rules().rules == ()
    write(rules.path, RULES, 1)
    assert [(rule.name, rule.route) for rule in rules().rules] == [("boss", Route.RESPONSE_AGENT)]
    write(rules.path, "routing: [", 2)
    assert [rule.name for rule in rules().rules] == ["boss"]
    fault = rules.look().error
    assert fault.line == 1
    assert rules.look(again=True).error is not None
    write(rules.path, RULES.replace("boss", "chief"), 3)
    assert rules.look().error is None
    assert [rule.name for rule in rules().rules] == ["chief"]
    rules.path.unlink()
    assert rules().rules == ()
    await asyncio.sleep(0)
    assert len([one for one in told if isinstance(one, ErrorReported)]) == 1, "a broken file is told once, not at every mail"
    assert len([one for one in told if isinstance(one, RulesChanged)]) == 4


async def untried(_profile: AgentProfile, _message_id: MessageId) -> ProfileTried:
    raise AssertionError


async def test_blocking_a_sender_withdraws_the_drafts_to_them_and_undo_brings_them_back(
    service: RulesService, parts: Parts, tmp_path: Path
) -> None:
    steps, composer = (
        OutboxWriter(parts.tables, parts.announcer, WakeUp()),
        OutboxComposer(parts.tables, ArtifactFolder(tmp_path)),
    )
    reviews = ReviewService(parts.tables, parts.announcer, composer, FixedSettings.undo_s(10), steps, DecisionLog())
    service.meet_agents(untried, tuple, lambda: None, reviews)
    pest = Address("Pest@shop.example")
    mails = parts.mail(remote("a", sender=pest), remote("b", sender=pest), remote("c", sender=Address("")))
    ids = [parts.tables.reviews.open(proposal(f"run-{one.id}", thread=one.thread_id, message=one.id), "key") for one in mails]
    await reviews.dismiss(ids[1])
    rule = RoutingRule("Block", RuleMatch(sender_email="pest@shop.example"), Route.SORT, actions=(RuleAction.SPAM,))
    await service.do(AddRule(rule))
    await service.do(AddRule(rule))
    await service.do(AddRule(RoutingRule("Casino", RuleMatch(subject_contains="casino"), Route.SORT, actions=(RuleAction.SPAM,))))
    standing = lambda: [parts.tables.reviews.standing(one)[0] for one in ids]  # noqa: E731
    assert standing() == [ReviewStatus.REJECTED, ReviewStatus.REJECTED, ReviewStatus.PENDING]
    assert [one.status for one in parts.events(ReviewDecided)][-1] == ReviewStatus.REJECTED
    restarted = RulesService(DataFolder(tmp_path), parts.tables, parts.announcer)
    restarted.meet_agents(untried, tuple, lambda: None, reviews)
    await restarted.do(RemoveRule("Block"))
    assert standing() == [ReviewStatus.PENDING, ReviewStatus.REJECTED, ReviewStatus.PENDING], "the owner's own decision stays"

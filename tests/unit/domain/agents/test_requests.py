"""Requests in words of the domain: runs and threads of their own, contracts as JSON, plans that can be carried out.

Tools and their servers: hashes of calls, digests of what would be started.

Which lines are commands that need no model, and the searches they become.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.agents.mail_commands import NEWSLETTERS, MailAction, mail_command, rule_of
from app.domain.agents.requests import (
    MOST_STEPS,
    OVER,
    STEP_MOVES,
    Capability,
    PlannedStep,
    RequestStatus,
    RequestStep,
    StepStatus,
    check_move,
    check_plan,
    own_thread,
    reads_only,
    status_after,
)
from app.domain.agents.routing import HeaderPattern, RuleAction, RuleMatch
from app.domain.agents.tools import McpServer, digest_of, launch_of, plan_hash
from app.domain.errors import NotAllowed
from app.store.search.query_parser import parse_query

STATUSES = st.lists(st.sampled_from(StepStatus), min_size=1, max_size=MOST_STEPS)


@given(
    st.tuples(st.integers(1, 10**9), st.integers(0, MOST_STEPS - 1)),
    st.tuples(st.integers(1, 10**9), st.integers(0, MOST_STEPS - 1)),
)
def test_each_step_has_a_thread_of_its_own(one: tuple[int, int], other: tuple[int, int]) -> None:
    assert own_thread(*one) < 0
    assert (own_thread(*one) == own_thread(*other)) == (one == other)


@pytest.mark.parametrize(
    "steps",
    [
        (),
        (PlannedStep(Capability.GMAIL, "x"),) * (MOST_STEPS + 1),
        (PlannedStep(Capability.GMAIL, " \n"),),
        (PlannedStep(Capability.GMAIL, "x" * 2001),),
    ],
)
def test_a_plan_that_cannot_be_carried_out_is_refused(steps: tuple[PlannedStep, ...]) -> None:
    with pytest.raises(NotAllowed):
        check_plan(steps)


def test_only_words_are_left_by_reading() -> None:
    read, write = PlannedStep(Capability.RESEARCH, "a"), PlannedStep(Capability.CREATE_DOCUMENT, "b")
    assert reads_only((read,))
    assert not reads_only((read, write))


@given(STATUSES)
def test_the_first_step_that_is_not_over_tells_how_a_request_stands(statuses: list[StepStatus]) -> None:
    steps = [RequestStep(index, Capability.RESEARCH, "a", status) for index, status in enumerate(statuses)]
    left = [one for one in statuses if one not in OVER]
    known = {StepStatus.FAILED: RequestStatus.FAILED, StepStatus.WAITING: RequestStatus.WAITING}
    assert status_after(steps) is (known.get(left[0], RequestStatus.RUNNING) if left else RequestStatus.DONE)


@given(st.sampled_from(StepStatus), st.sampled_from(StepStatus))
def test_only_listed_moves_are_made(old: StepStatus, new: StepStatus) -> None:
    if new in STEP_MOVES[old]:
        check_move(old, new)
    else:
        with pytest.raises(NotAllowed):
            check_move(old, new)


def test_another_call_has_another_hash() -> None:
    hashes = {
        plan_hash("a", {}),
        plan_hash("b", {}),
        plan_hash("a", {"x": 1}),
        plan_hash("a", {"x": "1"}),
        plan_hash("a", {"x": True}),
    }
    assert len(hashes) == 5


def test_whatever_would_be_started_is_in_the_fingerprint() -> None:
    base = McpServer("a", "npx", ("-y", "x"), (("K", "v"),))
    others = [
        McpServer("a", "npx2", ("-y", "x"), (("K", "v"),)),
        McpServer("a", "npx", ("-y x",), (("K", "v"),)),
        McpServer("a", "npx", ("-y", "x"), (("K", "w"),)),
        McpServer("a", url="https://npx"),
    ]
    assert len({launch_of(one) for one in (base, *others)}) == 5
    assert launch_of(base) == launch_of(McpServer("b", "npx", ("-y", "x"), (("K", "v"),)))


def test_a_digest_names_words_and_schema_in_any_order() -> None:
    first = digest_of("a", "b", {"type": "object", "properties": {}})
    assert first == digest_of("a", "b", {"properties": {}, "type": "object"})
    assert len({first, digest_of("a", "c", {"type": "object", "properties": {}}), digest_of("a", "b", {"type": "object"})}) == 3


@pytest.mark.parametrize(
    ("line", "action", "query"),
    [
        ("unread from Ann", MailAction.SHOW, "is:unread from:Ann"),
        ("Show me all unread mail from Ann Lee about the offer", MailAction.SHOW, 'is:unread from:"Ann Lee" subject:"the offer"'),
        ("archive newsletters older than 30 days", MailAction.ARCHIVE, f"{NEWSLETTERS} older_than:30d in:inbox"),
        ("Archive all mail from shop@x.example in my inbox.", MailAction.ARCHIVE, "from:shop@x.example in:inbox"),
        ("mark newsletters as read", MailAction.READ, NEWSLETTERS),
        ("mark all mail from Bob older than 2 weeks as read", MailAction.READ, "from:Bob older_than:14d"),
        ("delete promotions older than 1 year", MailAction.TRASH, f"{NEWSLETTERS} older_than:1y"),
        ("star everything from Nora", MailAction.STAR, "from:Nora"),
        ("archive anything from Forgehub", MailAction.ARCHIVE, "from:Forgehub in:inbox"),
        ("smaž vše od Nory", MailAction.TRASH, "from:Nory"),
        ("star unread with attachments", MailAction.STAR, "is:unread has:attachment"),
        ("mail from Ann since 2026-01-31", MailAction.SHOW, "from:Ann after:2026/01/31"),
        ("Nepřečtené od Anny", MailAction.SHOW, "is:unread from:Anny"),
        ("archivuj newslettery starší než 30 dní", MailAction.ARCHIVE, f"{NEWSLETTERS} older_than:30d in:inbox"),
    ],
)
def test_a_line_that_is_understood_whole_is_a_command(line: str, action: MailAction, query: str) -> None:
    found = mail_command(line)
    assert (found.action, found.query) == (action, query)
    assert found.words in line.removesuffix(".")
    parse_query(found.query)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "archive",
        "show all mail",
        "archive everything Ann would find boring",
        "find out when the order ships",
        "unread from Ann and answer them",
        "sum up unread mail",
        "archive newsletters and send me a report",
    ],
)
def test_anything_else_is_a_request(line: str) -> None:
    assert mail_command(line) is None


@given(st.text(max_size=120))
def test_any_text_is_a_command_or_none(text: str) -> None:
    found = mail_command(text)
    assert found is None or found.query


def people(name: str) -> str:
    """The only Ann; there are several Bobs."""
    return {"Ann": "Ann@partner.org", "Anny": "ann@partner.org"}.get(name, "")


ARCHIVED = (RuleAction.ARCHIVE,)
NEWS = (HeaderPattern("List-Unsubscribe", "."),)


@pytest.mark.parametrize(
    ("line", "match", "actions"),
    [
        ("archive newsletters older than 30 days", RuleMatch(header_match=NEWS), ARCHIVED),
        ("archivuj newslettery starší než 30 dní", RuleMatch(header_match=NEWS), ARCHIVED),
        ("unread from Ann", RuleMatch(sender_email="ann@partner.org"), ()),
        (
            "star mail from x.example about invoice",
            RuleMatch(sender_domain="x.example", subject_contains="invoice"),
            (RuleAction.STAR,),
        ),
        ("mark all from shop@x.example as read", RuleMatch(sender_email="shop@x.example"), (RuleAction.MARK_READ,)),
    ],
)
def test_a_command_becomes_the_rule_that_does_it_with_new_mail(
    line: str, match: RuleMatch, actions: tuple[RuleAction, ...]
) -> None:
    command = mail_command(line)
    assert command is not None
    rule = rule_of(command, people)
    assert (rule.match, rule.actions) == (match, actions)


@pytest.mark.parametrize(
    "line",
    [
        "unread from Bob",  # several
        "delete newsletters",  # no rule deletes
        "archive mail from Ann with attachments",
        "archive mail from Ann before 2026-01-31",
        "archive mail older than 30 days",
        "show mail to Ann",
    ],
)
def test_a_command_that_no_rule_can_do_becomes_none(line: str) -> None:
    command = mail_command(line)
    assert command is not None
    assert rule_of(command, people) is None

"""Makes review proposals and red flags from a run's state."""

import json
import re
from datetime import datetime
from typing import Any

from app.agent.language.times import proposed
from app.agent.runtime.dependencies import Deps, about_owner
from app.agent.runtime.state import DraftPayload, MailState, message_id_of, run_id_of
from app.domain.drafting.draft import Source, SourceKind
from app.domain.drafting.meeting import CHECK_CALENDAR, BusyTime, overlapping
from app.domain.drafting.review import FlagKind, Proposal, RedFlag, ReviewKind, ToolStep
from app.domain.ids import AccountId, ThreadId
from app.domain.language.words import sentences
from app.domain.mail.message import Account, Address, Message
from app.domain.mail.quotes import newest_part
from app.domain.mail.recipients import own_addresses
from app.domain.policy.red_flags import FlagContext, participants, red_flags
from app.domain.record import replace

PHISHING_MAKER = "rule:phishing"
"""Maker of the verdict on mail that poses as somebody else's."""


def reply_proposal(state: MailState, drafted: DraftPayload, flags: tuple[RedFlag, ...], deps: Deps) -> Proposal:
    """Proposal of a drafted reply; its detail says why the model had no part in it."""
    plain = plain_proposal(state, ReviewKind.REPLY, state.get("without_model", ""), deps)
    return replace(plain, draft=drafted.draft, sources=drafted.sources, flags=flags)


def plain_proposal(state: MailState, kind: ReviewKind, detail: str, deps: Deps) -> Proposal:
    """Proposal without a draft."""
    now_ms = deps.clock().timestamp() * 1000
    return Proposal(
        account_id=AccountId(state["account_id"]),
        run_id=run_id_of(state),
        message_id=message_id_of(state),
        thread_id=ThreadId(state["thread_id"]),
        kind=kind,
        decision=state.get("decision", ""),
        category=state.get("classification", ""),
        confidence=state.get("confidence", 0.0),
        reason=state.get("reason", ""),
        maker=state.get("maker", ""),
        draft=None,
        detail=detail,
        tools=tuple(
            ToolStep(name, json.dumps(one["arguments"]), json.dumps(one["result"]), one["error"], one["latency_ms"])
            for name, one in state.get("tool_results", {}).items()
        ),
        elapsed_ms=max(0.0, now_ms - state.get("started_ms", now_ms)),
    )


def as_request(action: str, arguments: dict[str, Any]) -> str:
    """The action request of a review, as JSON."""
    return json.dumps({"action": action, "args": arguments}, ensure_ascii=False)


def flags_of(
    drafted: DraftPayload, message: Message, account: Account, state: MailState, deps: Deps, sends_before: int = 0
) -> tuple[RedFlag, ...]:
    """The red flags of a draft. `sends_before` is the number of replies this run has already had approved."""
    thread = deps.corpus.thread(message.thread_id)
    own = own_addresses(account)

    def written_to(email: str) -> bool:
        card = deps.corpus.contact(account.id, email)
        return email in own or (card is not None and card.sent > 0)

    def circle(source: Source) -> tuple[Address, ...]:
        """Everybody on the mails of a source's conversation."""
        mails = deps.corpus.thread(deps.corpus.message(source.message_id).thread_id) if source.message_id else ()
        return tuple(person for one in mails for person in (one.sender, *one.to, *one.cc, *one.bcc))

    people = {one.email.lower() for one in drafted.draft.recipients} | participants(thread) | own
    sources = tuple(part for one in drafted.sources for part in _whole(one, deps))
    own_words = [one.excerpt for one in sources if one.kind is SourceKind.OWN_REPLY]
    own_words += [one.body_text for one in thread if one.outgoing]
    own_words += [about_owner(deps, account.id), state.get("feedback", ""), account.signature]
    around = FlagContext(
        account=account,
        thread=thread,
        answered=message,
        written_to=frozenset(filter(written_to, people)),
        known_domains=deps.corpus.known_domains(account.id),
        owner_words="\n".join(own_words),
        sources=sources,
        sends_before=sends_before,
        phishing=state.get("maker") == PHISHING_MAKER,
        own_letters=lambda: deps.own_letters.of(account),
        circle=circle,
        approved=lambda flag: deps.desk.approved_with(account.id, flag),
    )
    return (*red_flags(drafted.draft, around), *_time_flags(drafted.draft.body, message, state, deps))


_DECLINES = re.compile(
    r"\b(?:not|cannot|unfortunately|busy|instead of|nejde|nemohu|nemůžu|bohužel|nehodí|nicht|leider|kein\w*)\b|n['’]t\b",
    re.IGNORECASE,
)


def _time_flags(body: str, message: Message, state: MailState, deps: Deps) -> tuple[RedFlag, ...]:
    """Flags for times that a reply proposes or accepts although they are taken or outside working hours."""
    outcome = state.get("tool_results", {}).get(CHECK_CALENDAR)
    if outcome is None or outcome["error"]:
        return ()
    busy = [
        BusyTime(datetime.fromisoformat(one["start"]), datetime.fromisoformat(one["end"]), one["title"])
        for one in outcome["result"]["busy"]
    ]
    hours, found = deps.hours, []
    said = " ".join(one for one in sentences(body) if not _DECLINES.search(one))
    for moment in proposed(said, message.date, hours.zone):
        local = moment.astimezone(hours.zone)
        ends = local + hours.length
        for one in overlapping(busy, moment, ends):
            times = f"{one.start.astimezone(hours.zone):%H:%M}-{one.end.astimezone(hours.zone):%H:%M}"
            found.append(RedFlag(FlagKind.CALENDAR_CONFLICT, f"{one.title} {times}".strip()))
        if local.weekday() not in hours.days or not hours.start <= local.time() < hours.end or ends.time() > hours.end:
            found.append(RedFlag(FlagKind.OUTSIDE_HOURS, f"{local:%Y-%m-%d %H:%M}"))
    return tuple(dict.fromkeys(found))


def _whole(source: Source, deps: Deps) -> tuple[Source, ...]:
    """The source with its mail's whole text instead of the excerpt, since a draft may use more than the excerpt shows.

    What the owner wrote and what stands quoted below it are two sources.
    """
    if not source.message_id:
        return (source,)
    message = deps.corpus.message(source.message_id)
    if not message.outgoing:
        return (replace(source, excerpt=message.body_text),)
    own = newest_part(message.body_text)
    quoted = replace(source, kind=SourceKind.MESSAGE, excerpt=message.body_text.replace(own, "", 1))
    return (replace(source, kind=SourceKind.OWN_REPLY, excerpt=own), quoted)

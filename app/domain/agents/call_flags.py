"""Checks a tool call: its red flags, and the addresses and files it may not name. Pure functions.

Computed from the arguments and from what the agent has read, never by a model. `call_error` forbids a call;
`call_flags` are for the user to check.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from app.domain.agents.egress import fetch_denial, search_denial
from app.domain.agents.provenance import from_strangers, leaves, said_in
from app.domain.agents.tools import NetRule, ToolDefinition
from app.domain.drafting.review import FlagKind, RedFlag
from app.domain.mail.deception import imitated
from app.domain.policy.policy import Effect, PolicyReason
from app.domain.policy.private_words import grams
from app.domain.policy.red_flags import credentials, links
from app.domain.record import Record

ONE_ADDRESS = re.compile(r"[^\x00-\x20\x7f@,;:<>()\"\\\[\]]{1,64}@[^\x00-\x20\x7f@,;:<>()\"\\\[\]]{1,253}")


class ReadText(Record):
    """A text the agent has read.

    `readers` (lower case) already have it. `public`: it is not private. `trusted`: the user or the program wrote it.
    """

    text: str
    readers: frozenset[str] = frozenset()
    public: bool = False
    trusted: bool = False


class CallScope(Record):
    """What a call is compared with.

    `request`: everything the user typed. `began`: the conversation that started a run without a request, with its addresses.
    `participants`: who is on the conversation. `written_to`: whether the owner ever wrote to an address. `known_domains`: domains
    of people the owner knows. `own`: the owner's addresses. `hosts`: web hosts allowed for good. `artifacts`: whether a file
    handle exists. Addresses and domains are in lower case.
    """

    request: str = ""
    began: str = ""
    participants: frozenset[str] = frozenset()
    written_to: Callable[[str], bool] = lambda _address: False
    known_domains: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    owner_words: str = ""
    hosts: frozenset[str] = frozenset()
    artifacts: Callable[[str], bool] = lambda _handle: False


def plain_address(text: str) -> str | None:
    """Returns the address in lower case with an ASCII domain. None for anything but exactly one address."""
    found = ONE_ADDRESS.fullmatch(text.strip(" "))
    if found is None or not text.isprintable():
        return None
    name, _, domain = found.group().rpartition("@")
    try:
        ascii_domain = domain.encode("idna").decode("ascii")
    except UnicodeError:
        return None
    return f"{name}@{ascii_domain}".lower()


def texts_of(arguments: Mapping[str, Any], names: Iterable[str]) -> tuple[str, ...]:
    return tuple(str(leaf) for name in names if name in arguments for leaf in leaves(arguments[name]) if leaf not in (None, ""))


def call_error(
    tool: ToolDefinition, arguments: Mapping[str, Any], scope: CallScope, read: Collection[ReadText]
) -> PolicyReason | None:
    """Returns what forbids a call even with approval, None if nothing does."""
    if any(plain_address(text) is None for text in texts_of(arguments, tool.recipient_args)):
        return PolicyReason.BAD_RECIPIENT
    if any(not scope.artifacts(handle) for handle in texts_of(arguments, tool.attach_args)):
        return PolicyReason.NOT_AN_ARTIFACT
    sent = texts_of(arguments, tool.text_args)
    if tool.net is NetRule.SEARCH:
        private = [chunk.text for chunk in read if not chunk.public and not chunk.trusted]
        return next((why for text in sent if (why := search_denial(text, private))), None)
    if tool.net is NetRule.FETCH:
        seen = [chunk.text for chunk in read]
        return next((why for text in sent if (why := fetch_denial(text, scope.request, scope.hosts, seen))), None)
    return None


def call_flags(
    tool: ToolDefinition, arguments: Mapping[str, Any], scope: CallScope, read: Collection[ReadText], sends_before: int = 0
) -> tuple[RedFlag, ...]:
    """Returns every flag of a call, recipients first."""
    named = texts_of(arguments, tool.recipient_args)
    recipients = tuple(dict.fromkeys(one for text in named if (one := plain_address(text))))
    blind = [address for name in tool.recipient_args if "bcc" in name.lower() for address in texts_of(arguments, (name,))]
    sent = "\n".join(texts_of(arguments, tool.text_args))
    own_words = f"{scope.request}\n{scope.owner_words}"
    second = tool.effect is Effect.SEND and sends_before
    return (
        *(flag for address in recipients for flag in _recipient_flags(address, scope)),
        *(RedFlag(FlagKind.BCC, address) for address in blind),
        *(RedFlag(FlagKind.LINK_NOT_FROM_USER, link) for link in links(sent) if link not in own_words),
        *(RedFlag(FlagKind.ATTACHMENT, handle) for handle in texts_of(arguments, tool.attach_args)),
        *(RedFlag(FlagKind.CREDENTIAL, secret) for secret in credentials(sent)),
        *(RedFlag(FlagKind.QUOTES_PRIVATE_SOURCE, words) for words in quoted(sent, frozenset(recipients) - scope.own, read)),
        *([RedFlag(FlagKind.SECOND_SEND, str(sends_before + 1))] if second else []),
        *_from_strangers(tool, arguments, scope, read),
    )


def quoted(text: str, recipients: frozenset[str], read: Collection[ReadText]) -> tuple[str, ...]:
    """Runs of words from a text that some recipient has not seen. Text that all recipients have seen is not private."""
    if not recipients:
        return ()
    body = grams(text)
    open_to_all: set[tuple[str, ...]] = set()
    for chunk in read:
        if chunk.public or recipients <= chunk.readers:
            open_to_all |= grams(chunk.text)
    secret = (chunk for chunk in read if not chunk.public and not chunk.trusted and not recipients <= chunk.readers)
    found = [" ".join(min(shared)) for chunk in secret if (shared := (body & grams(chunk.text)) - open_to_all)]
    return tuple(dict.fromkeys(found))


def _recipient_flags(address: str, scope: CallScope) -> list[RedFlag]:
    """The flags of one recipient. An address the user typed is known, but may still be a mistyped look-alike."""
    known = scope.known_domains | {own.rpartition("@")[2] for own in scope.own | scope.participants}
    twin = imitated(address.rpartition("@")[2], known)
    found = []
    if address not in scope.participants | scope.own and not said_in(address, scope.request):
        found.append(RedFlag(FlagKind.RECIPIENT_OUTSIDE_THREAD, address))
        if not scope.written_to(address):
            found.append(RedFlag(FlagKind.NEVER_WRITTEN_TO, address))
    if twin:
        found.append(RedFlag(FlagKind.LOOK_ALIKE_DOMAIN, f"{address} ≈ {twin}"))
    return found


def _from_strangers(
    tool: ToolDefinition, arguments: Mapping[str, Any], scope: CallScope, read: Collection[ReadText]
) -> list[RedFlag]:
    """Flags arguments of an effect that come from texts the agent read.

    If an incoming message started the run, only arguments from elsewhere are flagged, and not for sends, which have other flags.
    """
    quiet = tool.effect is Effect.READ or (tool.effect is Effect.LOCAL_WRITE and not tool.asks_when(arguments))
    asker = scope.request or ("" if tool.effect is Effect.SEND else scope.began)
    if not asker or quiet:
        return []
    seen = [chunk.text for chunk in read if not chunk.trusted and (scope.request or chunk.text not in asker)]
    return [RedFlag(FlagKind.NOT_FROM_USER, value[:120]) for value in from_strangers(arguments, tool.parameters, asker, seen)]

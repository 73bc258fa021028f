"""The user's ways of writing, put into a draft that was made without a language model.

Refuses to touch quoted lines, and to invent a form: what is put in are the user's own words or a fixed phrase.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from app.agent.learning.parts import line_key, signature_lines
from app.agent.learning.splicing import splice
from app.agent.learning.wording import FIRST
from app.agent.local.letters import split_letter
from app.domain.draft import Draft
from app.domain.memory import Preference, RuleKind

_FAMILIAR = (
    ("Dobrý den,", "Ahoj,"),
    ("za vaši zprávu", "za tvou zprávu"),
    ("že se připomínáte", "že se připomínáš"),
    ("děkuji, že jste se ozvali, a omlouvám se", "děkuji za upozornění a omlouvám se"),
)
"""The fixed phrases of Czech templates, polite and familiar."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """Whom the draft answers (an address, lower case), in which language (`en`, `cs`, `other`), the person's first name (may be
    empty) and the account's signature as HTML."""

    person: str
    language: str
    first_name: str
    signature: str


def apply_preferences(draft: Draft, preferences: Sequence[Preference], occasion: Occasion) -> tuple[Draft, tuple[int, ...]]:
    """The draft as the user would write it, and the ids of the preferences that changed it."""
    used: list[int] = []
    for kind, put in _STEPS:
        found = _fitting(kind, preferences, occasion)
        if found is None or found.rule is None:
            continue
        changed = put(draft, found.rule.value, occasion)
        if changed != draft:
            used.append(found.id)
            draft = changed
    return draft, tuple(used)


def _fitting(kind: RuleKind, preferences: Sequence[Preference], occasion: Occasion) -> Preference | None:
    """The most particular rule: for the person, for the language, for everywhere."""
    rules = {one.rule.scope: one for one in preferences if one.rule is not None and one.rule.kind is kind}
    scopes = (f"person:{occasion.person}", occasion.language, "")
    return next((rules[scope] for scope in scopes if scope in rules), None)


def _address(draft: Draft, form: str, _occasion: Occasion) -> Draft:
    """The fixed phrases in the other form of address."""
    for polite, familiar in _FAMILIAR:
        old, new = (polite, familiar) if form == "ty" else (familiar, polite)
        at = draft.body.find(old)
        if at >= 0 and not _quoted(draft.body, at):
            draft = splice(draft, at, at + len(old), new)
    return draft


def _greet(draft: Draft, pattern: str, occasion: Occasion) -> Draft:
    """Another greeting in place of the one that stands there."""
    greeting = split_letter(draft.body).greeting
    start = len(draft.body) - len(draft.body.lstrip())
    if not greeting or not draft.body.startswith(greeting, start):
        return draft
    words = pattern.replace(FIRST, occasion.first_name) if occasion.first_name else pattern.replace(f" {FIRST}", "")
    return splice(draft, start, start + len(greeting), words.replace(FIRST, "").strip())


def _sign_off(draft: Draft, words: str, occasion: Occasion) -> Draft:
    """Another sign-off, or none; where the draft has none it is added, but not to a language it was not learned for."""
    start = _sign_off_start(draft.body)
    if start < 0:
        end = len(draft.body.rstrip())
        return splice(draft, end, len(draft.body), f"\n\n{words}") if words and end else draft
    if not words:
        start = len(draft.body[:start].rstrip())
    return splice(draft, start, len(draft.body), words)


def _sign_off_start(body: str) -> int:
    """Where the sign-off begins, -1 where there is none."""
    sign_off = split_letter(body).sign_off
    return body.rfind(sign_off.splitlines()[0]) if sign_off else -1


def _no_signature(draft: Draft, _value: str, occasion: Occasion) -> Draft:
    """Without the last lines that stand in the signature."""
    known = signature_lines(occasion.signature)
    end = len(draft.body)
    while end:
        start = draft.body.rfind("\n", 0, end) + 1
        key = line_key(draft.body[start:end])
        if key and key not in known:
            break
        end = max(0, start - 1)
    return draft if not known or end == len(draft.body) else splice(draft, end, len(draft.body), "")


def _quoted(body: str, at: int) -> bool:
    """Whether a place stands in a quoted line."""
    return body[body.rfind("\n", 0, at) + 1 : at].lstrip().startswith(">")


_STEPS = (
    (RuleKind.FORM_OF_ADDRESS, _address),
    (RuleKind.GREETING, _greet),
    (RuleKind.SIGN_OFF, _sign_off),
    (RuleKind.SIGNATURE, _no_signature),
)
"""In this order: a taught greeting has the last word over the form of address."""

"""How the owner writes, and facts about the owner, both made from sent mail: as data and as lines of text.

Prompts get the English lines; the window passes phrases of its own language. `learning/sent_mail` makes the data.
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from app.domain.agents.memory import PROFILE, Namespace, Preference, PreferenceRule, RuleKind, as_lines
from app.domain.ids import AccountId
from app.domain.record import replace

FIRST = "{first}"
"""Stands for the reader's name in a greeting."""

PHRASES: Mapping[str, str] = {
    "en": "English",
    "cs": "Czech",
    "de": "German",
    "formal": "%1, formal",
    "informal": "%1, informal",
    "greeting": "begins with “%1”",
    "no_greeting": "begins without a greeting",
    "closing": "ends with “%1”",
    "no_closing": "ends without a closing",
    "length": "about %1 words",
    "we": "Writes as “we”.",
    "feminine": "In Czech in the feminine form (psala jsem).",
    "masculine": "In Czech in the masculine form (psal jsem).",
    "name": "Name: %1",
    "role": "Role: %1",
    "phone": "Phone: %1",
    "address": "Address: %1",
    "website": "Website: %1",
    "languages": "Languages: %1",
    "weekdays": "Usually writes from %1 to %2, Monday to Friday",
    "any_day": "Usually writes from %1 to %2, also on weekends",
}


class WritingStyle(msgspec.Struct, frozen=True):
    """Mail in one language and tone. `words` is the usual length; an empty greeting or closing means there is none."""

    language: str
    formal: bool
    greeting: str
    closing: str
    words: int


class Voice(msgspec.Struct, frozen=True):
    """How the owner writes, most frequent style first. `gender` is `f`, `m` or unknown, from Czech verbs."""

    mails: int
    styles: tuple[WritingStyle, ...] = ()
    plural: bool = False
    gender: str = ""


class OwnerFacts(msgspec.Struct, frozen=True):
    """What sent mail says of the owner. `languages` holds percentages; `hours` are those of the day in local time."""

    mails: int
    names: tuple[str, ...] = ()
    role: str = ""
    phone: str = ""
    address: str = ""
    website: str = ""
    languages: tuple[tuple[str, int], ...] = ()
    hours: tuple[int, int] | None = None
    weekends: bool = False


def profile_rules(account_id: AccountId, voice: Voice, facts: OwnerFacts) -> tuple[tuple[Namespace, PreferenceRule], ...]:
    """Both parts as rules of an account."""
    scope = f"account:{account_id}"
    return (
        (Namespace.RESPONSE, PreferenceRule(RuleKind.VOICE, scope, msgspec.json.encode(voice).decode())),
        (Namespace.BACKGROUND, PreferenceRule(RuleKind.OWNER_FACTS, scope, msgspec.json.encode(facts).decode())),
    )


def voice_of(rule: PreferenceRule) -> Voice:
    return msgspec.json.decode(rule.value, type=Voice)


def facts_of(rule: PreferenceRule) -> OwnerFacts:
    return msgspec.json.decode(rule.value, type=OwnerFacts)


def mails_read(rule: PreferenceRule) -> int:
    """How many sent messages a part was made from."""
    return voice_of(rule).mails if rule.kind is RuleKind.VOICE else facts_of(rule).mails


def profile_text(rule: PreferenceRule, phrases: Mapping[str, str] = PHRASES) -> str:
    """A part of the profile, one fact a line; empty where nothing is known."""
    return "\n".join((_voice_lines if rule.kind is RuleKind.VOICE else _fact_lines)(rule, phrases))


def _voice_lines(rule: PreferenceRule, phrases: Mapping[str, str]) -> Iterable[str]:
    voice = voice_of(rule)
    for style in voice.styles:
        about = phrases["formal" if style.formal else "informal"].replace("%1", phrases[style.language])
        parts = [_filled(phrases, "greeting", style.greeting) or phrases["no_greeting"]]
        parts.append(_filled(phrases, "closing", style.closing.replace("\n", " / ")) or phrases["no_closing"])
        parts.append(_filled(phrases, "length", str(style.words)))
        yield f"{about}: {', '.join(parts)}.".replace(FIRST, "…")
    if voice.plural:
        yield phrases["we"]
    if voice.gender:
        yield phrases["feminine" if voice.gender == "f" else "masculine"]


def _fact_lines(rule: PreferenceRule, phrases: Mapping[str, str]) -> Iterable[str]:
    facts = facts_of(rule)
    said = {"name": ", ".join(facts.names), "role": facts.role, "phone": facts.phone}
    said |= {"address": facts.address, "website": facts.website}
    said["languages"] = ", ".join(f"{phrases[code]} {share} %" for code, share in facts.languages)
    yield from filter(None, (_filled(phrases, key, value) for key, value in said.items()))
    if facts.hours is not None:
        words = phrases["any_day" if facts.weekends else "weekdays"]
        yield words.replace("%1", f"{facts.hours[0]}:00").replace("%2", f"{facts.hours[1]}:00")


def _filled(phrases: Mapping[str, str], key: str, value: str) -> str:
    return phrases[key].replace("%1", value) if value else ""


def for_prompt(active: Sequence[Preference], account_id: AccountId, usual: str) -> tuple[tuple[Preference, ...], str]:
    """The preferences of a namespace that hold for an account, and their text for a prompt.

    `usual` stands in where nothing but the profile is known.
    """
    profile = [one for one in active if one.rule is not None and one.rule.kind in PROFILE]
    mine = [one for one in profile if one.rule is not None and one.rule.about == str(account_id)]
    others = [one for one in active if one not in profile]
    return (*mine, *others), "\n".join(filter(None, (as_lines(mine), as_lines(others) or usual)))


def with_closings(known: Sequence[Preference], account_id: AccountId) -> tuple[Preference, ...]:
    """Adds the usual closings as rules, for drafts without a model, where the owner taught none for the language."""
    taught = {one.rule.scope for one in known if one.rule is not None and one.rule.kind is RuleKind.SIGN_OFF}
    added: list[Preference] = []
    for voice in known:
        rule = voice.rule
        if rule is None or voice.typed or (rule.kind, rule.about) != (RuleKind.VOICE, str(account_id)):
            continue
        closings = {one.language: one.closing for one in sorted(voice_of(rule).styles, key=lambda one: one.formal) if one.closing}
        added += [
            replace(voice, rule=PreferenceRule(RuleKind.SIGN_OFF, spoken, words))
            for spoken, words in closings.items()
            if not taught & {spoken, ""}
        ]
    return (*added, *known)

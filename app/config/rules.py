"""Routing rules: read from `routing.yaml`, checked key by key, each fault with file, line and remedy.

Reading only. A file with any fault gives no rules at all; the caller keeps the last good ones in force.
"""

import re
from collections.abc import Callable
from pathlib import Path

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from app.domain.errors import BadFile
from app.domain.routing import HeaderPattern, Match, Rule
from app.domain.runs import Route

RULE_KEYS = ("name", "match", "route", "profile")
MATCH_KEYS = ("all", "sender_email", "sender_domain", "subject_contains", "header_match", "forwarded_from")
Fault = Callable[[int, str, str], BadFile]


def load_rules(path: Path) -> tuple[Rule, ...]:
    """The rules in order; a missing file means none. Raises `BadFile`."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ()
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise BadFile(str(path), line, "The file is not UTF-8 text.", "Save it as UTF-8.") from error
    return parse_rules(text, path)


def parse_rules(text: str, path: Path) -> tuple[Rule, ...]:
    """Check `text` as the contents of `path`."""

    def fault(line: int, detail: str, remedy: str) -> BadFile:
        return BadFile(str(path), line, detail, remedy)

    document = _document(text, fault)
    if document is None:
        return ()
    routing = _mapping(document, fault, "The file", 1)
    _known(routing, ("routing", "agent"), fault, "the file")
    inner = routing.get("routing")
    if inner is None:
        return ()
    listed = _mapping(inner, fault, "routing", _line(routing, "routing"))
    _known(listed, ("rules",), fault, "routing")
    rules = listed.get("rules")
    if rules is None:
        return ()
    if not isinstance(rules, CommentedSeq):
        raise fault(_line(listed, "rules"), "routing.rules is not a list.", "Start each rule with a dash: - name: ...")
    return _unique(tuple(_rule(rules, index, fault) for index in range(len(rules))), rules, fault)


def _document(text: str, fault: Fault) -> object:
    """The parsed YAML, with line numbers."""
    try:
        return YAML(typ="rt").load(text)
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark is not None else 0
        raise fault(
            line, f"Not valid YAML: {error.problem or error.context}.", "Check indentation, colons and quotes here."
        ) from error
    except (YAMLError, ValueError) as error:
        raise fault(0, f"Not valid YAML: {error}.", "Check the file with a YAML editor.") from error


def _rule(rules: CommentedSeq, index: int, fault: Fault) -> Rule:
    """One entry of the list."""
    start = int(rules.lc.item(index)[0]) + 1
    entry = _mapping(rules[index], fault, f"Rule {index + 1}", start)
    _known(entry, RULE_KEYS, fault, "a rule")
    name = _text(entry, "name", fault, start)
    route_name = _text(entry, "route", fault, start)
    if route_name not in list(Route):
        raise fault(_line(entry, "route"), f"There is no route {route_name!r}.", f"Choose one of: {', '.join(Route)}.")
    route = Route(route_name)
    profile = _text(entry, "profile", fault, start) if "profile" in entry else ""
    if (route is Route.AGENT) != bool(profile):
        remedy = (
            "Name a profile for the agent route." if route is Route.AGENT else "Delete profile; only the agent route has one."
        )
        raise fault(_line(entry, "profile" if profile else "route"), f"Rule {name!r}: route and profile do not fit.", remedy)
    if "match" not in entry:
        raise fault(start, f"Rule {name!r} has no match.", "Add conditions, or `match: {all: true}` for every mail.")
    match = _match(_mapping(entry["match"], fault, "match", _line(entry, "match")), fault)
    return Rule(name, match, route, profile)


def _match(entry: CommentedMap, fault: Fault) -> Match:
    """The conditions of a rule."""
    _known(entry, MATCH_KEYS, fault, "match")
    if not entry:
        raise fault(_line(entry, None), "match has no condition, so the rule would never apply.", "Add one, or `all: true`.")
    if "all" in entry and entry["all"] is not True:
        raise fault(_line(entry, "all"), "all can only be true.", "Write `all: true`, or delete the line.")
    texts = {key: _text(entry, key, fault, 0).lower() for key in MATCH_KEYS[1:4] if key in entry}
    forwarded = _text(entry, "forwarded_from", fault, 0).lower() if "forwarded_from" in entry else ""
    for key, value in (("sender_email", texts.get("sender_email", "")), ("forwarded_from", forwarded)):
        if value and "@" not in value:
            raise fault(_line(entry, key), f"{key} is no mail address: {value!r}.", "Write it as name@example.org.")
    if "@" in texts.get("sender_domain", ""):
        raise fault(_line(entry, "sender_domain"), "sender_domain holds an @.", "Write only the part after the @.")
    headers = _headers(entry, fault) if "header_match" in entry else ()
    return Match(all="all" in entry, header_match=headers, forwarded_from=forwarded, **texts)


def _headers(entry: CommentedMap, fault: Fault) -> tuple[HeaderPattern, ...]:
    """Header names and their compiled patterns."""
    wanted = _mapping(entry["header_match"], fault, "header_match", _line(entry, "header_match"))
    patterns = []
    for name in wanted:
        text = _text(wanted, name, fault, 0)
        try:
            patterns.append(HeaderPattern(str(name), re.compile(text, re.IGNORECASE)))
        except re.error as error:
            raise fault(
                _line(wanted, name), f"The pattern for {name} is wrong: {error}.", "Mend the regular expression."
            ) from error
    return tuple(patterns)


def _unique(rules: tuple[Rule, ...], entries: CommentedSeq, fault: Fault) -> tuple[Rule, ...]:
    """The rules, if no name stands twice: the audit trail names rules by name."""
    seen: set[str] = set()
    for index, rule in enumerate(rules):
        if rule.name in seen:
            raise fault(int(entries.lc.item(index)[0]) + 1, f"Two rules are called {rule.name!r}.", "Give one another name.")
        seen.add(rule.name)
    return rules


def _mapping(value: object, fault: Fault, what: str, line: int) -> CommentedMap:
    """`value` if it is a mapping."""
    if not isinstance(value, CommentedMap):
        raise fault(line, f"{what} is not a mapping of keys to values.", "Write it as `key: value` lines.")
    return value


def _known(entry: CommentedMap, keys: tuple[str, ...], fault: Fault, where: str) -> None:
    """Refuse keys that nobody reads."""
    for key in entry:
        if key not in keys:
            raise fault(_line(entry, key), f"There is no {key!r} in {where}.", f"Known here: {', '.join(keys)}.")


def _text(entry: CommentedMap, key: object, fault: Fault, line: int) -> str:
    """A value that has to be text and not empty."""
    if key not in entry:
        raise fault(line, f"{key} is missing.", f"Add `{key}: ...`.")
    value = entry[key]
    if not isinstance(value, str) or not value.strip():
        raise fault(_line(entry, key), f"{key} is not a text.", "Put the value in quotes.")
    return value.strip()


def _line(entry: CommentedMap, key: object) -> int:
    """The 1-based line of a key, or of the mapping itself."""
    if key is not None and key in entry:
        return int(entry.lc.key(key)[0]) + 1
    return int(entry.lc.line) + 1

"""Writes rules into `routing.yaml` and keeps everything else in the file, comments included.

An unchanged rule keeps its lines byte for byte wherever it moves, with the comments directly above it. A changed rule keeps the
comments inside it. The result is read again before it is written and must give exactly the wanted rules.
"""

from collections.abc import Sequence
from io import StringIO
from pathlib import Path

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq

from app.config.rules.rules import TEXT_KEYS, parse_rules, rules_of
from app.config.rules.yaml_lines import YamlSection, parse_yaml
from app.config.settings_file import write_atomically
from app.config.user_files import read_text
from app.domain.agents.routing import RoutingRule
from app.domain.error_texts import Cause
from app.domain.errors import BadFile, NotAllowed

NEW_DASH = 4
"""Column of a rule's dash in a file that had no rules."""


def check_rules(rules: Sequence[RoutingRule]) -> None:
    """Raises `NotAllowed` for rules that could not be read back, with the sentence the reader would give."""
    try:
        found = parse_rules(_rendered("", rules), Path("routing.yaml"))
    except BadFile as error:
        raise NotAllowed(error.text) from error
    if found != tuple(rules):
        raise NotAllowed(Cause.RULES_NOT_WRITABLE)


def write_rules(path: Path, rules: Sequence[RoutingRule]) -> None:
    """Writes `rules` in this order. Raises `BadFile` for a broken file, `NotAllowed` for invalid rules, `DiskFull`."""
    check_rules(rules)
    text = read_text(path)
    document = parse_yaml(text, path)
    before = () if document is None else rules_of(document)
    new = _in_blocks(text, document, before, rules)
    if new is None or _read(new, path) != tuple(rules):
        new = _rendered(text, rules)
    if _read(new, path) != tuple(rules):
        raise NotAllowed(Cause.RULES_FILE_NOT_WRITABLE)
    write_atomically(path, new)


def _read(text: str, path: Path) -> tuple[RoutingRule, ...] | None:
    try:
        return parse_rules(text, path)
    except BadFile:
        return None


def _in_blocks(
    text: str, document: YamlSection | None, before: Sequence[RoutingRule], rules: Sequence[RoutingRule]
) -> str | None:
    """The text with blocks of lines kept, moved, changed or left out. None where the rules are not written as blocks."""
    if document is None or "routing" not in document:
        head = text if not text or text.endswith("\n") else text + "\n"
        return head + "".join(["routing:\n  rules:\n", *(line for rule in rules for line in _new_block(rule, NEW_DASH))])
    listed = document.entry["routing"]["rules"] if before else None
    if not isinstance(listed, CommentedSeq) or listed.fa.flow_style():
        return None
    lines = text.splitlines(keepends=True)
    if not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    starts = [int(listed.lc.item(index)[0]) for index in range(len(listed))]
    dash = lines[starts[0]].find("-")
    if dash < 0 or any(lines[at][: dash + 1] != " " * dash + "-" for at in starts):
        return None
    tops = [_top(lines, at, dash) for at in starts]
    ends = [*tops[1:], _end(lines, starts[-1], dash)]
    blocks = {rule.name: lines[top:end] for rule, top, end in zip(before, tops, ends, strict=True)}
    known = {rule.name: rule for rule in before}
    middle: list[str] = []
    for rule in rules:
        block = blocks.get(rule.name)
        if block is None:
            middle += _new_block(rule, dash)
        else:
            middle += block if known[rule.name] == rule else _changed_block(block, rule, dash)
    return "".join([*lines[: tops[0]], *middle, *lines[ends[-1] :]])


def _top(lines: Sequence[str], start: int, dash: int) -> int:
    """First line of a rule, with the comments directly above it at the same indentation."""
    top = start
    while top and lines[top - 1].startswith(" " * dash + "#"):
        top -= 1
    return top


def _end(lines: Sequence[str], start: int, dash: int) -> int:
    """Line after the last rule: before the next line with less indentation and the blank lines or comments above that."""
    end = start + 1
    for at in range(start + 1, len(lines)):
        content = lines[at].strip()
        if content and not content.startswith("#"):
            if len(lines[at]) - len(lines[at].lstrip()) <= dash:
                break
            end = at + 1
        elif lines[at].startswith(" " * (dash + 1) + " "):
            end = at + 1
    return end


def _new_block(rule: RoutingRule, dash: int) -> list[str]:
    return _indented(_dumped(CommentedSeq([_entry(rule)])), dash)


def _changed_block(block: Sequence[str], rule: RoutingRule, dash: int) -> list[str]:
    """A rule's lines with changed values and its comments kept."""
    first = next(at for at, line in enumerate(block) if line.startswith(" " * dash + "-"))
    listed = _round_trip().load("".join(line[dash:] if line.strip() else "\n" for line in block[first:]))
    _change(listed[0], _entry(rule))
    return [*block[:first], *_indented(_dumped(listed), dash)]


def _change(old: CommentedMap, new: CommentedMap) -> None:
    """Makes `old` equal to `new`. Keys that both have keep their place."""
    for key in [key for key in old if key not in new]:
        del old[key]
    for key, value in new.items():
        if isinstance(value, CommentedMap) and isinstance(old.get(key), CommentedMap):
            _change(old[key], value)
        elif key not in old or old[key] != value:
            old[key] = value


def _rendered(text: str, rules: Sequence[RoutingRule]) -> str:
    """The text with its list of rules written anew. Comments between rules are lost, all others stay."""
    document = _round_trip().load(text) or CommentedMap()
    routing = document.get("routing")
    if not isinstance(routing, CommentedMap):
        routing = document["routing"] = CommentedMap()
    routing["rules"] = CommentedSeq([_entry(rule) for rule in rules])
    return _dumped(document)


def _entry(rule: RoutingRule) -> CommentedMap:
    match = CommentedMap()
    if rule.match.all:
        match["all"] = True
    for key in TEXT_KEYS:
        value = getattr(rule.match, key)
        if value:
            match[key] = value
    if rule.match.header_match:
        match["header_match"] = CommentedMap((one.name, one.pattern) for one in rule.match.header_match)
    entry = CommentedMap(name=rule.name, match=match, route=rule.route.value)
    if rule.profile:
        entry["profile"] = rule.profile
    if rule.label:
        entry["label"] = rule.label
    if rule.actions:
        entry["actions"] = CommentedSeq(action.value for action in rule.actions)
    return entry


def _round_trip() -> YAML:
    """A parser and emitter that keeps comments, quotes and long lines."""
    yaml = YAML(typ="rt")
    yaml.preserve_quotes = True
    yaml.width = 4096
    return yaml


def _dumped(data: object) -> str:
    yaml = _round_trip()
    if isinstance(data, CommentedSeq):
        yaml.indent(mapping=2, sequence=2, offset=0)
    else:
        yaml.indent(mapping=2, sequence=4, offset=2)
    out = StringIO()
    yaml.dump(data, out)
    return out.getvalue()


def _indented(text: str, dash: int) -> list[str]:
    return [" " * dash + line if line.strip() else line for line in text.splitlines(keepends=True)]

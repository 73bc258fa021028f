"""Every English sentence in which the engine names an error is one that the window can say in its own language."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.ui.i18n.engine_sentences import LETTERS, REQUESTS, RULES, SENTENCES, _spoken

READERS = ("app/config", "app/mail/gmail/client_file.py", "app/mail/archives")
REQUEST_FILES = (
    "app/agent/agents/assistant",
    "app/store/requests/requests.py",
    "app/store/requests/request_rows.py",
    "app/domain/agents/requests.py",
)
LETTER_FILES = (
    "app/store/requests/artifacts.py",
    "app/store/letters/letters.py",
    "app/engine/letters/letter_editor.py",
    "app/engine/letters/draft_sync.py",
    "app/mail/compose/letter.py",
    "app/mail/compose/parts.py",
)
RULE_FILES = ("app/config/rules/rule_editing.py", "app/engine/rules/rules_service.py", "app/engine/rules/tool_servers.py")
PUT_TOGETHER = {"it is no it from it to it.", "it is no name for a it.", "it: it."}
"""Sentences of which some parts are words: the readers' own tests try them with real files."""
NO_USER_CAUSES = {
    "The agents have no tools here.",
    "There is no place for documents here.",
    "The request is it; there is no plan to start.",
    "Try a step again, or ask anew.",
    "The request has no step it.",
    "A step cannot go from it to it.",
    "Message-ID is not of the form <name@host>.",
    "Not one of the app's files.",
}


def trees(root: Path, places: tuple[str, ...]) -> Iterator[ast.Module]:
    """The modules at the places, which are files or folders."""
    for place in places:
        path = root / place
        for file in [path] if path.suffix else sorted(path.rglob("*.py")):
            yield ast.parse(file.read_text(encoding="utf-8"))


def texts(node: ast.expr, names: dict[str, list[str]]) -> list[str]:
    """The texts that an expression may be, with a word in each place."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=values):
            return ["".join(str(one.value) if isinstance(one, ast.Constant) else "it" for one in values)]
        case ast.IfExp(body=body, orelse=other):
            return [*texts(body, names), *texts(other, names)]
        case ast.Name(id=name):
            return names.get(name, [])
    return []


def sentences(tree: ast.Module, calls: tuple[str, ...], last: int | None = None) -> Iterator[str]:
    """What calls of these names are given in their last arguments."""
    names: dict[str, list[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            names.setdefault(node.targets[0].id, []).extend(texts(node.value, {}))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in calls:
            for argument in node.args[-last:] if last else node.args:
                yield from texts(argument, names if last else {})


def test_the_window_knows_what_readers_of_files_say(root: Path) -> None:
    found = {text for tree in trees(root, READERS) for text in sentences(tree, ("BadFile", "error"), 2) if text.endswith(".")}
    assert len(found) > 60
    unknown = [text for text in sorted(found - PUT_TOGETHER) if not _spoken(text)]
    assert not unknown, f"add them to app/ui/i18n/engine_sentences.py: {unknown}"
    assert len(set(SENTENCES)) == len(SENTENCES)


@pytest.mark.parametrize(
    ("places", "known", "least"),
    [(REQUEST_FILES, REQUESTS, 25), (LETTER_FILES, LETTERS, 18), (RULE_FILES, RULES, len(RULES))],
    ids=["requests", "letters", "rules"],
)
def test_the_window_knows_why_a_command_is_not_done(
    root: Path, places: tuple[str, ...], known: tuple[str, ...], least: int
) -> None:
    calls = ("NotAllowed", "NotFound", "UnusableAnswer")
    found = {text for tree in trees(root, places) for text in sentences(tree, calls) if text}
    assert len(found) >= least
    unknown = [text for text in sorted(found - NO_USER_CAUSES) if not _spoken(text)]
    assert not unknown, f"add them to app/ui/i18n/engine_sentences.py: {unknown}"
    assert len(set(known)) == len(known)

"""What keeps a request from being done is said in the window's language, whichever room says it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.ui.assistant.words import error_words
from app.ui.file_faults import _spoken
from app.ui.request_faults import REQUESTS

ROOMS = ("app/agent/supervisor", "app/store/requests.py", "app/store/request_writing.py", "app/domain/assistant.py")
OUR_OWN = {
    "The agents have no tools here.",
    "There is no place for documents here.",
    "The request is it; there is no plan to start.",
    "Try a step again, or ask anew.",
    "The request has no step it.",
    "A step cannot go from it to it.",
}
"""What no user can cause."""


def said(tree: ast.AST) -> Iterator[str]:
    """What refusals are given, with a word in each place."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("Refused", "NotFound", "UnusableAnswer")
        ):
            for one in node.args:
                if isinstance(one, ast.JoinedStr):
                    yield "".join(str(part.value) if isinstance(part, ast.Constant) else "it" for part in one.values)
                elif isinstance(one, ast.Constant) and isinstance(one.value, str):
                    yield one.value


def test_every_sentence_is_known(root: Path) -> None:
    files = [path for room in ROOMS for path in ([root / room] if room.endswith(".py") else sorted((root / room).glob("*.py")))]
    found = {text for path in files for text in said(ast.parse(path.read_text(encoding="utf-8"))) if text}
    assert len(found) > 25
    assert not [text for text in sorted(found - OUR_OWN) if not _spoken(text)]
    assert len(set(REQUESTS)) == len(REQUESTS)


@pytest.mark.parametrize(
    ("said_in_english", "czech_words"),
    [
        ("The mail has no recipient. Try the step again.", "E-mail nemá příjemce. Zkuste krok znovu."),
        ("openai/gpt-4o answered twice in a form that cannot be used.", "openai/gpt-4o"),
        ("Nobody knows. Try the step again.", "Nobody knows. Zkuste krok znovu."),
        ("", ""),
    ],
)
def test_several_sentences_are_said_in_czech(czech: None, said_in_english: str, czech_words: str) -> None:
    assert error_words(said_in_english).startswith(czech_words)

"""Coverage-guided fuzzing of what reads strangers' bytes: `python tests/end_to_end/security/fuzz_mail.py html
-max_total_time=300`.

Targets: `html` (cleaning is harmless and changes nothing the second time; the visible text comes), `parse` (a message as Gmail's
API gives it), `query` (what a user types to search). A corpus of hostile vectors is the start. Needs atheris; test_fuzz.py runs
each target for a moment where it is installed.
"""

import base64
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import atheris

sys.path[:0] = [str(Path(__file__).resolve().parents[3]), str(Path(__file__).resolve().parents[2])]

with atheris.instrument_imports(include=["app.mail", "app.store.search.query_parser"]):
    from app.domain.errors import ExpectedError
    from app.mail.html.clean import clean_html
    from app.mail.html.visible import visible_text
    from app.mail.parse import parse_message
    from app.store.search.query_parser import parse_query
    from fakes.gmail.generated_html import shapes
    from fakes.gmail.hostile_html import vectors

KINDS = [
    "text/plain",
    "text/html",
    "multipart/alternative",
    "multipart/mixed",
    "message/rfc822",
    "text/calendar",
    "image/png",
    "",
]
NAMES = ["From", "To", "Cc", "Subject", "Date", "Message-ID", "References", "Content-Type", "Reply-To", "List-Unsubscribe", "X-Y"]


def html(data: bytes) -> None:
    """Cleaning and reading."""
    text = data.decode("utf-8", "replace")
    cleaned = clean_html(text)
    assert clean_html(cleaned) == cleaned
    assert "<script" not in cleaned.lower()
    assert "url(" not in cleaned.lower().partition("</style>")[0] or "<style" not in cleaned.lower()
    visible_text(text)
    visible_text(cleaned)


def parse(data: bytes) -> None:
    """A message resource with whatever the bytes make of it."""
    made = atheris.FuzzedDataProvider(data)
    resource = {
        "id": made.ConsumeUnicodeNoSurrogates(6) or "a",
        "threadId": "t",
        "labelIds": ["INBOX"],
        "snippet": made.ConsumeUnicodeNoSurrogates(10),
        "historyId": "1",
        "internalDate": str(made.ConsumeIntInRange(0, 4_000_000_000_000)),
        "payload": part(made, 0),
    }
    try:
        parse_message(json.loads(json.dumps(resource)))
    except ExpectedError:
        return


def part(made: "atheris.FuzzedDataProvider", level: int) -> dict[str, object]:
    """One MIME part, perhaps with others in it."""
    kind = made.PickValueInList(KINDS)
    headers = [
        {"name": made.PickValueInList(NAMES), "value": made.ConsumeUnicode(made.ConsumeIntInRange(0, 80))}
        for _ in range(made.ConsumeIntInRange(0, 5))
    ]
    body = made.ConsumeBytes(made.ConsumeIntInRange(0, 400))
    children = [part(made, level + 1) for _ in range(made.ConsumeIntInRange(0, 3))] if level < 4 else []
    return {
        "partId": str(level),
        "mimeType": kind,
        "filename": made.ConsumeUnicodeNoSurrogates(made.ConsumeIntInRange(0, 12)),
        "headers": headers,
        "body": {"size": len(body), "data": base64.urlsafe_b64encode(body).decode()},
        "parts": children,
    }


def query(data: bytes) -> None:
    """A search as it is typed."""
    try:
        parse_query(data.decode("utf-8", "replace"))
    except ExpectedError:
        return


TARGETS: dict[str, Callable[[bytes], None]] = {"html": html, "parse": parse, "query": query}


def main() -> None:
    """Run one target; what follows its name goes to libFuzzer."""
    target = TARGETS[sys.argv[1]]
    with tempfile.TemporaryDirectory() as corpus:
        if target is html:
            for number, vector in enumerate([*vectors(), *shapes()]):
                (Path(corpus) / str(number)).write_bytes(vector.encode("utf-8", "surrogatepass"))
        atheris.Setup([sys.argv[0], *sys.argv[2:], corpus], target)
        atheris.Fuzz()


if __name__ == "__main__":
    main()

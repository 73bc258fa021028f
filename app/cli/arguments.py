"""Parses the command line. `app.main` runs the commands.

Uses argparse: the window starts through this module, and every import delays its first paint.
"""

import argparse
from collections.abc import Callable
from pathlib import Path

PROGRAM = "replyroom"
COMMANDS = {
    "engine",
    "read-file",
    "keep-server",
    "sandbox",
    "demo",
    "import",
    "doctor",
    "pharmacy",
    "audit",
    "serve-gmail",
    "eval",
}
"""All commands except the one that opens the window."""


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog=PROGRAM,
        description="A desktop mail assistant that drafts replies for your review.",
        epilog="A mailto: address at the end begins a letter.",
    )
    top.add_argument("--data", type=Path, help="data folder (default: REPLYROOM_DATA or the platform's folder)")
    top.add_argument("--version", action="store_true", help="print the version and end")
    top.add_argument("--self-test", action="store_true", help="try each part that this program was built with, and end")
    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    commands.add_parser("window", help="open the window (the default)")
    engine = commands.add_parser("engine", help="the engine process, spoken to over standard input and output")
    engine.add_argument("--data", type=Path, required=True, dest="engine_data")
    read = commands.add_parser("read-file", help="write the text of a file; the engine reads files with it")
    read.add_argument("kind", help="how to read it: pdf, docx, xlsx, pptx, odt, html, text, calendar or mail")
    read.add_argument("file", type=Path, metavar="FILE")
    keep = commands.add_parser(
        "keep-server", help="run a model server until standard input ends; the engine uses it", add_help=False
    )
    keep.add_argument("rest", nargs=argparse.REMAINDER)
    sandbox = commands.add_parser("sandbox", help="serve a local Gmail-compatible server", add_help=False)
    sandbox.add_argument("rest", nargs=argparse.REMAINDER)
    _add_demo(commands.add_parser("demo", help="everything on the sample mailbox: no account, no key, no network"))
    imported = commands.add_parser("import", help="read a mail archive (mbox, Maildir, Google Takeout) into a local account")
    imported.add_argument("file", type=Path, metavar="FILE", help="an mbox file, a Maildir folder, or a Takeout zip or tgz")
    doctor = commands.add_parser("doctor", help="check this installation and say what is missing")
    doctor.add_argument("--json", action="store_true", help="machine-readable")
    doctor.add_argument("--bundle", type=Path, metavar="FILE", help="write versions, settings and logs, redacted, to a zip file")
    _add_service(commands.add_parser("serve-gmail", help="the Gmail agent as a service over HTTP"))
    _add_pharmacy(commands.add_parser("pharmacy", help="the drugs of the pharmacy example profile"))
    _add_eval(commands.add_parser("eval", help="measure sorting on labelled mail, or on your own past mail"))
    audit = commands.add_parser("audit", help="what agents did")
    chores = audit.add_subparsers(dest="chore", metavar="CHORE", required=True)
    sent = chores.add_parser("sent", help="what left this computer for language models, a line for each call")
    sent.add_argument("--format", choices=("json", "csv"), default="json", help="JSON lines or a table (default: json)")
    sent.add_argument("--host", default="", metavar="NAME", help="only calls to this host")
    for export in (chores.add_parser("export", help="as JSON lines"), sent):
        export.add_argument("--out", type=Path, metavar="FILE", help="write there (default: standard output)")
        export.add_argument("--days", type=_int_between(1, 36_500), default=400, help="how far back")
    return top


def _int_between(least: int, most: int) -> Callable[[str], int]:
    """An argparse type: an integer between two bounds."""

    def number(text: str) -> int:
        value = int(text)
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{value} is not between {least} and {most}")
        return value

    number.__name__ = "number"
    return number


def written_to(words: list[str]) -> tuple[list[str], str]:
    """Splits a `mailto:` address off the end of the arguments. The desktop opens mail links this way."""
    if words and words[-1].lower().startswith("mailto:") and not set(words[:-1]) & COMMANDS:
        return words[:-1], words[-1]
    return words, ""


def _add_pharmacy(pharmacy: argparse.ArgumentParser) -> None:
    chores = pharmacy.add_subparsers(dest="chore", metavar="CHORE", required=True)
    bring = chores.add_parser("import", help="bring a catalogue in (CSV: our columns or SUKL's)")
    bring.add_argument("file", type=Path)
    bring.add_argument("--stock", type=Path, metavar="FILE", help="stock from a file with code, pharmacy_id and stock")
    made = chores.add_parser("generate", help="write a made-up catalogue")
    made.add_argument("file", type=Path)
    made.add_argument("--rows", type=_int_between(1, 1_000_000), default=3000, help="how many drugs")


def _add_service(service: argparse.ArgumentParser) -> None:
    service.add_argument("--data", type=Path, dest="service_data", help="the data folder whose mail and settings it uses")
    service.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="listen there (default: for this machine)")
    service.add_argument("--port", type=_int_between(0, 65_535), default=8000, help="0 takes a free one (default: 8000)")
    service.add_argument("--allow-host", action="append", default=[], metavar="NAME", help="it may be called so, too")
    token = service.add_mutually_exclusive_group()
    token.add_argument("--show-token", action="store_true", help="print the token that clients need, and end")
    token.add_argument("--keep-token", metavar="URL", help="keep the token of the service at URL, read from the input")


def _add_eval(evaluation: argparse.ArgumentParser) -> None:
    what = evaluation.add_mutually_exclusive_group(required=True)
    what.add_argument("file", nargs="?", type=Path, metavar="FILE", help="labelled mail, a JSON object a line")
    what.add_argument("--archive", action="store_true", help="your past mail: each message judged from what came before it")
    evaluation.add_argument("--me", default="", metavar="ADDRESS", help="the owner's address where lines of FILE name none")
    evaluation.add_argument("--account", default="", metavar="ADDRESS", help="which account (default: the only one)")
    evaluation.add_argument("--months", type=_int_between(1, 120), default=6, help="how far back (default: 6)")
    evaluation.add_argument("--json", action="store_true", help="machine-readable")
    evaluation.add_argument("--rows", action="store_true", help="every message with its scores, and progress line by line")
    models = evaluation.add_argument_group(
        "language models", "each message of FILE is sent to the model; the key is the keyring's"
    )
    models.add_argument("--model", action="append", default=[], metavar="ID", help="measure this model; twice: side by side")
    models.add_argument("--api-base", default="", metavar="URL", help="the address of the model's server")
    models.add_argument("--most", type=_int_between(1, 1_000_000), metavar="N", help="only the first N messages")
    models.add_argument("--html", type=Path, metavar="PAGE", help="write a page with each message and its drafts")
    models.add_argument("--out", type=Path, metavar="LINES", help="write every answer as JSON lines")


def _add_demo(demo: argparse.ArgumentParser) -> None:
    demo.add_argument("--headless", action="store_true", help="do a short session by itself, offscreen, and check the server")
    demo.add_argument("--report", type=Path, help="write the session's JSON report to this file (headless)")
    demo.add_argument("--shots", type=Path, metavar="DIR", help="write screenshots of every page there (headless)")
    demo.add_argument("--mbox", type=Path, help="serve this mbox instead of the sample mailbox")
    demo.add_argument("--me", default="", metavar="ADDRESS", help="the owner's address in that mailbox")
    demo.add_argument("--triage-all", action="store_true", help="consent: look at all unread inbox mail, whatever its age")
    demo.add_argument("--data", type=Path, dest="demo_data", help="keep the data in this empty folder, not in a temporary one")
    demo.add_argument("--limit-s", type=_int_between(1, 86_400), default=900, help="give up after so many seconds (headless)")

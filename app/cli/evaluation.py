"""`replyroom eval`: measures triage on a file of labelled mail, or on the owner's own archive (`--archive`).

The archive is read beside a running engine and never written. Progress goes to standard error, results to standard output.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from app.config.paths import DataFolder
from app.config.settings import load
from app.domain.agents.backtest import CHOICES, STANDARD, TriageLimits, figures, limits_for
from app.domain.errors import BadFile, NotFound
from app.domain.mail.message import Account
from app.domain.protocol.agent_commands import BacktestDone
from app.domain.record import asdict
from app.engine.learning.backtest import BacktestReader
from app.store.mail.mail_rows import load_accounts
from app.store.reader.base_reader import DatabaseReader

MOST_ERRORS = 20
CANCELLED = 130
"""Exit code after Ctrl+C, as shells have it."""


def run_eval(options: argparse.Namespace, root: Path) -> int:
    """Runs the measurement. Raises `ExpectedError`."""
    try:
        if options.model and options.file:
            return evaluate_models(options)
        if options.archive:
            return evaluate_archive(options, DataFolder(root))
        return evaluate_file(options.file, options.me, options.json)
    except KeyboardInterrupt:
        sys.stderr.write("\ncancelled; nothing was changed\n")
        return CANCELLED


def evaluate_models(options: argparse.Namespace) -> int:
    """Measures language models on a file and prints a line for each. Raises `BadFile`."""
    from app.evals.models import measured

    scores, _runs = asyncio.run(measured(options))
    for one in scores:
        sys.stdout.write(json.dumps(asdict(one)) + "\n")
    return 0


def evaluate_archive(options: argparse.Namespace, folder: DataFolder) -> int:
    """Tries triage on past mail and prints what other limits would have done. Raises `NotFound`."""
    source = DatabaseReader(folder.database)
    account = _account(source, options.account)
    reader = BacktestReader(source, account, options.months)
    for done in reader.steps():
        if options.rows or sys.stderr.isatty():
            sys.stderr.write(f"{done}/{reader.total}{chr(10) if options.rows else chr(13)}")
            sys.stderr.flush()
    result = reader.done()
    source.close()
    if options.rows:
        sys.stdout.buffer.write(msgspec.json.encode(result) + b"\n")
        return 0
    told = _told(account, result, load(folder.settings).triage.limits)
    sys.stdout.write(json.dumps(told) + "\n" if options.json else _table(told))
    return 0


def _account(source: DatabaseReader, email: str) -> Account:
    """The account of this address, or the only one."""
    accounts = source.load(load_accounts)
    found = [one for one in accounts if email.lower() in ("", one.email.lower())]
    if len(found) == 1:
        return found[0]
    known = ", ".join(one.email for one in accounts)
    if not accounts:
        raise NotFound("There is no mailbox in this data folder.", "Connect an account in Replyroom first, or pass --data.")
    raise NotFound(f"There is no single account {email or 'here'}; known: {known}.", "Choose one with --account ADDRESS.")


def _told(account: Account, done: BacktestDone, now: TriageLimits) -> dict[str, object]:
    """The result as JSON."""
    known = figures(done.rows, STANDARD)
    standard = STANDARD.learned(done.respond_from)
    choices: list[tuple[str, TriageLimits]] = [("standard", standard), ("now", now.learned(done.respond_from))]
    choices += [(f"{count} in 100", limits_for(done.rows, count)) for count in CHOICES]
    dates = [datetime.fromtimestamp(at / 1000, UTC).date().isoformat() for at in (done.since_ms, done.until_ms)]
    learned = {"messages": done.examples, "answered": done.answered, "cold_start": not done.strongest}
    return {
        "account": account.email,
        "since": dates[0],
        "until": dates[1],
        "received": known.received,
        "answered": known.answered,
        "learned": {**learned, "strongest": dict(done.strongest)},
        "choices": [{"miss_at_most": name, **asdict(limits), **asdict(figures(done.rows, limits))} for name, limits in choices],
    }


def _table(told: Mapping[str, object]) -> str:
    learned, choices = told["learned"], told["choices"]
    assert isinstance(learned, dict) and isinstance(choices, list)
    lines = [
        f"{told['account']}: {told['received']} received from {told['since']} to {told['until']}, {told['answered']} answered",
        "cold start: too few answers to learn from"
        if learned["cold_start"]
        else f"learned from {learned['messages']} messages, {learned['answered']} of them answered",
        "",
        f"{'miss at most':<14}{'limit':>7}{'needs reply':>13}{'answered':>10}{'missed':>8}{'hidden':>8}{'ignored':>9}",
    ]
    lines += [
        f"{one['miss_at_most']:<14}{one['respond_from']:>7.3f}{one['marked']:>13}{one['right']:>10}{one['missed']:>8}"
        f"{one['hidden']:>8}{one['ignored']:>9}"
        for one in choices
    ]
    return "\n".join(lines) + "\n"


def evaluate_file(file: Path, me: str, as_json: bool) -> int:
    """Judges labelled mail and prints the figures. Bad lines are named, and give exit code 2. Raises `BadFile`."""
    from app.evals.judgement import figures as judged_figures
    from app.evals.judgement import judge_labelled, report
    from app.evals.judgement_mail import read_file

    errors: list[BadFile] = []
    mails = read_file(file, me, errors)
    sys.stderr.writelines(f"{one}\n" for one in errors[:MOST_ERRORS])
    if len(errors) > MOST_ERRORS:
        sys.stderr.write(f"and {len(errors) - MOST_ERRORS} more bad lines\n")
    if not mails:
        raise BadFile(str(file), len(errors) and 1, "no line is labelled mail; each is a JSON object with mail and gold")
    judged = judge_labelled(mails)
    known = {name: value for name, value in judged_figures(judged).items() if value is not None}
    sys.stdout.write(json.dumps({"mails": len(judged), **known}) + "\n" if as_json else report(judged) + "\n")
    return 2 if errors else 0

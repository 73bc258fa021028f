"""Runs all checks of the self-test in one process, the most basic first, and prints a line for each.

Works in a temporary folder. Touches no mail, settings or keys.
"""

import logging
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from time import perf_counter

from app.domain.record import Record

log = logging.getLogger(__name__)


class CheckFailed(Exception):
    """A part is there but does not work."""


class CheckContext(Record):
    """An empty folder for the checks, the command that starts this program, and its version."""

    folder: Path
    ourselves: Sequence[str]
    program: str


Look = Callable[[CheckContext], str]
"""Returns a short result. Any exception means failure."""


def expect(truth: object, words: str) -> None:
    """Raises `CheckFailed` with `words` unless `truth`."""
    if not truth:
        raise CheckFailed(words)


CHECKS = (
    ("program files", "storage", "program_files"),
    ("mail store", "storage", "mail_store"),
    ("embedding model", "storage", "embedding"),
    ("vectors", "storage", "vectors"),
    ("spelling", "storage", "spelling"),
    ("certificates", "outside", "certificates"),
    ("keyring", "outside", "keyring"),
    ("Google's client", "outside", "google_client"),
    ("agents", "outside", "agents"),
    ("language models", "outside", "language_models"),
    ("helpers", "storage", "helpers"),
    ("engine", "storage", "engine"),
    ("window system", "window", "window_system"),
    ("catalogues", "window", "catalogues"),
    ("icons", "window", "icons"),
    ("HTML view", "window", "html_view"),
)
"""Name, module and function. A module that cannot be imported fails only its own checks."""


def run_self_test(ourselves: Sequence[str], program: str, checks: Iterable[tuple[str, Look]] | None = None) -> int:
    """Runs the checks. Returns 0 when all parts work.

    `ourselves` is the command that starts this program, `program` its version.
    """
    for name in ("LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2"):
        os.environ[name] = "false"
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    begun, failed = perf_counter(), []
    with tempfile.TemporaryDirectory(prefix="replyroom-self-test-", ignore_cleanup_errors=True) as folder:
        for name, look in _checks() if checks is None else checks:
            try:
                said = f"ok     {name}: {look(CheckContext(Path(folder), ourselves, program))}"
            except Exception as error:  # it does not stop the other checks
                log.exception("the self-test of %s failed", name)
                said = " ".join(f"FAILED {name}: {type(error).__name__}: {error}".split())
                failed.append(name)
            sys.stdout.write(f"{said}\n")
            sys.stdout.flush()
    used_s = sum(os.times()[:4])
    sys.stdout.write(f"{perf_counter() - begun:.1f} s, {used_s:.1f} s of CPU\n")
    sys.stdout.write(f"failed: {', '.join(failed)}\n" if failed else "all parts work\n")
    return 1 if failed else 0


def _checks() -> Iterator[tuple[str, Look]]:
    for name, module, function in CHECKS:

        def look(context: CheckContext, module: str = module, function: str = function) -> str:
            return str(getattr(import_module(f"app.cli.self_test.{module}"), function)(context))

        yield name, look

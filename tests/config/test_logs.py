"""Logs hold no secrets and no addresses, tracebacks included."""

import logging
from pathlib import Path

import pytest

from app.config.logs import RedactingFormatter, empty, redact, setup


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer abc.def-ghi",
        "refresh_token=1//0abcdefghijklmnopqrstuvwxyz",
        '{"access_token": "ya29.secretsecret"}',
        "key sk-abcdefgh12345678",
        "wrote to ana.novak+x@mail.example.org today",
        "AIzaSyA1234567890abcdefghijkl",
    ],
)
def test_secrets_are_struck_out(text: str) -> None:
    clean = redact(text)
    for secret in ("abc.def-ghi", "0abcdefgh", "ya29.", "sk-abcdefgh", "ana.novak", "AIzaSy"):
        assert secret not in clean


def test_ids_stay() -> None:
    assert redact("run 4f1c message 12 took 3 ms") == "run 4f1c message 12 took 3 ms"


def test_tracebacks_are_redacted() -> None:
    try:
        raise ValueError("for ana@example.org")
    except ValueError:
        import sys

        record = logging.LogRecord("x", logging.ERROR, __file__, 1, "failed", None, sys.exc_info())
    assert "ana@" not in RedactingFormatter().format(record)


def test_setup_writes_a_file_per_process(tmp_path: Path) -> None:
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    try:
        setup(tmp_path / "logs", "engine")
        logging.getLogger("app.test").info("message 5 stored")
    finally:
        for handler in set(root.handlers) - set(before):
            handler.close()
            root.removeHandler(handler)
        root.setLevel(level)
    assert "message 5 stored" in (tmp_path / "logs" / "engine.log").read_text(encoding="utf-8")


def test_emptied_logs_go_on_at_their_beginning(tmp_path: Path) -> None:
    """A log that is open is emptied in place; older ones go."""
    file = logging.FileHandler(tmp_path / "engine.log")
    file.emit(logging.makeLogRecord({"msg": "before"}))
    (tmp_path / "engine.log.1").write_text("older")
    empty(tmp_path)
    file.emit(logging.makeLogRecord({"msg": "after"}))
    file.close()
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("engine.log", "after\n")]


def test_a_long_line_without_an_address_costs_no_time() -> None:
    assert redact("a-" * 100_000) == "a-" * 100_000
    assert "ana" not in redact("x" * 100_000 + "-ana@example.org")

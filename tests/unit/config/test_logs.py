"""Logs hold no secrets and no addresses, tracebacks included."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.config.logs import OTHERS, QUOTING, RedactingFormatter, redact, setup
from app.domain.errors import NotAllowed


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


def test_tracebacks_are_redacted() -> None:
    try:
        raise ValueError("for ana@example.org")
    except ValueError:
        import sys

        record = logging.LogRecord("x", logging.ERROR, __file__, 1, "failed", None, sys.exc_info())
    assert "ana@" not in RedactingFormatter().format(record)


def _failed(text: str) -> tuple[type[BaseException], BaseException, object]:
    """What a reader of mail may raise: its own words behind others, and others in a group."""
    try:
        try:
            int(text)
        except ValueError as error:
            raise ExceptionGroup(text, [KeyError(text), FileNotFoundError(2, "No such file", text), NotAllowed(text)]) from error
    except ExceptionGroup as group:
        return type(group), group, group.__traceback__
    raise AssertionError(f"{text} is a number")


def test_tracebacks_tell_the_place_and_the_class_and_nothing_that_was_read() -> None:
    record = logging.LogRecord("x", logging.ERROR, __file__, 1, "failed", None, _failed("zanzibarword"))  # type: ignore[arg-type]
    logging.Formatter().format(record)  # another handler, before ours, keeps its own version in the record
    line = RedactingFormatter().format(record)
    assert "zanzibarword" not in line
    told = (
        "ValueError\n",
        "ExceptionGroup\n",
        "KeyError\n",
        "FileNotFoundError: No such file\n",
        "NotAllowed: refused",
        "in _failed",
    )
    assert [one for one in told if one not in line] == []


@contextmanager
def set_up(folder: Path) -> Iterator[Callable[[], str]]:
    """The engine's log in force; gives what stands in its file. Everything is as before at the end."""
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    libraries = {name: logging.getLogger(name).level for name in (*OTHERS, *QUOTING)}
    try:
        setup(folder, "engine")
        yield lambda: (folder / "engine.log").read_text(encoding="utf-8")
    finally:
        for handler in set(root.handlers) - set(before):
            handler.close()
            root.removeHandler(handler)
        root.setLevel(level)
        for name, was in libraries.items():
            logging.getLogger(name).setLevel(was)


@pytest.mark.expects_warnings
def test_neither_the_file_nor_the_console_names_anybody(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with set_up(tmp_path) as written:
        logging.getLogger("app.test").warning("no answer to %s", "ana@example.org")
        told = (written(), capsys.readouterr().err)
    assert ["<address>" in one for one in told] == [True, True]
    assert not any("ana@" in one for one in told)


@pytest.mark.parametrize("library", ["httpx", "googleapiclient", "LiteLLM", "mcp"])
def test_what_libraries_say_of_each_request_is_written_nowhere(tmp_path: Path, library: str) -> None:
    with set_up(tmp_path) as written:
        logging.getLogger("app.test").info("still here")
        logging.getLogger(f"{library}.inside").info("GET /search?q=zanzibar")
        if library in QUOTING:
            logging.getLogger(library).error("could not parse: zanzibar")
        assert "still here" in written()
        assert "zanzibar" not in written()


def test_a_long_line_without_an_address_costs_no_time() -> None:
    assert redact("a-" * 100_000) == "a-" * 100_000
    assert "ana" not in redact("x" * 100_000 + "-ana@example.org")

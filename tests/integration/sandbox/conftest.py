"""Fixtures of the sandbox's tests: one server for all, a fresh account for each test, and servers of one's own."""

import itertools
import os
from collections.abc import Iterator

import pytest

from fakes.gmail.google_client import Box
from fakes.gmail.sandbox import Sandbox, running_sandbox

NUMBERS = itertools.count()


@pytest.fixture(scope="session")
def shared() -> Iterator[Sandbox]:
    """One server for every test that needs no clock, faults or quota of its own."""
    with running_sandbox("--me", "shared@example.com") as sandbox:
        yield sandbox


@pytest.fixture
def box(shared: Sandbox) -> Box:
    """A fresh account."""
    address = f"ann{next(NUMBERS)}-{os.getpid()}@example.com"
    return Box(shared, address, shared.add_account(address, "Ann Example", "Europe/Prague"))


@pytest.fixture(scope="module")
def solo_server() -> Iterator[Sandbox]:
    """A server for one module."""
    with running_sandbox("--me", "ann@example.com", "--name", "Ann Example", "--account", "ben@example.com") as sandbox:
        yield sandbox


@pytest.fixture
def solo(solo_server: Sandbox) -> Iterator[Sandbox]:
    """The module's own server, put back to normal after each test."""
    yield solo_server
    solo_server.faults.clear()
    solo_server.set_quota()
    solo_server.set_lag(0)
    solo_server.set_consent(testing=False, refuse_refresh=False, deny=False, granted=[])
    solo_server.admin.call("POST", "clock", {"freeze": False})


@pytest.fixture
def solo_box(solo: Sandbox) -> Box:
    """A fresh account on the module's own server."""
    address = f"eve{next(NUMBERS)}-{os.getpid()}@example.com"
    return Box(solo, address, solo.add_account(address))

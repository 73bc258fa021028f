"""A local Gmail server, and a client for a fresh account on it."""

import os
from collections.abc import AsyncIterator, Iterator

import pytest

from app.mail.gmail.auth import static_credentials
from app.mail.gmail.client import connect
from app.mail.gmail.endpoint import Endpoint
from fakes.gmail.client_box import NUMBERS, Box, Pace, Pauses
from fakes.gmail.sandbox import Sandbox, running_sandbox


@pytest.fixture(scope="session")
def mail_server() -> Iterator[Sandbox]:
    """One server for all tests of mail."""
    with running_sandbox("--me", "owner@example.com", "--name", "Olga Owner") as running:
        yield running


@pytest.fixture
def server(mail_server: Sandbox) -> Iterator[Sandbox]:
    """The server, put back to normal after each test."""
    mail_server.admin.call("DELETE", "log")
    yield mail_server
    mail_server.faults.clear()
    mail_server.set_quota()
    mail_server.set_lag(0)
    mail_server.set_habits()
    mail_server.set_consent(testing=False, refuse_refresh=False, deny=False, granted=[])


@pytest.fixture
async def box(server: Sandbox) -> AsyncIterator[Box]:
    """A fresh account and its client."""
    address = f"ann{next(NUMBERS)}-{os.getpid()}@example.com"
    token = server.add_account(address, "Ann Example", "Europe/Prague")
    pauses, pace = Pauses(), Pace()
    credentials = static_credentials(token)
    client = connect(Endpoint(f"{server.url}/"), credentials, pace, sleep=pauses, chance=lambda: 1.0, timeout_s=10.0)
    yield Box(server, address, token, client, pauses, pace)
    await client.close()

"""Contacts from the local People server."""

from pathlib import Path

import pytest

from app.domain.errors import ServerTrouble
from app.domain.mail import Address
from app.mail.auth import static_credentials
from app.mail.contacts import GoogleContacts
from app.mail.endpoint import Endpoint
from fakes.sandbox import Sandbox, running_sandbox
from mail.conftest import Box, Pauses

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def sample(request: pytest.FixtureRequest) -> object:
    """The sample mailbox, which has an address book."""
    folder = Path(__file__).resolve().parents[2] / "resources" / "sample"
    started = running_sandbox("--sample", folder)
    request.addfinalizer(lambda: started.__exit__(None, None, None))
    return started.__enter__()


async def test_people_come_with_all_their_addresses(sample: Sandbox) -> None:
    contacts = GoogleContacts(Endpoint(f"{sample.url}/"), static_credentials(sample.token), sleep=Pauses())
    try:
        found = {each.addresses[0].name: each for each in await contacts.all()}
    finally:
        await contacts.close()
    petra = found["Petra Kolmanová"]
    assert petra.addresses == (
        Address("petra@kolman-parts.example", "Petra Kolmanová"),
        Address("orders@kolman-parts.example", "Petra Kolmanová"),
    )
    assert petra.organization == "Kolman Parts"
    assert "supplier" in petra.notes
    assert len(found) >= 20


async def test_an_empty_address_book_and_a_server_in_trouble(box: Box) -> None:
    contacts = GoogleContacts(Endpoint(f"{box.sandbox.url}/"), static_credentials(box.token), sleep=Pauses())
    try:
        assert await contacts.all() == ()
        box.sandbox.faults.add("500", "people.people.connections.list", times=0)
        with pytest.raises(ServerTrouble):
            await contacts.all()
    finally:
        await contacts.close()

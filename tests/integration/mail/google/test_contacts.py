"""Contacts from the local People server."""

from pathlib import Path
from typing import Any

import pytest

from app.domain.errors import ServerError
from app.domain.mail.message import Address
from app.mail.gmail.auth import static_credentials
from app.mail.gmail.endpoint import Endpoint
from app.mail.google.contacts import GoogleContacts
from fakes.gmail.client_box import Box, Pauses
from fakes.gmail.sandbox import Sandbox, running_sandbox

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def sample(request: pytest.FixtureRequest) -> object:
    """The sample mailbox, which has an address book."""
    folder = Path(__file__).resolve().parents[4] / "resources" / "sample"
    started = running_sandbox("--sample", folder)
    request.addfinalizer(lambda: started.__exit__(None, None, None))
    return started.__enter__()


async def test_people_come_with_all_their_addresses(sample: Sandbox) -> None:
    contacts = GoogleContacts(Endpoint(f"{sample.url}/"), static_credentials(sample.token), sleep=Pauses())
    try:
        found = {each.addresses[0].name: each for each in (await contacts.changes("")).people}
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
        assert (await contacts.changes("")).people == ()
        box.sandbox.faults.add("500", "people.people.connections.list", times=0)
        with pytest.raises(ServerError):
            await contacts.changes("")
    finally:
        await contacts.close()


async def test_what_changed_since_a_token_and_everything_when_it_expired(box: Box) -> None:
    contacts = GoogleContacts(Endpoint(f"{box.sandbox.url}/"), static_credentials(box.token), sleep=Pauses())

    def changed_in_google(**fields: Any) -> str:
        return str(box.sandbox.admin.call("POST", "contacts", {**fields, "account": box.address})["resourceName"])

    try:
        ann = changed_in_google(name="Ann", emails=["ann@x.example"])
        bob = changed_in_google(name="Bob", emails=["bob@x.example"])
        first = await contacts.changes("")
        assert (first.whole, {one.resource for one in first.people}) == (True, {ann, bob})
        nothing = await contacts.changes(first.sync_token)
        assert (nothing.whole, nothing.people, nothing.gone) == (False, (), ())
        changed_in_google(id=ann, delete=True)
        changed_in_google(id=bob, organization="Bikes")
        etag = next(one.etag for one in first.people if one.resource == bob)
        changed = await contacts.changes(nothing.sync_token)
        assert (changed.whole, changed.gone) == (False, (ann,))
        (person,) = changed.people
        assert (person.resource, person.organization) == (bob, "Bikes")
        assert person.etag != etag
        again = await contacts.changes("999999")
        assert (again.whole, {one.resource for one in again.people}) == (True, {bob})
    finally:
        await contacts.close()

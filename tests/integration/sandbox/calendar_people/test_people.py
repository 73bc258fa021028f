"""People v1 through the Google client: masks and paging."""

from pathlib import Path
from typing import Any

import pytest

from app.sandbox.calendar_people.people import StoredContact
from fakes.gmail.google_client import conforms, google_service, refusal
from fakes.gmail.sandbox import running_sandbox

OWNER = "name: Ann Example\nemail: ann@example.com\ntimezone: Europe/Prague\n"
CONTACTS = """
- {name: Bob Smith, emails: [bob@shop.example, b@shop.example], phones: ["+420 1"], organization: Blue Shop, notes: kind}
- {name: Carla, emails: [carla@x.example]}
- {name: Dan Bobek, emails: [dan@x.example]}
"""
FIELDS = "names,emailAddresses,phoneNumbers,organizations,biographies,metadata"


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder: Path = tmp_path_factory.mktemp("sample")
    (folder / "owner.yaml").write_text(OWNER)
    (folder / "contacts.yaml").write_text(CONTACTS)
    (folder / "index.yaml").write_text("[]")
    with running_sandbox("--sample", folder) as sandbox:
        yield google_service("people.v1", sandbox.url, sandbox.token)


def test_connections_page_with_every_field(people: Any) -> None:
    connections = people.people().connections()
    seen: list[dict[str, Any]] = []
    request = connections.list(resourceName="people/me", personFields=FIELDS, pageSize=2)
    while request is not None:
        page = request.execute()
        conforms("people", "ListConnectionsResponse", page)
        assert page["totalItems"] == 3
        seen.extend(page["connections"])
        request = connections.list_next(request, page)
    bob = seen[0]
    assert bob["names"][0]["givenName"] == "Bob"
    assert [entry["value"] for entry in bob["emailAddresses"]] == ["bob@shop.example", "b@shop.example"]
    assert (bob["phoneNumbers"][0]["value"], bob["organizations"][0]["name"]) == ("+420 1", "Blue Shop")
    assert bob["biographies"][0]["value"] == "kind"
    assert len(seen) == 3


def test_masks_are_required_and_checked(people: Any) -> None:
    bare = people.people().connections().list(resourceName="people/me")
    assert refusal(bare.execute) == (400, "badRequest")
    wrong = people.people().connections().list(resourceName="people/me", personFields="names,shoes")
    assert refusal(wrong.execute) == (400, "badRequest")
    only = people.people().connections().list(resourceName="people/me", personFields="names").execute()
    assert "emailAddresses" not in only["connections"][0]


def test_a_single_name_is_a_given_name() -> None:
    assert StoredContact("c1", "Carla").shape(["names"])["names"] == [
        {
            "metadata": {"primary": True, "source": {"type": "CONTACT", "id": "c1"}},
            "displayName": "Carla",
            "givenName": "Carla",
            "displayNameLastFirst": "Carla",
            "unstructuredName": "Carla",
        }
    ]

"""Where requests go: Google, or the server that the environment names."""

import pytest

from app.domain.errors import NotAllowed
from app.mail.gmail.endpoint import Endpoint, discovery_document, endpoint_from, requests_of


def test_without_variables_it_is_google() -> None:
    endpoint = endpoint_from({})
    assert endpoint == Endpoint()
    assert not endpoint.loopback
    uri = requests_of(endpoint, "gmail.v1").users().getProfile(userId="me").uri
    assert uri.startswith("https://gmail.googleapis.com/gmail/v1/users/me/profile")
    assert endpoint.root_of(discovery_document("calendar.v3")) == "https://www.googleapis.com/"


@pytest.mark.parametrize(("api", "path"), [("gmail.v1", "gmail/v1/"), ("calendar.v3", "calendar/v3/"), ("people.v1", "v1/")])
def test_another_server_gets_every_request(api: str, path: str) -> None:
    endpoint = endpoint_from(
        {"REPLYROOM_GOOGLE_ENDPOINT": "http://127.0.0.1:8025", "REPLYROOM_GOOGLE_TOKEN_URI": "http://127.0.0.1:8025/token"}
    )
    assert endpoint == Endpoint("http://127.0.0.1:8025/", "http://127.0.0.1:8025/token")
    assert endpoint.loopback
    service = requests_of(endpoint, api)
    made = {
        "gmail.v1": lambda: service.users().labels().list(userId="me"),
        "calendar.v3": lambda: service.events().list(calendarId="primary"),
        "people.v1": lambda: service.people().connections().list(resourceName="people/me"),
    }[api]()
    assert made.uri.startswith(f"http://127.0.0.1:8025/{path}")


@pytest.mark.parametrize("name", ["REPLYROOM_GOOGLE_ENDPOINT", "REPLYROOM_GOOGLE_TOKEN_URI"])
@pytest.mark.parametrize("address", ["http://mail.example/", "ftp://127.0.0.1/", "nonsense", "https://"])
def test_a_token_is_never_sent_in_clear_text_to_elsewhere(name: str, address: str) -> None:
    with pytest.raises(NotAllowed) as refused:
        endpoint_from({name: address})
    assert name in refused.value.detail
    assert endpoint_from({name: "https://mail.example"}) != Endpoint()

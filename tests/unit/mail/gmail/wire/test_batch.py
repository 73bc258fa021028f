"""How many calls one batch holds, and where an inner answer ends."""

from app.mail.gmail.wire.calls import LEAST, MOST, BatchLimit, split_batch
from app.mail.gmail.wire.errors import HttpAnswer


def test_a_crowd_that_is_refused_in_part_is_halved_down_to_a_least() -> None:
    crowd = BatchLimit()
    sizes = []
    for asked in (MOST, MOST // 2, MOST // 4, LEAST):
        crowd.learn(asked, 1)
        sizes.append(crowd.most)
    assert sizes == [MOST // 2, MOST // 4, LEAST, LEAST]


def test_a_crowd_is_not_blamed_for_a_spent_minute() -> None:
    """Where all were refused, fewer at once would be refused as well."""
    crowd = BatchLimit()
    crowd.learn(MOST, MOST)
    crowd.learn(1, 1)
    crowd.learn(MOST, 0)
    assert crowd.most == MOST


def test_an_inner_answer_ends_where_its_length_says() -> None:
    head = b"--b1\r\nContent-ID: <response-i0>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"
    whole = HttpAnswer(200, {"content-type": "multipart/mixed; boundary=b1"}, head + b"true and more\r\n--b1--\r\n")
    assert split_batch(whole)["i0"].body == b"true"


def test_a_part_without_a_status_or_a_name_is_left_out_and_the_others_count() -> None:
    parts = (
        b"Content-ID: <response-i0>\r\n\r\nno answer at all",
        b"Content-Type: application/http\r\n\r\nHTTP/1.1 200 OK\r\n\r\nwhose?",
        b"Content-ID: <response-i2>\r\n\r\nHTTP/1.1 404 Not Found\r\n\r\ngone",
    )
    body = b"".join(b"--b1\r\n" + part + b"\r\n" for part in parts) + b"--b1--\r\n"
    found = split_batch(HttpAnswer(200, {"content-type": "multipart/mixed; boundary=b1"}, body))
    assert {key: (one.status, one.body.strip()) for key, one in found.items()} == {"i2": (404, b"gone")}

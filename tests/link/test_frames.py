"""What is too big does not cross, and says so on the sending side."""

import pytest

from app.domain.commands import SearchMail
from app.domain.errors import Refused
from app.link import codec
from app.link.frames import LENGTH, MAX_FRAME_BYTES, pack


def test_the_length_in_front_counts_the_body() -> None:
    data = pack(codec.query_frame(SearchMail("from:ann"), 1))
    assert LENGTH.unpack(data[:4]) == (len(data) - 4,)


def test_an_oversized_frame_is_refused_by_name() -> None:
    with pytest.raises(Refused, match="SearchMail"):
        pack(codec.query_frame(SearchMail("x" * MAX_FRAME_BYTES), 1))

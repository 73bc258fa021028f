"""History ids: 64 bits without a sign, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.ids import history_id_of


@given(st.integers(1, 2**64 - 1))
def test_every_id_of_64_bits_is_read_from_a_number_and_from_its_digits(number: int) -> None:
    assert history_id_of(number) == history_id_of(str(number)) == number


NO_NUMBERS = [True, "+1", " 1", "1 ", "1_0", "٣", "1.0", "", None, 1.0]
OUT_OF_RANGE = [0, -1, 2**64, "0", "-1", "1" * 5000, 10**5000]


@pytest.mark.parametrize("told", [*NO_NUMBERS, *OUT_OF_RANGE], ids=range(17))
def test_what_is_no_id_is_refused(told: object) -> None:
    with pytest.raises(ValueError):
        history_id_of(told)

"""History ids: 64 bits without a sign, and nothing else.

The words of the window are plain English: habits that no native speaker has are not in any English string.
"""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

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


HABITS = (
    r"\b[Aa] mail\b(?! (archive|server|program|address|client))",
    r"\b[Mm]ails\b",
    r"\bmail\(s\)",
    r"\b[Tt]aken back\b",
    r"\bby (itself|themselves)\b",
    r"\b0: (no|all|any)\b",
    r"\bEmpty: ",
    r"^(This|%1|“%1”) is no (?!longer)",
    r"\b[Gg]o on\b",
    r"\banew\b",
    r"\b[Kk]ept here\b",
    r"\bwholly\b",
    r"\blooked at\b",
    r"\b[Mm]end\b",
    r"\balike\b",
    r"\bat once\b",
    r"\bmeanwhile\b",
)


def test_no_string_has_a_habit_of_a_translation(root: Path) -> None:
    catalogue = ET.parse(root / "resources" / "i18n" / "replyroom_cs.ts")
    sources = {source.text or "" for source in catalogue.iter("source")}
    assert len(sources) > 1000
    found = sorted(text for text in sources if any(re.search(habit, text) for habit in HABITS))
    assert not found, "\n".join(found)

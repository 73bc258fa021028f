"""The words of the window are plain English: habits that no native speaker has are not in any English string."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

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

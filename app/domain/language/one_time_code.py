"""One-time codes in mail. The window offers to copy them; they never leave the computer with a model call."""

import re

CODE_BELOW = re.compile(
    r"(?:code|kód|pin|otp|passcode|heslo|kennwort)\b(?!\")[^\d\n]{0,30}\s{0,6}(\d{3}[ -]\d{3}|\d{4,8})(?!\w)", re.IGNORECASE
)
CODE_BEFORE = re.compile(r"\b(\d{4,8}|\d{3}[ -]\d{3})(?=\s+(?:is|je|ist)\s+(?:your|váš|ihr)\b)", re.IGNORECASE)
_ABOUT = re.compile(
    r"(?:verification|verify|security|log-?in|sign[- ]?in|access|confirmation|authentication|one[- ]time)\s+"
    r"(?:code|passcode|password|pin)"
    r"|\b(?:otp|2fa)\b|two[- ]factor|(?:ověřovac|přihlašovac|jednorázov|bezpečnostn|potvrzovac)\w+ (?:kód|heslo)"
    r"|(?:bestätigungs|sicherheits|anmelde|einmal|prüf)(?:code|kennwort)",
    re.IGNORECASE,
)
LONGEST_READ = 4_000
"""Characters of the text in which a code is looked for."""


def one_time_code(subject: str, text: str) -> str:
    """The digits of the only code in a message that brings one, else nothing."""
    read = f"{subject}\n{text[:LONGEST_READ]}"
    if _ABOUT.search(read) is None:
        return ""
    found = {re.sub(r"\D", "", one[1]) for pattern in (CODE_BELOW, CODE_BEFORE) for one in pattern.finditer(read)}
    return found.pop() if len(found) == 1 else ""

"""A promise of the owner, found by `domain/language/sent_mail`. Light, because the window's first frame loads it."""

from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True, slots=True)
class Promise:
    """One sentence of the owner, when it was sent, and the day it names, if any."""

    text: str
    sent: datetime
    due: date | None = None

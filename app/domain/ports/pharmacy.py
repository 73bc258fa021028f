"""What the pharmacy's tools need: a catalogue and reservations. Synchronous and short; call them off the loop."""

from collections.abc import Sequence
from typing import Protocol

from app.domain.pharmacy import FoundDrug, Patient, Reservation, Wish


class Drugs(Protocol):
    """The catalogue with stock."""

    def count(self) -> int:
        """How many drugs there are."""

    def search(self, query: str, limit: int) -> tuple[FoundDrug, ...]:
        """The drugs whose names fit best, accents and typing errors forgiven."""

    def named(self, name: str) -> FoundDrug:
        """The one drug that is meant by a code or a full name. Raises `NotFound`, and `Refused` where several are."""


class Reservations(Protocol):
    """Reservations. Each change happens once per effect key, however often it is asked for."""

    def preview(self, wish: Wish) -> None:
        """Raise `Refused` or `NotFound` where `create` would."""

    def create(self, wish: Wish) -> Reservation:
        """Hold the packs. Raises `Refused`, `NotFound`."""

    def of(self, patient: Patient, drug_code: str = "") -> Sequence[Reservation]:
        """A person's reservations that stand, all or those of one drug; the newest first."""

    def cancel(self, patient: Patient, number: str, effect_key: str) -> Reservation:
        """Let a person's reservation go. Raises `NotFound`, and `Refused` where it no longer stands."""

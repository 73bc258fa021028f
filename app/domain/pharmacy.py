"""Drugs, stock and reservations of a pharmacy, and the rules for reservations. Pure functions."""

import re
import unicodedata
from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum

from msgspec import field

from app.domain.errors import NotAllowed
from app.domain.ids import AccountId, RunId
from app.domain.record import Record

HOLD = timedelta(days=2)
"""How long a reservation lasts."""

MOST_PACKS = 5
"""Packs of one drug that one person may reserve."""

APART = re.compile(r"(?<=\d)(?=[^\W\d_])|(?<=[^\W\d_])(?=\d)|[\W_]+")


def fold(text: str) -> str:
    """Text for searching: no case, no accents, numbers apart from letters. `Paralen® 500MG` becomes `paralen 500 mg`."""
    plain = "".join(character for character in unicodedata.normalize("NFKD", text) if not unicodedata.combining(character))
    return " ".join(APART.sub(" ", plain.casefold()).split())


class Drug(Record):
    """One package of one medicine. `code` is the authority's (SUKL, seven digits); `price_czk` is None if unknown."""

    code: str
    name: str
    strength: str = ""
    form: str = ""
    package: str = ""
    substance: str = ""
    atc: str = ""
    prescription: bool = False
    price_czk: float | None = None

    @property
    def label(self) -> str:
        """The full name that distinguishes the package."""
        return " ".join(filter(None, (self.name, self.strength, self.form, self.package)))

    @property
    def folded(self) -> str:
        """The text that is searched."""
        return fold(f"{self.label} {self.substance} {self.code}")


class Pharmacy(Record):
    id: str
    name: str
    address: str = ""


class PharmacyStock(Record):
    """One pharmacy's stock of a drug; `free` packs are not reserved."""

    pharmacy: Pharmacy
    stock: int
    free: int


class FoundDrug(Record):
    """A search hit; `score` in 0..1 says how well the words match."""

    drug: Drug
    score: float
    shelves: tuple[PharmacyStock, ...] = ()


class Patient(Record):
    """The person a reservation is for, as named in the mail."""

    name: str
    email: str


class ReservationState(StrEnum):
    ACTIVE = "active"
    EXPIRED = "expired"
    CANCELLED = "cancelled"


class Reservation(Record):
    """Packs held until `expires_at`. `number` is what the patient gets."""

    number: str
    drug: Drug
    pharmacy: Pharmacy
    quantity: int
    patient: Patient
    created_at: datetime
    expires_at: datetime
    cancelled_at: datetime | None = None

    def state(self, now: datetime) -> ReservationState:
        if self.cancelled_at is not None:
            return ReservationState.CANCELLED
        return ReservationState.ACTIVE if now < self.expires_at else ReservationState.EXPIRED


class ReservationRequest(Record):
    """What to reserve, and for which run. `effect_key` is the same when the same call is repeated."""

    drug_code: str
    pharmacy_id: str
    quantity: int
    patient: Patient
    account_id: AccountId
    run_id: RunId
    effect_key: str


class ReservationContext(Record):
    """Free packs, and reservations of the same person for the same drug."""

    free: int
    held: tuple[Reservation, ...] = field(default_factory=tuple)


def check_wish(wish: ReservationRequest, found: ReservationContext) -> None:
    """Raises `NotAllowed` unless the reservation is possible."""
    if not 1 <= wish.quantity <= MOST_PACKS:
        raise NotAllowed(f"From 1 to {MOST_PACKS} packs can be reserved.")
    if found.held:
        raise NotAllowed(f"{wish.patient.email} already holds reservation {found.held[0].number} for this drug.")
    if wish.quantity > found.free:
        raise NotAllowed(f"Only {found.free} packs are free at pharmacy {wish.pharmacy_id}.")


def choose_shelf(shelves: Iterable[PharmacyStock], pharmacy_id: str, quantity: int) -> PharmacyStock:
    """Returns the named pharmacy, or the only one with enough stock. Raises `NotAllowed`."""
    stocks = tuple(shelves)
    if pharmacy_id:
        named = next((shelf for shelf in stocks if shelf.pharmacy.id == pharmacy_id), None)
        if named is None:
            raise NotAllowed(f"Pharmacy {pharmacy_id} does not have this drug. It is at: {_listed(stocks)}.")
        return named
    sufficient = [shelf for shelf in stocks if shelf.free >= quantity]
    if not sufficient:
        raise NotAllowed(f"No pharmacy has {quantity} free packs of this drug.")
    if len(sufficient) > 1:
        raise NotAllowed(f"Several pharmacies have it; name one as pharmacy_id: {_listed(sufficient)}.")
    return sufficient[0]


def _listed(shelves: Iterable[PharmacyStock]) -> str:
    return ", ".join(f"{shelf.pharmacy.id} ({shelf.free} free)" for shelf in shelves) or "none"

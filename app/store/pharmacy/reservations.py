"""Reservations of drugs. Implements `Reservations`; stock, conflicts and expiry are checked in the transaction that writes.

Free packs are computed, so an expired reservation releases its packs by itself.
"""

import secrets
import sqlite3
from datetime import datetime

from app.domain.errors import NotAllowed, NotFound
from app.domain.pharmacy import (
    HOLD,
    Patient,
    Pharmacy,
    Reservation,
    ReservationContext,
    ReservationRequest,
    ReservationState,
    check_wish,
)
from app.domain.ports.agents import Clock
from app.store.db.codecs import storable
from app.store.db.database import Database, SqlValue
from app.store.db.records import record
from app.store.db.times import to_ms
from app.store.pharmacy.drugs import drug_of

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Without letters and digits that are easily confused."""

_ROWS = """SELECT r.*, d.code, d.name, d.strength, d.form, d.package, d.substance, d.atc, d.prescription, d.price_czk,
        p.name AS pharmacy, p.address
    FROM reservations r JOIN drugs d ON d.id = r.drug_id JOIN pharmacies p ON p.id = r.pharmacy_id"""
_BY_KEY = " ".join((_ROWS, "WHERE r.effect_key = ?"))
_BY_NUMBER = " ".join((_ROWS, "WHERE r.number = ? AND r.patient_email = ?"))
_ACTIVE = " ".join(
    (_ROWS, "WHERE r.patient_email = ? AND r.cancelled_at IS NULL AND r.expires_at > ? ORDER BY r.created_at DESC, r.id DESC")
)
_FREE = """SELECT s.quantity - coalesce((SELECT sum(r.quantity) FROM reservations r WHERE r.drug_id = s.drug_id
        AND r.pharmacy_id = s.pharmacy_id AND r.cancelled_at IS NULL AND r.expires_at > ?), 0)
    FROM drug_stock s JOIN drugs d ON d.id = s.drug_id WHERE d.code = ? AND s.pharmacy_id = ?"""
_INSERT = """INSERT INTO reservations (number, drug_id, pharmacy_id, quantity, patient_name, patient_email, created_at,
    expires_at, account_id, run_id, effect_key) SELECT ?, id, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM drugs WHERE code = ?"""


class ReservationTable:
    """The table `reservations`."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    def preview(self, wish: ReservationRequest) -> None:
        with self._db.reading() as connection:
            _check(connection, wish, self._clock())

    def create(self, wish: ReservationRequest) -> Reservation:
        now = self._clock()
        with self._db.transaction() as connection:
            made = connection.execute(_BY_KEY, (wish.effect_key,)).fetchone()
            if made is None:
                _check(connection, wish, now)
                connection.execute(_INSERT, _values(wish, new_number(), now))
                made = connection.execute(_BY_KEY, (wish.effect_key,)).fetchone()
        return _reservation(made)

    def of(self, patient: Patient, drug_code: str = "") -> tuple[Reservation, ...]:
        rows = self._db.read(_ACTIVE, (patient.email.lower(), to_ms(self._clock())))
        return tuple(_reservation(row) for row in rows if drug_code in ("", row["code"]))

    def cancel(self, patient: Patient, number: str, effect_key: str) -> Reservation:
        now = self._clock()
        with self._db.transaction() as connection:
            standing = _cancellable(connection, patient, number, now, effect_key)
            if standing.state(now) is not ReservationState.CANCELLED:
                connection.execute(
                    "UPDATE reservations SET cancelled_at = ?, cancel_key = ? WHERE number = ?",
                    (to_ms(now), effect_key, standing.number),
                )
            return _reservation(connection.execute(_BY_NUMBER, (standing.number, patient.email.lower())).fetchone())


def new_number() -> str:
    """A random number that is easy to read out on the phone and hard to guess."""
    return "R-" + "".join(secrets.choice(ALPHABET) for _ in range(6))


def _cancellable(connection: sqlite3.Connection, patient: Patient, number: str, now: datetime, effect_key: str) -> Reservation:
    """The reservation to cancel, also if the same call has cancelled it already."""
    row = connection.execute(_BY_NUMBER, (number.strip().upper(), patient.email.lower())).fetchone()
    if row is None:
        raise NotFound(f"{patient.email} has no reservation {number[:20]}.")
    found = _reservation(row)
    if found.state(now) is not ReservationState.ACTIVE and row["cancel_key"] != effect_key:
        raise NotAllowed(f"Reservation {found.number} is {found.state(now)} already.")
    return found


def _check(connection: sqlite3.Connection, wish: ReservationRequest, now: datetime) -> None:
    """Raises `NotAllowed` or `NotFound` unless the reservation is possible now."""
    free = connection.execute(_FREE, (to_ms(now), wish.drug_code, wish.pharmacy_id)).fetchone()
    if free is None:
        raise NotFound(f"Pharmacy {wish.pharmacy_id} does not have drug {wish.drug_code}.")
    rows = connection.execute(_ACTIVE, (wish.patient.email.lower(), to_ms(now)))
    held = tuple(_reservation(row) for row in rows if row["code"] == wish.drug_code)
    check_wish(wish, ReservationContext(max(0, free[0]), held))


def _values(wish: ReservationRequest, number: str, now: datetime) -> tuple[SqlValue, ...]:
    who = (storable(wish.patient.name), wish.patient.email.lower())
    when = (to_ms(now), to_ms(now + HOLD))
    return (number, wish.pharmacy_id, wish.quantity, *who, *when, wish.account_id, wish.run_id, wish.effect_key, wish.drug_code)


def _reservation(row: sqlite3.Row) -> Reservation:
    return record(
        Reservation,
        row,
        drug=drug_of(row),
        pharmacy=Pharmacy(row["pharmacy_id"], row["pharmacy"], row["address"]),
        patient=Patient(row["patient_name"], row["patient_email"]),
    )

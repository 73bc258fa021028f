"""What stands beside an account's name: its colour, whether it rests, when its owner signed in and how that ended."""

from datetime import datetime

from app.domain.ids import AccountId
from app.store.database import Database, SqlValue
from app.store.instants import to_ms


class AccountMarks:
    """Single columns of the accounts table. An account that is gone is passed over."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def set_paused(self, account_id: AccountId, paused: bool) -> None:
        """Whether it is synced."""
        self._set("UPDATE accounts SET paused = ? WHERE id = ?", int(paused), account_id)

    def set_colour(self, account_id: AccountId, colour: str) -> None:
        """As #rrggbb."""
        self._set("UPDATE accounts SET colour = ? WHERE id = ?", colour, account_id)

    def renamed(self, account_id: AccountId, email: str) -> None:
        """Google gave the account another address."""
        self._set("UPDATE accounts SET email = ? WHERE id = ?", email.lower(), account_id)

    def signed_in(self, account_id: AccountId, at: datetime) -> None:
        """The owner gave consent."""
        self._set("UPDATE accounts SET signed_in_at = ? WHERE id = ?", to_ms(at), account_id)

    def ended_early(self, account_id: AccountId) -> None:
        """Google ended a sign-in after a week, as it does while the consent screen is in Testing."""
        self._set("UPDATE accounts SET short_lived = ? WHERE id = ?", 1, account_id)

    def _set(self, sql: str, value: SqlValue, account_id: AccountId) -> None:
        with self._db.transaction() as connection:
            connection.execute(sql, (value, account_id))

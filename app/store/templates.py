"""Text templates. Refuses an empty name."""

from app.domain.errors import NotFound, Refused
from app.domain.ports.agents import Clock
from app.domain.templates import TextTemplate
from app.store.database import Database
from app.store.instants import to_ms
from app.store.letter_rows import load_templates
from app.store.packing import storable


class Templates:
    """The templates table."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    def all(self) -> tuple[TextTemplate, ...]:
        """Those that are not deleted, the most used first."""
        with self._db.reading() as connection:
            return load_templates(connection)

    def save(self, template_id: int, name: str, subject: str, body: str) -> int:
        """Keep a template; id 0 makes a new one, or finds the one with these very words: a command may come twice. Its id.
        Raises `Refused`, `NotFound`."""
        if not name.strip() or not body.strip():
            raise Refused("A template needs a name and a text.", "Fill in both.")
        values = (storable(name.strip()), storable(subject.strip()), storable(body), to_ms(self._clock()))
        with self._db.transaction() as connection:
            if not template_id:
                sql = "SELECT id FROM templates WHERE name = ? AND subject = ? AND body = ? AND deleted_at IS NULL"
                known = connection.execute(sql, values[:3]).fetchone()
                if known is not None:
                    return int(known[0])
                sql = "INSERT INTO templates (name, subject, body, updated_at) VALUES (?, ?, ?, ?) RETURNING id"
                return int(connection.execute(sql, values).fetchall()[0][0])
            sql = "UPDATE templates SET name = ?, subject = ?, body = ?, updated_at = ? WHERE id = ? AND deleted_at IS NULL"
            if not connection.execute(sql, (*values, template_id)).rowcount:
                raise NotFound("This template is not there any more.")
            return template_id

    def delete(self, template_id: int) -> None:
        """Offer it no longer."""
        self._set(template_id, "deleted_at = ?", to_ms(self._clock()))

    def restore(self, template_id: int) -> None:
        """Undo a deletion."""
        self._set(template_id, "deleted_at = ?", None)

    def count_use(self, template_id: int) -> None:
        """It was put into a letter."""
        self._set(template_id, "uses = uses + ?", 1)

    def _set(self, template_id: int, what: str, value: object) -> None:
        """Raises `NotFound`. `what` is written by code."""
        with self._db.transaction() as connection:
            sql = " ".join(("UPDATE templates SET", what, "WHERE id = ?"))
            if not connection.execute(sql, (value, template_id)).rowcount:
                raise NotFound("This template is not there any more.")

"""The settings as the window sees them: read again when the file changed; a broken file leaves the last good ones."""

from pathlib import Path

from app.config.settings import Settings, load
from app.domain.errors import BadFile


class SettingsFile:
    """Reads; only the engine writes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp: tuple[int, int] | None = None
        self._settings = Settings()
        self.trouble: BadFile | None = None

    def read(self) -> Settings:
        """The settings of now."""
        try:
            status = self._path.stat()
        except OSError:
            return self._settings
        stamp = (status.st_mtime_ns, status.st_size)
        if stamp != self._stamp:
            self._stamp = stamp
            try:
                self._settings, self.trouble = load(self._path), None
            except BadFile as error:
                self.trouble = error
        return self._settings

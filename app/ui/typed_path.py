"""Paths that somebody typed into a field. Refuses nothing: what is no path of a file is simply no file, and said so by others."""

from pathlib import Path


def typed_path(words: str) -> Path:
    """The path in these words, `~` being the user's own folder; as it stands where nobody has such a folder."""
    path = Path(words.strip())
    try:
        return path.expanduser()
    except RuntimeError:
        return path


def is_file(path: Path) -> bool:
    """Whether there is such a file; names that no disk would take are none."""
    try:
        return path.is_file()
    except OSError:
        return False

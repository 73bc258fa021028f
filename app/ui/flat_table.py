"""The program's own tables of icons and colours: lines of `name = value` in the part of TOML that they use.

Not `tomllib`, because the first frame waits for it: 5 ms to import, and 3 ms for the three files. Refuses everything but
quoted strings without escapes, lists of them on one line, whole numbers, true and false.
"""

Value = str | int | list[str]


def read_flat(text: str) -> dict[str, Value]:
    """The values by name. Raises `ValueError` with the line that is wrong."""
    table: dict[str, Value] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, sign, value = line.partition(" = ")
        if not sign or not name.isidentifier() or name in table:
            raise ValueError(f"line {number}: not a new name with a value")
        try:
            table[name] = _value(value.strip())
        except ValueError as error:
            raise ValueError(f"line {number}: {name} has no value that can be read") from error
    return table


def _value(text: str) -> Value:
    """A value; a comment may follow it."""
    if text.startswith("["):
        inside, _, rest = text[1:].partition("]")
        _nothing_in(rest)
        return [_string(one.strip()) for one in inside.split(",")]
    if text.startswith('"'):
        return _string(text)
    word, _, rest = text.partition(" ")
    _nothing_in(rest)
    return {"true": True, "false": False}[word] if word in ("true", "false") else int(word, 0)


def _string(text: str) -> str:
    """What stands between quotes."""
    inside, sign, rest = text[1:].partition('"')
    if not text.startswith('"') or not sign or "\\" in inside:
        raise ValueError(text)
    _nothing_in(rest)
    return inside


def _nothing_in(rest: str) -> None:
    """Only a comment may stand behind a value."""
    if rest.strip() and not rest.lstrip().startswith("#"):
        raise ValueError(rest)

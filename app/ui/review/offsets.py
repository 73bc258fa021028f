"""Character offsets and Qt's positions: Qt counts UTF-16 units, our spans count characters. Pure."""


def units(text: str) -> int:
    """Length in UTF-16 units."""
    return len(text) + sum(1 for char in text if ord(char) > 0xFFFF)


def to_units(text: str, offset: int) -> int:
    """The position of a character offset."""
    return units(text[:offset])


def to_characters(text: str, position: int) -> int:
    """The character offset of a position; inside a pair it is the pair's start."""
    at = 0
    for offset, char in enumerate(text):
        width = 2 if ord(char) > 0xFFFF else 1
        if at + width > position:
            return offset
        at += width
    return len(text)

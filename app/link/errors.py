"""Trouble of the wire itself."""

from app.domain.errors import ExpectedError


class LinkBroken(ExpectedError):
    """The other end sent something that is no frame of this protocol, or another version of it; the connection ends."""

    code = "link_broken"


class LinkClosed(ExpectedError):
    """The other end is gone; what was asked and not answered will not be answered."""

    code = "link_closed"

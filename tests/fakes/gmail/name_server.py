"""A DNS server on a loopback port (RFC 1035, A records over UDP) with answers in sequence.

A name may resolve to another address at the next query.
"""

import socket
import struct
import threading
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Self

HEADER = struct.Struct(">HHHHHH")
ANSWERED, NO_SUCH_NAME = 0x8580, 0x8583


class NameServer:
    """A context manager. `zone` has a list of answers by name, each a list of addresses; the last one stays. `asked` has the
    names in order.
    """

    def __init__(self, zone: Mapping[str, Sequence[Sequence[str]]]) -> None:
        self.asked: list[str] = []
        self._left = {name: list(answers) for name, answers in zone.items()}
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve)

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self._socket.getsockname()[1])

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
            end.sendto(b"", ("127.0.0.1", self.port))
        self._thread.join()
        self._socket.close()

    def _serve(self) -> None:
        while True:
            data, peer = self._socket.recvfrom(2048)
            if not data:
                return
            self._socket.sendto(self._answer(data), peer)

    def _answer(self, data: bytes) -> bytes:
        """The response: the question with the zone's answer."""
        number = HEADER.unpack_from(data)[0]
        name, end = _question(data)
        self.asked.append(name)
        answers = self._left.get(name)
        places = () if answers is None else answers.pop(0) if len(answers) > 1 else answers[0]
        flags = NO_SUCH_NAME if answers is None else ANSWERED
        head = HEADER.pack(number, flags, 1, len(places), 0, 0)
        rows = (struct.pack(">HHHIH", 0xC00C, 1, 1, 0, 4) + socket.inet_aton(one) for one in places)
        return head + data[HEADER.size : end] + b"".join(rows)


def _question(data: bytes) -> tuple[str, int]:
    """The queried name, and where the question ends."""
    labels, at = [], HEADER.size
    while size := data[at]:
        labels.append(data[at + 1 : at + 1 + size].decode("ascii"))
        at += 1 + size
    return ".".join(labels).lower(), at + 5

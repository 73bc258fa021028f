"""A browser for consent pages: opens addresses in the background and follows redirects."""

import threading
import urllib.error
import urllib.request
from collections.abc import Callable


class ConsentingBrowser:
    """`opened` has the addresses in order; `change` may replace an address."""

    def __init__(self, change: Callable[[str], str] = str) -> None:
        self.opened: list[str] = []
        self._change = change
        self._threads: list[threading.Thread] = []

    def __call__(self, address: str) -> None:
        """Opens an address."""
        self.opened.append(address)
        thread = threading.Thread(target=self._visit, args=(self._change(address),))
        thread.start()
        self._threads.append(thread)

    def close(self) -> None:
        """Waits for all pages."""
        for thread in self._threads:
            thread.join()

    def _visit(self, address: str) -> None:
        try:
            urllib.request.urlopen(address, timeout=10).read()
        except urllib.error.HTTPError as error:
            error.close()

"""Google's page in the browser while a sign-in waits there: opened, told to the window, given up on the user's word."""

import asyncio
import os
import shutil
import subprocess
import webbrowser
from collections.abc import Callable

from app.domain.protocol.events import SignInOpened
from app.engine.runtime.event_bus import EventBus

WAIT_S = 300.0
BROWSER_START_S = 3.0
"""An opener that has not ended after this time is the browser itself."""


def open_browser(address: str) -> bool:
    """Opens an address in the default browser. False if none took it, as far as that can be known. Blocks for seconds."""
    opener = shutil.which("xdg-open")
    if opener is None or "BROWSER" in os.environ:
        return webbrowser.open(address)
    quiet = subprocess.DEVNULL
    started = subprocess.Popen([opener, address], stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)
    try:
        return started.wait(BROWSER_START_S) == 0
    except subprocess.TimeoutExpired:
        return True


class SignInPage:
    """Opens consent pages from the threads of the sign-ins and tells the window about each."""

    def __init__(self, announcer: EventBus, browser: Callable[[str], object] = open_browser) -> None:
        self._announcer = announcer
        self._browser = browser
        self._loop: asyncio.AbstractEventLoop | None = None

    def attach(self) -> None:
        """Notes the running loop, on which events are told."""
        self._loop = asyncio.get_running_loop()

    def open(self, address: str) -> None:
        opened = self._browser(address) is not False
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._announcer.tell, SignInOpened(address, opened, WAIT_S))

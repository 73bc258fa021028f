"""Tokens and keys in the operating system's keyring, or in memory for this session when the user chooses that.

They are never in a file, a log or a message.
"""

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import closing, suppress
from typing import TYPE_CHECKING, TypeVar

from app.domain.errors import KeyringUnavailable

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

log = logging.getLogger(__name__)

SERVICE = "Replyroom"
LOCKABLE_BACKEND = "keyring.backends.SecretService"
"""The backend that can tell without a prompt whether it is locked."""
SAFE_BACKENDS = (
    LOCKABLE_BACKEND,
    "keyring.backends.libsecret",
    "keyring.backends.kwallet",
    "keyring.backends.macOS",
    "keyring.backends.Windows",
)
REMEDY = "Install a keyring (GNOME Keyring, KWallet), or keep the key until you quit."

LOOK_S = 10.0
"""Seconds between two checks of a keyring that did not answer."""

T = TypeVar("T")


class Secrets:
    """Named secrets. Every call has the timeout `limit_s`, because a locked keyring may show a prompt that nobody sees."""

    def __init__(self, limit_s: float = 20.0, look_s: float = LOOK_S) -> None:
        self._limit_s, self._look_s = limit_s, look_s
        self._session: dict[str, str] = {}
        self._unanswered = False
        self._opened = asyncio.Event()

    async def opened(self) -> None:
        """Waits until a keyring that did not answer answers again, without prompting for a password.

        Late answers to earlier prompts count, and so does unlocking it elsewhere where the backend can tell.
        """
        while not self._opened.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(self._look_s):
                    await self._opened.wait()
            with suppress(TimeoutError, KeyringUnavailable):
                if self._unanswered and await asyncio.wait_for(asyncio.wrap_future(_in_thread(_unlocked)), self._limit_s):
                    self._record_answer(True)
        self._opened.clear()

    async def get(self, name: str) -> str:
        """The secret, or an empty string. Raises `KeyringUnavailable`."""
        if name in self._session:
            return self._session[name]
        return await self._call(lambda: _backend().get_password(SERVICE, name) or "")

    async def put(self, name: str, value: str, session_only: bool = False) -> None:
        """Stores a secret; an empty value removes it. Raises `KeyringUnavailable` and then stores nothing."""
        self._session.pop(name, None)
        if session_only and value:
            self._session[name] = value
        elif value:
            await self._call(lambda: _backend().set_password(SERVICE, name, value))
        else:
            await self._call(lambda: _forget(name))

    async def delete(self, name: str) -> None:
        """Deletes a secret; a missing one is fine. Raises `KeyringUnavailable`."""
        await self.put(name, "")

    async def _call(self, work: Callable[[], T]) -> T:
        """Runs a keyring call with the timeout. An answer after the timeout still wakes `opened`."""
        outcome = _in_thread(work)
        loop = asyncio.get_running_loop()

        def settled(done: "Future[T]") -> None:
            with suppress(RuntimeError):  # the loop may be closed by then
                loop.call_soon_threadsafe(self._record_answer, done.exception() is None)

        outcome.add_done_callback(settled)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(outcome), self._limit_s)
        except TimeoutError as error:
            self._record_answer(False)
            raise KeyringUnavailable(f"The keyring did not answer within {self._limit_s:.0f} s.", REMEDY) from error

    def _record_answer(self, well: bool) -> None:
        if well and self._unanswered:
            self._opened.set()
        self._unanswered = not well


def sign_in_name(email: str) -> str:
    """The name under which an account's sign-in is stored."""
    return f"gmail:{email}"


def _in_thread(work: Callable[[], T]) -> "Future[T]":
    """Runs `work` in a daemon thread of its own, which may hang without blocking the program or its end.

    Any error of a backend becomes `KeyringUnavailable`.
    """
    outcome: Future[T] = Future()

    def settle() -> None:
        outcome.set_running_or_notify_cancel()
        try:
            outcome.set_result(work())
        except KeyringUnavailable as error:
            outcome.set_exception(error)
        except Exception as error:
            log.warning("The keyring failed with %s", type(error).__name__, exc_info=True)
            outcome.set_exception(KeyringUnavailable(f"The keyring refused: {type(error).__name__}.", REMEDY))

    threading.Thread(target=settle, name="keyring", daemon=True).start()
    return outcome


def chosen_backend() -> str:
    """The name of the keyring backend in use. Raises `KeyringUnavailable`."""
    return type(_backend()).__module__.removeprefix("keyring.backends.")


def _backend() -> "KeyringBackend":
    """The machine's keyring, if it is one of `SAFE_BACKENDS`. Raises `KeyringUnavailable`."""
    import keyring

    backend = keyring.get_keyring()
    candidates: list[KeyringBackend] = [backend, *getattr(backend, "backends", [])]
    for candidate in candidates:
        if type(candidate).__module__.startswith(SAFE_BACKENDS):
            return candidate
    raise KeyringUnavailable("No keyring found.", REMEDY)


def _unlocked() -> bool:
    """Whether the keyring can be read without a prompt; False where that is unknown."""
    if not type(_backend()).__module__.startswith(LOCKABLE_BACKEND):
        return False
    import secretstorage

    try:
        with closing(secretstorage.dbus_init()) as connection:
            return not secretstorage.get_collection_by_alias(connection, "default").is_locked()
    except (secretstorage.SecretStorageException, OSError):
        return False


def _forget(name: str) -> None:
    """Deletes a secret; a missing one is fine."""
    backend = _backend()
    if backend.get_password(SERVICE, name) is not None:
        backend.delete_password(SERVICE, name)

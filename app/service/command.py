"""`replyroom serve-gmail`: runs the service, or shows or stores its token."""

import asyncio
import ipaddress
import os
import secrets
import sys
from argparse import Namespace
from collections.abc import Iterable, Mapping
from pathlib import Path

from app.agent.agents.gmail.graph import build_gmail_graph
from app.agent.agents.gmail.service_client import KEYRING_NAME, TOKEN_VARIABLE, ServiceAddress
from app.agent.llm.litellm_setup import close_litellm
from app.agent.llm.local_server import LOCAL_SERVER
from app.config import logs
from app.config.paths import DataFolder, service_checkpoints
from app.config.secrets import Secrets
from app.config.settings import load
from app.domain.errors import KeyringUnavailable, NotAllowed
from app.service.asgi import LOOPBACK_NAMES, build_app
from app.service.dependencies import opened_parts, target_of
from app.service.server import listening, opened_threads, serve_until_told, url_of

ONLY_OURS = 0o077
TOKEN_BYTES = 32
SHORTEST_TOKEN = 20


def run_service(options: Namespace, root: Path, environment: Mapping[str, str]) -> int:
    """Runs the command. Raises `ExpectedError`."""
    os.umask(ONLY_OURS)
    return asyncio.run(_run(options, DataFolder(root), environment))


async def _run(options: Namespace, folder: DataFolder, environment: Mapping[str, str]) -> int:
    keyring = Secrets()
    if options.keep_token:
        return await _keep_token(keyring, options.keep_token)
    token = await _token(keyring, environment)
    if options.show_token:
        sys.stdout.write(f"{token}\n")
        return 0
    await _serve(options, folder, keyring, token)
    return 0


async def _serve(options: Namespace, folder: DataFolder, keyring: Secrets, token: str) -> None:
    hosts = host_names(options.host, options.allow_host)
    settings = load(folder.settings)
    target = target_of(settings, await _key(keyring, settings.model.name))
    with opened_parts(folder, settings, target) as parts:
        logs.setup(folder.logs, "gmail-service")
        listener = listening(options.host, options.port)
        try:
            async with opened_threads(build_gmail_graph(parts), service_checkpoints(folder)) as threads:
                app = build_app(threads, token, hosts, parts.corpus)
                await serve_until_told(app, listener, lambda: _announce(url_of(listener)))
        finally:
            listener.close()
            await LOCAL_SERVER.close()
            await close_litellm()


def _announce(url: str) -> None:
    """Prints the address of the service."""
    sys.stdout.write(f"The Gmail agent answers at {url}\nIts token: serve-gmail --show-token. Stop it with Ctrl+C.\n")
    sys.stdout.flush()


def host_names(host: str, allowed: Iterable[str]) -> tuple[str, ...]:
    """The allowed host names. Raises `NotAllowed` when the service listens on all addresses without `--allow-host`."""
    more = tuple(allowed)
    if _is_unspecified(host):
        if not more:
            raise NotAllowed("A service for other machines needs a name.", "Say with --allow-host NAME how they call it.")
        return (*LOOPBACK_NAMES, *more)
    return (*LOOPBACK_NAMES, host, *more)


def _is_unspecified(host: str) -> bool:
    """Whether the address means all addresses of the machine."""
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


async def _token(keyring: Secrets, environment: Mapping[str, str]) -> str:
    """The token from the environment or the keyring. Creates one in the keyring the first time. Raises `KeyringUnavailable`,
    `NotAllowed`.
    """
    given = environment.get(TOKEN_VARIABLE, "").strip()
    if given:
        return _valid_token(given)
    try:
        kept = await keyring.get(KEYRING_NAME)
        if not kept:
            kept = secrets.token_urlsafe(TOKEN_BYTES)
            await keyring.put(KEYRING_NAME, kept)
    except KeyringUnavailable as error:
        raise KeyringUnavailable(error.detail, f"Unlock the keyring, or give a token in {TOKEN_VARIABLE}.") from error
    return kept


async def _keep_token(keyring: Secrets, url: str) -> int:
    """Stores the token of another service, read from standard input. Raises `KeyringUnavailable`, `NotAllowed`."""
    address = ServiceAddress.of(url)
    await keyring.put(address.token_name, _valid_token(sys.stdin.readline().strip()))
    sys.stdout.write(f"The token for {address.host} is kept.\n")
    return 0


def _valid_token(token: str) -> str:
    if len(token) < SHORTEST_TOKEN or not token.isascii() or not token.isprintable() or " " in token:
        raise NotAllowed(f"A token has at least {SHORTEST_TOKEN} letters, digits and signs.", "Take the one of --show-token.")
    return token


async def _key(keyring: Secrets, model: str) -> str:
    """The provider's key. Empty without a keyring, because a local model needs none."""
    try:
        return await keyring.get(model.partition("/")[0])
    except KeyringUnavailable:
        return ""

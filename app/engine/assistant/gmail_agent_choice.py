"""Chooses the Gmail agent for requests: the one in this process, or a service named by the settings or the environment."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from app.config.paths import DataFolder, gmail_checkpoints
from app.config.secrets import Secrets
from app.domain.errors import ExpectedError
from app.engine.runs.agent_runtime import put_aside_if_damaged
from app.engine.runtime.background_imports import load, preload
from app.engine.runtime.settings_watcher import LiveSettings
from app.engine.runtime.tables import Tables
from app.store.db.errors import converted

if TYPE_CHECKING:
    from app.agent.agents.gmail.graph import LocalGmailAgent
    from app.agent.agents.gmail.interface import GmailAgent, GmailFound, GmailProposed, GmailTask
    from app.agent.agents.gmail.remote import RemoteGmailAgent
    from app.agent.runtime.dependencies import Deps, GmailDeps


class UnavailableGmailAgent:
    """Implements `GmailAgent` when the service cannot be used."""

    def __init__(self, why: ExpectedError) -> None:
        self._why = why

    def with_deps(self, _deps: "GmailDeps") -> Self:
        return self

    async def work(self, task: "GmailTask") -> "GmailFound | GmailProposed":
        """Raises the reason."""
        raise self._why

    async def settle(self, task: "GmailTask", outcome: Mapping[str, Any]) -> None:
        """Does nothing."""

    async def close(self) -> None: ...


class GmailAgentChoice:
    """Opens the agent that the settings name. Close it at the end.

    An agent chosen before stays open until then, since it may have tasks under way.
    """

    def __init__(
        self, folder: DataFolder, tables: Tables, keyring: Secrets, environment: Mapping[str, str], settings: LiveSettings
    ) -> None:
        self._folder, self._tables = folder, tables
        self._keyring, self._environment, self.settings = keyring, environment, settings
        self._open: dict[str, GmailAgent] = {}

    async def agent(self, deps: "Deps") -> "GmailAgent":
        """The agent with these settings and keys. Raises the errors of the store."""
        from app.agent.agents.gmail.service_client import URL_VARIABLE  # already imported with the agents

        url = self._environment.get(URL_VARIABLE, "").strip() or self.settings.now.assistant.gmail_service
        known = self._open.get(url)
        if known is None or isinstance(known, UnavailableGmailAgent):
            found: GmailAgent = await (self._service(url, deps) if url else self._here(deps))
        else:
            found = known.with_deps(deps)
        self._open[url] = found
        return found

    async def close(self) -> None:
        for one in self._open.values():
            await one.close()

    async def _here(self, deps: "Deps") -> "LocalGmailAgent":
        from app.agent.agents.gmail.graph import LocalGmailAgent

        path = gmail_checkpoints(self._folder)
        await load(partial(put_aside_if_damaged, path))
        with converted():
            return await LocalGmailAgent.open(path, deps)

    async def _service(self, url: str, deps: "Deps") -> "RemoteGmailAgent | UnavailableGmailAgent":
        from app.agent.agents.gmail.service_client import TOKEN_VARIABLE, ServiceAddress

        await preload("app.agent.agents.gmail.remote")
        from app.agent.agents.gmail.remote import RemoteGmailAgent

        try:
            address = ServiceAddress.of(url)
            token = self._environment.get(TOKEN_VARIABLE, "").strip() or await self._keyring.get(address.token_name)
        except ExpectedError as error:
            return UnavailableGmailAgent(error)
        return RemoteGmailAgent(address, token, deps, self._tables.messages.by_gmail_id)

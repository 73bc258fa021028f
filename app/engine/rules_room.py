"""Rules, profiles and their servers together: one door for the window's questions and commands about them."""

from collections.abc import Awaitable, Callable

from app.config.paths import DataFolder
from app.domain.ids import MessageId
from app.domain.profile_commands import ProfileCommand, ProfilesNow, ReadProfiles
from app.domain.profile_trial import ProfileTried, TryProfile
from app.domain.rule_commands import ReadRules, RulesNow, RulesTried, SaveRules, TryRules
from app.domain.tool_names import TOOL_NAMES
from app.domain.tools import Profile
from app.engine.announcer import Announcer
from app.engine.rules_desk import RulesDesk
from app.engine.rules_file import RulesFile
from app.engine.store_threads import StoreThreads
from app.engine.tables import Tables
from app.engine.tool_servers import ToolServers

RuleCommand = SaveRules | ProfileCommand
RuleQuery = ReadRules | TryRules | ReadProfiles | TryProfile
Trial = Callable[[str, MessageId], Awaitable[ProfileTried]]
"""Runs a profile on a mail without effects."""


class RulesRoom:
    """`file` is what stands, `servers` are the profiles' tools. Make it on the loop."""

    def __init__(self, folder: DataFolder, tables: Tables, threads: StoreThreads, announcer: Announcer) -> None:
        self._trial: Trial | None = None
        self.file = RulesFile(folder.rules, announcer, lambda: TOOL_NAMES)
        self.servers = ToolServers(folder, self.file, threads, announcer)
        self._desk = RulesDesk(tables, threads, self.file)

    def meet_agents(self, trial: Trial, rebuild: Callable[[], None]) -> None:
        """Who tries profiles, and whom to call when other profiles are in force."""
        self._trial = trial
        self.file.listen(rebuild)

    def profiles(self) -> tuple[Profile, ...]:
        """The profiles in force. Off the loop: it looks at the file."""
        return self.file.look().profiles

    async def answer(self, query: RuleQuery) -> RulesNow | RulesTried | ProfilesNow | ProfileTried:
        """What the window asked. Raises `ExpectedError`."""
        if isinstance(query, TryProfile):
            assert self._trial is not None, "the house gives it before the wire is served"
            return await self._trial(query.profile, query.message_id)
        return await (self.servers.now() if isinstance(query, ReadProfiles) else self._desk.answer(query))

    async def do(self, command: RuleCommand) -> None:
        """What the window commands. Raises `ExpectedError`; then nothing was changed."""
        await (self._desk.save(command) if isinstance(command, SaveRules) else self.servers.do(command))

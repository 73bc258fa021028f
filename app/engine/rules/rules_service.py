"""Queries and commands of the window about rules, profiles and tool servers: reading, trying on stored mail, saving.

Trying writes nothing. `watch_files` checks settings and rules for changes made in an editor.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import get_args

from app.config.paths import DataFolder
from app.config.settings_file import write_atomically
from app.config.user_files import read_text
from app.domain.agents.routing import RuleAction
from app.domain.agents.tools import TOOL_NAMES, AgentProfile, hidden, revealed
from app.domain.error_texts import Cause
from app.domain.errors import BadFile, ExpectedError, NotAllowed
from app.domain.ids import MessageId
from app.domain.protocol.agent_commands import (
    AddRule,
    FileError,
    ProfileCommand,
    ProfilesAnswer,
    ProfileSave,
    ProfileTried,
    ReadProfiles,
    ReadRules,
    ReadServers,
    RemoveProfile,
    RemoveRule,
    RulesAnswer,
    RulesTried,
    SaveProfile,
    SaveRules,
    ServersRead,
    TriedMail,
    TryProfile,
    TryRules,
)
from app.domain.record import replace
from app.engine.reviews.review_service import ReviewService
from app.engine.rules.rules_file import RulesFile, fingerprint, profiles_fingerprint
from app.engine.rules.tool_servers import ToolServers
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.settings_watcher import LiveSettings
from app.engine.runtime.tables import Tables
from app.store.mail.messages import newest_received

MOST = 1000
AT_ONCE = 50
"""Messages whose bodies are in memory together."""


class RulesEditor:
    """Answers the window's queries about rules, and saves rules and profiles. The work is done off the loop."""

    def __init__(self, tables: Tables, rules: RulesFile) -> None:
        self._tables, self._rules = tables, rules
        self._undo: dict[str, tuple[str, AgentProfile | None]] = {}
        """The file's text and the profile before the last change, by the fingerprint after it."""

    async def answer(self, query: ReadRules | TryRules | ReadServers) -> RulesAnswer | RulesTried | ServersRead:
        """Returns the rules, the result of a trial or pasted servers. Raises `NotAllowed` for invalid rules."""
        if isinstance(query, ReadRules):
            return await self._tables.run(self._now)
        if isinstance(query, ReadServers):
            return await self._tables.run(_read_servers, query.json)
        return await self._tables.run(self._try, query)

    async def save(self, command: SaveRules | AddRule | RemoveRule | ProfileSave) -> None:
        """Writes rules or profiles and puts them in force.

        Raises `NotAllowed`, `BadFile` or `DiskFull`; then nothing has changed.
        """
        if isinstance(command, SaveRules | AddRule | RemoveRule):
            await self._tables.run(self._save, command)
        else:
            await self._tables.run(self._save_profile, command)

    def _now(self) -> RulesAnswer:
        active = self._rules.look()
        return RulesAnswer(
            path=str(self._rules.path),
            rules=active.rules.rules,
            profiles=tuple(profile.name for profile in active.profiles),
            fingerprint=fingerprint(self._rules.path),
            error=_file_error(active.error),
        )

    def _try(self, query: TryRules) -> RulesTried:
        from app.config.rules.editing import check_rules  # imports ruamel.yaml and regex, needed only with rules
        from app.config.rules.rules import rule_set

        check_rules(query.rules)
        then = rule_set(query.rules, self._rules.look().off)
        focus = rule_set(tuple(rule for rule in query.rules if rule.name == query.focus))
        now = self._rules()
        ids = newest_received(self._tables.db, min(query.limit, MOST))
        found: list[TriedMail] = []
        slow: set[str] = set()
        for start in range(0, len(ids), AT_ONCE):
            part = ids[start : start + AT_ONCE]
            messages = self._tables.messages.many(part)
            for message in (messages[one] for one in part if one in messages):
                before, after = now.route(message), then.route(message)
                holds = bool(focus.rules) and bool(focus.route(message).rule)
                slow.update(after.slow)
                tried = TriedMail(message.id, message.thread_id, before, after, holds)
                if tried.holds or tried.changes:
                    found.append(tried)
        return RulesTried(len(ids), tuple(found), tuple(sorted(slow)))

    def _save(self, command: SaveRules | AddRule | RemoveRule) -> None:
        from app.config.rules.editing import write_rules

        path, now = self._rules.path, self._rules.look()
        match command:
            case SaveRules(rules, known):
                if fingerprint(path) != known:
                    raise NotAllowed(Cause.RULES_CHANGED, path.name)
            case AddRule(added):
                rules = (added, *(rule for rule in now.rules.rules if rule.name != added.name))
            case RemoveRule(name):
                rules = tuple(rule for rule in now.rules.rules if rule.name != name)
        # A saved file must be valid, so rules name only profiles in force.
        missing = {rule.profile for rule in rules if rule.profile} - {profile.name for profile in now.profiles}
        if missing:
            raise NotAllowed(Cause.PROFILE_GONE, min(missing))
        write_rules(path, rules)
        self._rules.look(again=True)

    def _save_profile(self, command: ProfileSave) -> None:
        from app.config.rules.editing import remove_profile, save_profile

        path, now = self._rules.path, self._rules.look(again=True)
        if now.error is not None:
            raise now.error
        text, known = read_text(path), {profile.name: profile for profile in now.profiles}
        if isinstance(command, SaveProfile):
            profile, stands = revealed(command.profile, now.profiles), known.get(command.profile.name)
            if stands == profile:
                return  # it was sent twice
            if stands is not None and command.before is None:
                raise NotAllowed(Cause.PROFILE_NAME_TAKEN, profile.name)
            if (stands and hidden(stands)) != command.before:
                raise NotAllowed(Cause.RULES_CHANGED, path.name)
            self._change(text, stands, lambda: save_profile(path, profile, self._rules.known_tools()))
        elif profiles_fingerprint(path, now.profiles) != command.fingerprint:
            raise NotAllowed(Cause.RULES_CHANGED, path.name)
        elif isinstance(command, RemoveProfile):
            if command.name not in known:
                raise NotAllowed(Cause.PROFILE_GONE, command.name)
            self._change(text, known[command.name], lambda: remove_profile(path, command.name))
        else:
            self._restore(command.fingerprint, known)

    def _change(self, text: str, stands: AgentProfile | None, change: Callable[[], None]) -> None:
        """Changes a profile and keeps what undoes that."""
        change()
        after = self._rules.look(again=True)
        self._undo = {profiles_fingerprint(self._rules.path, after.profiles): (text, stands)}

    def _restore(self, fingerprint: str, known: Mapping[str, AgentProfile]) -> None:
        """Writes file and prompt as they were before the last change. Raises `NotAllowed` for another change."""
        if fingerprint not in self._undo:
            raise NotAllowed(Cause.RULES_CHANGED, self._rules.path.name)
        text, before = self._undo.pop(fingerprint)
        if before is not None and before.name in known:
            write_atomically(known[before.name].system_prompt_file, before.system_prompt)
        write_atomically(self._rules.path, text)
        self._rules.look(again=True)


def _read_servers(json: str) -> ServersRead:
    from app.config.rules.profiles import pasted_servers

    try:
        return ServersRead(pasted_servers(json))
    except BadFile as error:
        return ServersRead(error=_file_error(error))


def _file_error(error: BadFile | None) -> FileError | None:
    return None if error is None else FileError(error.line, error.text)


RuleCommand = SaveRules | AddRule | RemoveRule | ProfileCommand | ProfileSave
RuleQuery = ReadRules | TryRules | ReadServers | ReadProfiles | TryProfile
Trial = Callable[[AgentProfile, MessageId], Awaitable[ProfileTried]]
"""Runs a profile on a message without effects."""


class RulesService:
    """Rules, profiles and tool servers together. Create it on the loop.

    `file` holds the rules in force, `servers` the tools of profiles.
    """

    commands = get_args(RuleCommand)
    queries = get_args(RuleQuery)

    def __init__(self, folder: DataFolder, tables: Tables, announcer: EventBus) -> None:
        self._trial: Trial | None = None
        self._missing: Callable[[], tuple[str, ...]] = tuple
        self._reviews: ReviewService | None = None
        self._tables = tables
        self.file = RulesFile(folder.rules, announcer, lambda: TOOL_NAMES)
        self.servers = ToolServers(folder, self.file, tables, announcer)
        self._editor = RulesEditor(tables, self.file)

    def meet_agents(
        self, trial: Trial, missing: Callable[[], tuple[str, ...]], rebuild: Callable[[], None], reviews: ReviewService
    ) -> None:
        """Sets what tries profiles, what names the tools without a backend, what to call when the profiles changed, and what
        dismisses reviews of blocked senders.
        """
        self._trial, self._missing, self._reviews = trial, missing, reviews
        self.file.listen(rebuild)

    def profiles(self) -> tuple[AgentProfile, ...]:
        """The profiles in force. Call it off the loop, since it may read the file."""
        return self.file.look().profiles

    async def answer(self, query: RuleQuery) -> RulesAnswer | RulesTried | ProfilesAnswer | ProfileTried | ServersRead:
        """Answers one query. Raises `ExpectedError`."""
        if isinstance(query, TryProfile):
            assert self._trial is not None, "set before commands are served"
            return await self._trial(revealed(query.profile, await self._tables.run(self.profiles)), query.message_id)
        if isinstance(query, ReadProfiles):
            return replace(await self.servers.now(), missing=await self._tables.run(self._missing))
        return await self._editor.answer(query)

    async def do(self, command: RuleCommand) -> None:
        """Handles one command. Raises `ExpectedError`; then nothing has changed."""
        if isinstance(command, ProfileCommand):
            await self.servers.do(command)
        else:
            await self._editor.save(command)
        if isinstance(command, AddRule) and command.rule.match.sender_email and RuleAction.SPAM in command.rule.actions:
            # What waits for a sender who is blocked now is dismissed. Removing the rule brings it back.
            assert self._reviews is not None, "set before commands are served"
            waiting = await self._tables.run(self._tables.reviews.pending_of_sender, command.rule.match.sender_email)
            await self._tables.run(self._tables.reviews.keep_withdrawn, command.rule.name, waiting)
            for review_id in waiting:
                await self._reviews.dismiss(review_id)
        elif isinstance(command, RemoveRule) and self._reviews is not None:
            for review_id in await self._tables.run(self._tables.reviews.take_withdrawn, command.name):
                with suppress(ExpectedError):  # it was decided or superseded meanwhile
                    await self._reviews.undo(review_id)


LOOK_S = 2.0


async def watch_files(settings: LiveSettings, rules: RulesFile, tables: Tables) -> None:
    """Checks settings and rules for changes until cancelled."""
    while True:
        settings.refresh()
        await tables.run(rules)
        await asyncio.sleep(LOOK_S)

"""Rules for the window: what stands, what changed ones would do to mail that is here, and saving them.

Trying writes nothing. Saving refuses a file that somebody else changed meanwhile.
"""

from app.domain.errors import Refused
from app.domain.rule_commands import FileFault, ReadRules, RulesNow, RulesTried, SaveRules, TriedMail, TryRules
from app.engine.rules_file import RulesFile, fingerprint
from app.engine.store_threads import StoreThreads
from app.engine.tables import Tables
from app.store.newest import newest_received

MOST = 1000
AT_ONCE = 50
"""Mails whose bodies are in memory together."""


class RulesDesk:
    """Answers the window; the work is done off the loop."""

    def __init__(self, tables: Tables, threads: StoreThreads, rules: RulesFile) -> None:
        self._tables = tables
        self._threads = threads
        self._rules = rules

    async def answer(self, query: ReadRules | TryRules) -> RulesNow | RulesTried:
        """What stands, or a trial. Raises `Refused` for rules that are none."""
        if isinstance(query, ReadRules):
            return await self._threads.run(self._now)
        return await self._threads.run(self._try, query)

    async def save(self, command: SaveRules) -> None:
        """Write them and put them in force. Raises `Refused`, `BadFile`, `DiskFull`; then nothing was changed."""
        await self._threads.run(self._save, command)

    def _now(self) -> RulesNow:
        stands = self._rules.look()
        fault = stands.fault
        return RulesNow(
            path=str(self._rules.path),
            rules=stands.rules.rules,
            profiles=tuple(profile.name for profile in stands.profiles),
            fingerprint=fingerprint(self._rules.path),
            fault=None if fault is None else FileFault(fault.line, fault.detail, fault.remedy),
        )

    def _try(self, query: TryRules) -> RulesTried:
        from app.config.rule_editing import check_rules  # ruamel.yaml and regex: only those with rules pay for them
        from app.config.rules import rule_set

        check_rules(query.rules)
        then = rule_set(query.rules)
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

    def _save(self, command: SaveRules) -> None:
        from app.config.rule_editing import write_rules

        path = self._rules.path
        if fingerprint(path) != command.fingerprint:
            raise Refused(f"{path.name} was changed meanwhile.", "Look at the rules as they are now and change them again.")
        self._check_profiles(command)
        write_rules(path, command.rules)
        self._rules.look(again=True)

    def _check_profiles(self, command: SaveRules) -> None:
        """A rule may only name a profile that is in force: a saved file must be a good file."""
        known = {profile.name for profile in self._rules.look().profiles}
        missing = sorted({rule.profile for rule in command.rules if rule.profile} - known)
        if missing:
            raise Refused(f"There is no profile {missing[0]!r}.", "Choose another one, or add it to the file first.")

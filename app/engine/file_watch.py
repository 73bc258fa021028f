"""Looks at the user's own files for changes made in an editor: a broken one is told with its line, a mended one is in force."""

import asyncio

from app.engine.live_files import LiveSettings
from app.engine.rules_file import RulesFile
from app.engine.store_threads import StoreThreads

LOOK_S = 2.0


async def watch_files(settings: LiveSettings, rules: RulesFile, threads: StoreThreads) -> None:
    """Look for ever."""
    while True:
        settings.refresh()
        await threads.run(rules)
        await asyncio.sleep(LOOK_S)

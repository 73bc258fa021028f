"""Loading threads: their result or error comes back, and nobody has to wait for one."""

import asyncio
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from app.engine.runtime.background_imports import load, still_loading


async def test_a_load_that_is_given_up_goes_on_alone() -> None:
    go_on = threading.Event()
    loading = asyncio.create_task(load(lambda: go_on.wait(60)))
    await asyncio.sleep(0.01)
    loading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await loading
    assert still_loading()
    go_on.set()
    async with asyncio.timeout(60):
        while still_loading():
            await asyncio.sleep(0.01)


SPARING = """
import sys
from app.engine.runtime.background_imports import spare
spare()
import httpx
httpx.Client(transport=httpx.MockTransport(lambda request: httpx.Response(204))).get("http://127.0.0.1/")
print(*sorted({"httpx", "rich", "pygments"} & set(sys.modules)))
"""


def test_an_engine_does_without_the_command_lines_of_libraries(root: Path) -> None:
    done = subprocess.run([sys.executable, "-c", SPARING], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["httpx"]

"""Loading threads: their result or error comes back, and nobody has to wait for one."""

import asyncio
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from app.engine.runtime.background_imports import load, still_loading

pytestmark = pytest.mark.anyio


async def test_results_and_errors_come_back() -> None:
    assert await load(lambda: 7) == 7
    with pytest.raises(ValueError, match="broken"):
        await load(lambda: int("broken"))


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


PUTTING_OFF = """
import sys, threading
from app.engine.runtime.background_imports import put_off
put_off()
import httplib2, google_auth_httplib2
print("pyparsing" in sys.modules)
answer = {"www-authenticate": 'Bearer realm="mail", error="invalid_token"'}
read = []
def look():
    read.append(httplib2.auth._parse_www_authenticate(answer))
threads = [threading.Thread(target=look) for _ in range(8)]
for one in threads: one.start()
for one in threads: one.join()
print(len(read), all(one == {"bearer": {"realm": "mail", "error": "invalid_token"}} for one in read))
print("pyparsing" in sys.modules, hasattr(httplib2.auth, "nothing"))
"""


def test_a_module_that_is_put_off_is_there_for_all_threads_when_it_is_asked_for(root: Path) -> None:
    done = subprocess.run([sys.executable, "-c", PUTTING_OFF], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "8", "True", "True", "False"]


SIGNING = """
import sys
from app.engine.runtime.background_imports import put_off
put_off()
import app.engine.accounts.google
from app.mail.gmail.endpoint import Endpoint, requests_of
print(requests_of(Endpoint(), "gmail.v1").users().getProfile(userId="me").method)
print("cryptography" in sys.modules)
from google.auth import jwt
from google.oauth2 import challenges, service_account
print(service_account.Credentials.__name__, callable(jwt.decode), len(challenges.AVAILABLE_CHALLENGES) > 0)
"""


def test_googles_client_is_there_without_the_keys_of_service_accounts(root: Path) -> None:
    done = subprocess.run([sys.executable, "-c", SIGNING], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["GET", "False", "Credentials", "True", "True"]


def test_schemas_are_checked_without_a_grammar_of_addresses() -> None:
    code = (
        "import sys; from app.engine.runtime.background_imports import spare; spare(); import jsonschema\n"
        "assert 'lark' not in sys.modules\n"
        "jsonschema.validate({'a': 1}, {'type': 'object', 'properties': {'a': {'type': 'integer'}}})\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)

"""The sandbox as a child process of a test: address, token and typed admin calls. It ends with the test's process."""

import base64
import http.client
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urlencode, urlsplit

from fakes.engine.processes import fork_server

ROOT = Path(__file__).resolve().parents[3]
START_S = 30.0
STOP_S = 10.0


class AdminError(AssertionError):
    """The sandbox rejected an admin call."""


class Admin:
    """JSON calls to /sandbox/..."""

    def __init__(self, url: str, token: str) -> None:
        parts = urlsplit(url)
        self._host, self._port = parts.hostname or "127.0.0.1", parts.port or 80
        self._token = token

    def call(self, verb: str, name: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The JSON answer of an admin call. GET and DELETE send the body as a query."""
        connection = http.client.HTTPConnection(self._host, self._port, timeout=30)
        path, data = f"/sandbox/{name}", None
        if verb == "POST":
            data = json.dumps(body or {}).encode()
        elif body:
            path += "?" + urlencode(body)
        try:
            connection.request(verb, path, data, {"Authorization": f"Bearer {self._token}"})
            response = connection.getresponse()
            answer: dict[str, Any] = json.loads(response.read())
        finally:
            connection.close()
        if response.status != 200:
            raise AdminError(f"{verb} {path}: {response.status} {answer}")
        return answer

    def google(self, path: str) -> dict[str, Any]:
        """The owner's GET request to one of Google's APIs."""
        connection = http.client.HTTPConnection(self._host, self._port, timeout=30)
        try:
            connection.request("GET", path, headers={"Authorization": f"Bearer {self._token}"})
            answer: dict[str, Any] = json.loads(connection.getresponse().read())
        finally:
            connection.close()
        return answer


class Mail:
    """Actions of other people, other clients and the owner's phone."""

    def __init__(self, admin: Admin) -> None:
        self._admin = admin

    def deliver(self, raw: bytes, **options: Any) -> dict[str, Any]:
        """Delivers a mail. Options: labels, internal_ms, account. Returns id, threadId, labelIds."""
        return self._admin.call("POST", "deliver", {"raw": _base64(raw), **options})

    def send_from_phone(self, raw: bytes, thread_id: str = "", **options: Any) -> dict[str, Any]:
        """The owner sends from another client. To answer in a thread, give its id and the headers."""
        return self._admin.call("POST", "send", {"raw": _base64(raw), "threadId": thread_id, **options})

    def delete(self, *ids: str, account: str = "") -> None:
        """Another client deletes messages for good."""
        self._admin.call("POST", "delete", {"ids": ids, "account": account})

    def label(self, *ids: str, add: list[str] | None = None, remove: list[str] | None = None, account: str = "") -> None:
        """Another client changes labels, by id or name."""
        self._admin.call("POST", "labels", {"ids": ids, "add": add or [], "remove": remove or [], "account": account})

    def edit_draft(self, draft_id: str, raw: bytes, account: str = "") -> dict[str, Any]:
        """The owner edits a draft in Gmail."""
        return self._admin.call("POST", "draft", {"id": draft_id, "raw": _base64(raw), "account": account})

    def drafts(self, account: str = "") -> list[dict[str, Any]]:
        """All drafts: id and message."""
        return list(self._admin.call("GET", "drafts", {"account": account})["drafts"])

    def sent(self, account: str = "") -> list[dict[str, Any]]:
        """All messages in SENT, oldest first."""
        return list(self._admin.call("GET", "sent", {"account": account})["messages"])

    def dump(self, account: str = "") -> dict[str, Any]:
        """All messages with labels, thread and digest."""
        return self._admin.call("GET", "dump", {"account": account})

    def raw(self, message_id: str, account: str = "") -> bytes:
        return base64.urlsafe_b64decode(self._admin.call("GET", "raw", {"id": message_id, "account": account})["raw"])


class Faults:
    """Rules that make requests fail."""

    def __init__(self, admin: Admin) -> None:
        self._admin = admin

    def add(self, kind: str, method: str = "*", **options: Any) -> str:
        """Adds a rule. Options: place, when, nth, times (0: always), probability, seed, seconds, about. Returns its id."""
        return str(self._admin.call("POST", "faults", {"kind": kind, "method": method, **options})["id"])

    def remove(self, rule_id: str) -> None:
        self._admin.call("DELETE", "faults", {"id": rule_id})

    def clear(self) -> None:
        self._admin.call("DELETE", "faults")

    def listed(self) -> list[dict[str, Any]]:
        """The rules, with how often each was seen and fired."""
        return list(self._admin.call("GET", "faults")["faults"])


class ServerClock:
    """The sandbox's clock."""

    def __init__(self, admin: Admin) -> None:
        self._admin = admin

    def now_s(self) -> float:
        """Seconds since 1970."""
        return float(self._admin.call("GET", "clock")["now_s"])

    def set(self, iso: str, *, freeze: bool | None = None) -> None:
        """Sets the clock to an ISO 8601 time."""
        self._admin.call("POST", "clock", {"set": iso} | ({} if freeze is None else {"freeze": freeze}))

    def advance(self, seconds: float) -> None:
        self._admin.call("POST", "clock", {"advance_s": seconds})


class Sandbox:
    """A running sandbox with typed admin calls in `mail`, `faults` and `clock`; `admin.call` makes any other."""

    def __init__(self, process: subprocess.Popen[bytes] | fork_server.Born, hello: Mapping[str, Any]) -> None:
        self._process = process
        self.url: str = hello["url"]
        self.token: str = hello["token"]
        self.account: str = hello["account"]
        self.messages: int = hello["messages"]
        self.admin = Admin(self.url, self.token)
        self.mail = Mail(self.admin)
        self.faults = Faults(self.admin)
        self.clock = ServerClock(self.admin)

    @property
    def pid(self) -> int:
        """The server's process id."""
        return self._process.pid

    def deliver(self, raw: bytes, **options: Any) -> dict[str, Any]:
        """Delivers a mail."""
        return self.mail.deliver(raw, **options)

    def sent(self) -> list[dict[str, Any]]:
        """All messages in SENT."""
        return self.mail.sent()

    def dump(self) -> dict[str, Any]:
        """All messages with labels, thread and digest."""
        return self.mail.dump()

    def set_quota(self, **rules: Any) -> None:
        """Options: enforce, units_a_minute, refusal, concurrent, retry_after."""
        self.admin.call("POST", "quota", rules)

    def set_lag(self, seconds: float) -> None:
        """Sets how long a new message is missing from lists and searches."""
        self.admin.call("POST", "lag", {"seconds": seconds})

    def set_habits(self, **habits: Any) -> None:
        """Options: hidden_in_threads, lists_end_after, label_lists_end_after, batches_refuse_gaps, search_answers, list_answers,
        odd_numbers. Options that are not given are off.
        """
        self.admin.call("POST", "habits", habits)

    def move_history(self, after: int, account: str = "") -> None:
        """Gives the next change a history id above this one."""
        self.admin.call("POST", "history/move", {"after": after, "account": account})

    def expire_history(self) -> None:
        """Makes old history ids answer 404 from now on."""
        self.admin.call("POST", "history/expire")

    def set_consent(self, **screen: Any) -> None:
        """Options: testing, refuse_refresh, refuse_account, chosen, deny, granted."""
        self.admin.call("POST", "oauth", screen)

    def issue_token(self, *scopes: str, account: str = "", lifetime_s: int = 3_600) -> str:
        """An access token with these scopes (none: all of them)."""
        body = {"scopes": scopes, "account": account, "lifetime_s": lifetime_s}
        return str(self.admin.call("POST", "tokens", body)["access_token"])

    def add_account(self, address: str, name: str = "", timezone: str = "UTC") -> str:
        """Adds an empty account. Returns its access token."""
        body = {"address": address, "name": name, "timezone": timezone}
        return str(self.admin.call("POST", "accounts", body)["access_token"])

    def counters(self) -> dict[str, Any]:
        """Keys: units, requests, refused, methods."""
        return self.admin.call("GET", "counters")

    def log(self) -> list[dict[str, Any]]:
        """The requests so far."""
        return list(self.admin.call("GET", "log")["entries"])

    def stop(self) -> int:
        """Ends the server. Returns its exit code."""
        if self._process.poll() is None:
            self._process.terminate()
        try:
            return self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait(STOP_S)
        finally:
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    stream.close()

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()


def start_sandbox(*arguments: str | Path) -> Sandbox:
    """Starts a sandbox on a free port with these command line arguments. It ends with this process."""
    words = ["--json", "--parent-pipe", *map(str, arguments)]
    process: subprocess.Popen[bytes] | fork_server.Born
    if fork_server.POSSIBLE:
        process = fork_server.shared_fork_server().born("app.sandbox", words, os.environ, fork_server.SANDBOX)
    else:
        command = [sys.executable, "-m", "app.sandbox", *words]
        process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    line = process.stdout.readline()
    if not line:
        process.wait(START_S)
        if process.stdin is not None:
            process.stdin.close()
        process.stdout.close()
        raise RuntimeError(f"the sandbox did not start, exit code {process.returncode}")
    return Sandbox(process, json.loads(line))


@contextmanager
def running_sandbox(*arguments: str | Path) -> Iterator[Sandbox]:
    """A sandbox for a `with` block."""
    sandbox = start_sandbox(*arguments)
    try:
        yield sandbox
    finally:
        sandbox.stop()


def eventually(condition: Any, within_s: float = 10.0) -> bool:
    """Whether a condition came true in time; for effects of another process."""
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return bool(condition())


def _base64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode("ascii")

"""Records the network connections of a program and its children, as seen by Python and by the kernel.

`sitecustomize` on the children's path writes each connection that Python makes, strace (where installed) those of any library.
The environment asks every library to report to a local server that counts.
"""

import os
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from fakes.gmail.web_server import Visited

HOOK = """
import os, sys
def told(event, arguments, path=os.environ["NETWORK_TRAP"]):
    if event in ("socket.connect", "socket.sendto", "socket.getaddrinfo"):
        what = arguments[:2] if event == "socket.getaddrinfo" else arguments[1]
        if isinstance(what, tuple):
            with open(path, "a") as file:
                file.write(f"{event} {what[0]} {what[1]}\\n")
sys.addaudithook(told)
"""
CALLED = re.compile(r'sin_port=htons\((\d+)\), sin_addr=inet_addr\("([\d.]+)"\)|sin6_port=htons\((\d+)\).*?"([0-9a-f:.]+)"')
STRACE = shutil.which("strace") if sys.platform == "linux" else None


@dataclass(frozen=True)
class Trap:
    """`folder` holds the hook and its output."""

    folder: Path

    def __post_init__(self) -> None:
        hooks = self.folder / "hooks"
        hooks.mkdir(parents=True)
        (hooks / "sitecustomize.py").write_text(HOOK)

    def environment(self, root: Path, home: Visited) -> dict[str, str]:
        """An environment in which every library was told to report to `home`."""
        address = f"http://{home.host}"
        eager = {
            "LANGSMITH_TRACING": "true",
            "LANGSMITH_TRACING_V2": "true",
            "LANGCHAIN_TRACING_V2": "true",
            "LANGSMITH_API_KEY": "ls-key",
            "LANGSMITH_ENDPOINT": address,
            "LANGCHAIN_ENDPOINT": address,
            "ANONYMIZED_TELEMETRY": "True",
            "OTEL_EXPORTER_OTLP_ENDPOINT": address,
            "CHROMA_OTEL_COLLECTION_ENDPOINT": address,
            "HF_ENDPOINT": address,
            "LITELLM_TELEMETRY": "True",
            "LITELLM_LOCAL_MODEL_COST_MAP": "False",
            "SENTRY_DSN": f"http://key@{home.host}/1",
            "POSTHOG_HOST": address,
        }
        path = os.pathsep.join([str(self.folder / "hooks"), str(root)])
        return {**eager, "PYTHONPATH": path, "NETWORK_TRAP": str(self.folder / "python.txt")}

    def under(self, command: list[str]) -> list[str]:
        """The command, traced by strace where it is installed."""
        if STRACE is None:
            return command
        watch = ["-f", "--seccomp-bpf", "-qq", "-e", "trace=connect,sendto,sendmsg", "-o", str(self.folder / "kernel.txt")]
        return [STRACE, *watch, *command]

    def called(self) -> set[tuple[str, int]]:
        """All contacted addresses and ports. Looked-up names have port 0."""
        return self._by_python() | self._by_kernel()

    @property
    def python_ran(self) -> bool:
        """Whether the hook recorded anything."""
        return (self.folder / "python.txt").exists()

    @property
    def kernel_saw(self) -> bool:
        """Whether strace recorded anything."""
        path = self.folder / "kernel.txt"
        return path.exists() and bool(path.read_text())

    def _by_python(self) -> set[tuple[str, int]]:
        path = self.folder / "python.txt"
        lines = path.read_text().splitlines() if path.exists() else []
        found = set()
        for line in lines:
            event, host, port = line.rsplit(" ", 2)
            found.add((host, int(port) if "connect" in event and port.isdigit() else 0))
        return found

    def _by_kernel(self) -> set[tuple[str, int]]:
        path = self.folder / "kernel.txt"
        text = path.read_text(errors="replace") if path.exists() else ""
        return {(old or new, int(port or port6)) for port, old, port6, new in CALLED.findall(text)}


def elsewhere(called: set[tuple[str, int]], allowed: set[int] | None = None) -> list[tuple[str, int]]:
    """Connections to other hosts than loopback, and to loopback ports not in `allowed` (None: any). Lookups of loopback names are
    ignored.
    """
    here = ("127.0.0.1", "::1", "localhost")
    return sorted(one for one in called if one[0] not in here or (allowed is not None and one[1] not in {0, *allowed}))

"""What the window asks of agent profiles and their servers: see them, agree to a launch or to tools, take it back."""

from dataclasses import dataclass

from app.domain.rule_commands import FileFault
from app.domain.servers import ServerStatus


@dataclass(frozen=True, slots=True)
class ReadProfiles:
    """The profiles in force and how their servers stand; answered by `ProfilesNow`."""


@dataclass(frozen=True, slots=True)
class ProfileRow:
    """A profile as the window shows it. `prompt_file` is where its prompt stands."""

    name: str
    model: str
    max_tokens: int
    temperature: float
    max_iterations: int
    prompt_file: str
    prompt: str
    tools: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProfilesNow:
    """`path` is the file they stand in; with a `fault` the file says something else that is not in force."""

    path: str
    profiles: tuple[ProfileRow, ...]
    servers: tuple[ServerStatus, ...]
    fault: FileFault | None = None


@dataclass(frozen=True, slots=True)
class AllowServer:
    """The owner saw the launch line and agrees to start it."""

    launch: str


@dataclass(frozen=True, slots=True)
class ForbidServer:
    """The owner takes it back: the server ends, and what was agreed to of its tools is forgotten."""

    launch: str


@dataclass(frozen=True, slots=True)
class AllowTool:
    """The owner read this tool's description and agrees to it as it was shown, by its digest."""

    launch: str
    tool: str
    digest: str


ProfileCommand = AllowServer | ForbidServer | AllowTool

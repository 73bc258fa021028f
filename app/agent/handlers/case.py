"""What the tools of one run work on: the mail, its account, its profile, and which call is being carried out."""

import json
from dataclasses import dataclass
from typing import Any

from app.agent.deps import Deps
from app.agent.state import MailState, run_id_of
from app.agent.tools.toolbox import Toolbox
from app.domain.ids import RunId
from app.domain.mail import Account, Message
from app.domain.review import RedFlag
from app.domain.tools import Preprocessed, Profile


@dataclass(frozen=True, slots=True)
class Case:
    """`given` is the mail as the agent got it; `call_id` names the call, so that its effect happens once; `maker` is the model,
    `flags` what policy found on the call."""

    deps: Deps
    toolbox: Toolbox
    state: MailState
    profile: Profile
    message: Message
    account: Account
    given: Preprocessed
    call_id: str = ""
    maker: str = ""
    flags: tuple[RedFlag, ...] = ()

    @property
    def run_id(self) -> RunId:
        """The run."""
        return run_id_of(self.state)

    @property
    def effect_key(self) -> str:
        """The same when the same call is carried out again after a crash."""
        return f"{self.run_id}:{self.call_id}"


def an_object(required: tuple[str, ...], **properties: Any) -> dict[str, Any]:
    """A JSON schema of an object that takes nothing else."""
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def a_text(description: str, longest: int, **more: Any) -> dict[str, Any]:
    """A JSON schema of a text that is not empty."""
    return {"type": "string", "description": description, "minLength": 1, "maxLength": longest, **more}


def as_request(action: str, arguments: dict[str, Any]) -> str:
    """The action request of a review."""
    return json.dumps({"action": action, "args": arguments}, ensure_ascii=False)

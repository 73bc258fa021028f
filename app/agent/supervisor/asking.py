"""What an agent of the supervisor asks its model: who the owner is, the request as it was typed, what earlier steps came to.

The request and the instruction are the owner's. Results of steps are not: they repeat what strangers wrote, and stand in blocks.
"""

from app.agent.deps import ChatMessage, Gateway
from app.agent.prompts import PromptBook, chat, fence
from app.agent.supervisor.state import Job
from app.domain.errors import Refused

LONGEST_RESULT = 8000
"""Characters of an earlier step's answer."""


def asked(job: Job, prompt: str) -> list[ChatMessage]:
    """The beginning of a conversation, with `resources/prompts/<prompt>.md` as its instructions."""
    account, deps = job.account, job.deps
    system = PromptBook.read(deps.prompts, prompt).fill(
        prompt,
        owner=account.name or account.email,
        address=account.email,
        now=f"{deps.clock().astimezone(deps.time_zone):%A %Y-%m-%d %H:%M %Z}",
        background=deps.background,
    )
    return chat(system, f"The owner's request:\n{job.request.text}", *_earlier(job), f"Your step:\n{job.step.instruction}")


def model_of(job: Job) -> Gateway:
    """The model. Raises `Refused` where none is chosen."""
    if job.deps.gateway is None:
        raise Refused("This step needs a language model, and none is chosen.", "Choose one in Settings, then try the step again.")
    return job.deps.gateway


def _earlier(job: Job) -> list[str]:
    """What the steps before came to."""
    parts = []
    for index, result in sorted(job.results.items()):
        names = "".join(f"\nDocument {one.name}, handle {one.id}" for one in result.documents)
        words = f"{result.answer[:LONGEST_RESULT]}{names}".strip()
        if words:
            capability = job.request.steps[index].capability
            parts.append(fence(words, f"result of step {index + 1}, {capability}"))
    return parts

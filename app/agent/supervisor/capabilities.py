"""Which agents can do something here, and what, in words for the planner. Refuses to offer what has no backend."""

from collections.abc import Iterator, Mapping

from app.agent.deps import Deps
from app.domain.assistant import Capability
from app.domain.mail import GMAIL, Account


def offered(deps: Deps, account: Account) -> Mapping[Capability, str]:
    """What a plan may name, each with what it can do."""
    box = deps.toolbox
    able: dict[Capability, str] = {}
    if box is not None:
        able[Capability.RESEARCH] = f"looks things up and answers in words: {', '.join(_sources(deps))}."
    if box is not None and box.artifacts is not None:
        able[Capability.CREATE_DOCUMENT] = "writes one text file (Markdown, plain text or CSV) from what earlier steps found."
    if account.kind == GMAIL:
        able[Capability.GMAIL] = (
            "writes one mail, new or in answer to one, with files of this plan attached, and puts it before the owner, who "
            "sends it; or finds one mail and gives back what it says."
        )
    able[Capability.DIRECT_ANSWER] = "answers from general knowledge, or sums up what earlier steps found; looks nothing up."
    return able


def _sources(deps: Deps) -> Iterator[str]:
    """Where research can look."""
    assert deps.toolbox is not None, "research is not offered without"
    yield "the owner's mail and what it knows of people"
    if deps.calendar is not None:
        yield "when the owner is busy and free"
    if deps.toolbox.web is not None:
        yield "the web"
    if deps.toolbox.reader is not None:
        yield "pages of sites that the owner allowed or names"
    if deps.toolbox.artifacts is not None:
        yield "files of this plan"

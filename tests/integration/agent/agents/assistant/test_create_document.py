"""Documents of the assistant: named without paths, with their sources by title, and honest about what nobody told."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.agents.assistant.create_document import document_name
from app.domain.agents.requests import Capability, StepStatus
from app.store.requests.artifacts import NAME
from fakes.engine.agent_mailbox import Room, mail
from fakes.models.model_server import Answer, ModelServer
from fakes.models.requests import answers, document, looks, requests_at

pytestmark = pytest.mark.anyio
PLAN = ((Capability.RESEARCH, "Look."), (Capability.CREATE_DOCUMENT, "Write."))


@pytest.mark.parametrize(
    ("kind", "content", "ending"),
    [
        ("md", "# Order\n\nIt ships on Friday.", "\n\n## Sources\n\n- Order 4411\n"),
        ("txt", "It ships on Friday.", "\n\nSources:\n- Order 4411\n"),
        ("csv", "order,day\n4411,Friday", "4411,Friday\n"),
    ],
)
async def test_a_document_names_its_sources_by_title(
    room: Room, model: ModelServer, kind: str, content: str, ending: str
) -> None:
    order, _ = room.put(
        mail("It ships on Friday.", key="a", thread="a", subject="Order 4411"),
        mail("Late.", key="b", thread="b", subject="Uncited"),
    )
    async with requests_at(room, model) as at_work:
        wanted = at_work.planned("Write down when the order ships", *PLAN)
        request = await at_work.run(wanted, looks("ships"), answers("On Friday.", order.id), document(content, "plan", kind))
        (file,) = request.documents
        _, written = at_work.stage.files.read(file.id)
    text = written.decode()
    assert text.startswith(content)
    assert text.endswith(ending)
    assert (file.name, file.size) == (f"plan.{kind}", len(written))
    assert request.steps[1].answer == f"Wrote plan.{kind}."
    assert str(room.folder) not in request.steps[1].contract


async def test_facts_that_nobody_told_are_named_beside_the_document(room: Room, model: ModelServer) -> None:
    async with requests_at(room, model) as at_work:
        step = await at_work.step("Write a note on Friday", Capability.CREATE_DOCUMENT, document("On Friday it costs 875 EUR."))
    assert step.answer == "Wrote report.md.\n\nNot found in anything that was read: 875."


async def test_what_is_no_document_fails_in_words(room: Room, model: ModelServer) -> None:
    async with requests_at(room, model) as at_work:
        blank = Answer('{"name": "a", "kind": "exe", "content": " "}')
        step = await at_work.step("Write", Capability.CREATE_DOCUMENT, blank, blank)
    assert (step.status, step.documents) == (StepStatus.FAILED, ())
    async with requests_at(room, model, tools={"artifacts": None}) as at_work:
        step = await at_work.step("Write", Capability.CREATE_DOCUMENT)
    assert str(step.error) == "There is no place for documents here."


@given(st.text(max_size=200), st.sampled_from(["md", "txt", "csv"]))
def test_every_name_is_one_that_the_folder_takes(wanted: str, kind: str) -> None:
    name = document_name(wanted, kind)
    assert NAME.fullmatch(name)
    assert name.endswith(f".{kind}")
    assert not re.search(r"[/\\\0]", name)

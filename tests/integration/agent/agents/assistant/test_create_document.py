"""Documents of the assistant: named without paths, with their sources by title, and honest about what nobody told."""

import asyncio
import io
import re
import resource
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader

from app.agent.agents.assistant.ask_model import document_name
from app.agent.drafting.document_file import blocks_of, column_shares, pdf_file, word_file
from app.domain.agents.requests import Capability, StepStatus
from app.mail.file_process import DocumentReader
from app.store.requests.artifacts import NAME
from fakes.engine.agent_mailbox import NOON, Room, mail
from fakes.models.gmail_agent import SENDS, writes
from fakes.models.model_server import Answer, ModelServer
from fakes.models.requests import answers, document, looks, requests_at, says
from fakes.providers.files_of_every_kind import HARMFUL

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
    spoken = {"md": "Markdown", "csv": "Table"}.get(kind, kind)  # a model may name the kind in its own words
    async with requests_at(room, model) as at_work:
        wanted = at_work.planned("Write down when the order ships", *PLAN)
        request = await at_work.run(wanted, looks("ships"), answers("On Friday.", order.id), document(content, "plan", spoken))
        (file,) = request.documents
        _, written = at_work.stage.files.read(file.id)
    text = written.decode()
    assert text.startswith(content)
    assert text.endswith(ending)
    assert (file.name, file.size) == (f"plan_20261120_120500.{kind}", len(written))
    assert request.steps[1].answer == f"Wrote {file.name}."
    assert str(room.folder) not in request.steps[1].contract


async def test_facts_that_nobody_told_are_named_beside_the_document(room: Room, model: ModelServer) -> None:
    async with requests_at(room, model) as at_work:
        step = await at_work.step("Write a note on Friday", Capability.CREATE_DOCUMENT, document("On Friday it costs 875 EUR."))
    assert step.answer == f"Wrote {step.documents[0].name}.\n\nNot found in anything that was read: 875."


async def test_what_is_no_document_fails_in_words(room: Room, model: ModelServer) -> None:
    async with requests_at(room, model) as at_work:
        blank = Answer('{"name": "a", "kind": "exe", "content": " "}')
        step = await at_work.step("Write", Capability.CREATE_DOCUMENT, *[blank] * 4)
    assert (step.status, step.documents) == (StepStatus.FAILED, ())
    async with requests_at(room, model, tools={"artifacts": None}) as at_work:
        step = await at_work.step("Write", Capability.CREATE_DOCUMENT)
    assert str(step.error) == "There is no place for documents here."


@pytest.mark.parametrize(
    ("capability", "usable", "documents"),
    [(Capability.CREATE_DOCUMENT, document("On Friday."), 1), (Capability.DIRECT_ANSWER, says("On Friday."), 0)],
)
async def test_an_unusable_answer_is_asked_for_once_more(
    room: Room, model: ModelServer, capability: Capability, usable: Answer, documents: int
) -> None:
    async with requests_at(room, model) as at_work:
        blank = Answer('{"name": "a", "kind": "exe", "content": " "}')
        step = await at_work.step("Write", capability, blank, blank, usable)
    assert (step.status, step.attempt, len(step.documents)) == (StepStatus.DONE, 1, documents)


@pytest.mark.parametrize("name", ["prices.txt", "prices.csv", "prices.docx", "prices.pdf"])
async def test_a_file_that_the_owner_gave_is_read_and_may_be_attached(room: Room, model: ModelServer, name: str) -> None:
    words = "The lamp costs 875 EUR."
    made = {"docx": word_file, "pdf": pdf_file}.get(name.rpartition(".")[2])
    async with requests_at(room, model) as at_work:
        given = at_work.stage.files.write(name, made(words, "Prices") if made else words.encode())
        steps = ((Capability.CREATE_DOCUMENT, "Sum it up."), (Capability.GMAIL, "Send prices and summary to ann@partner.org."))
        wanted = at_work.planned("Sum up my price list, send both to ann@partner.org", *steps, files=(given,))
        request = await at_work.run(wanted, document("The lamp costs 875 EUR."), SENDS, writes(attachments=[given.id]))
        draft = at_work.review(request.steps[1]).proposal.draft
    assert "875 EUR" in model.prompts()[0]
    assert "Not found" not in request.steps[0].answer
    assert draft is not None
    assert [one.name for one in draft.attachments] == [name]


async def test_a_given_file_that_cannot_be_read_is_told_to_the_model(room: Room, model: ModelServer) -> None:
    async with requests_at(room, model) as at_work:
        files = tuple(at_work.stage.files.write(name, name.encode()) for name in ("a.pdf", "b.docx", "c.zip"))
        await at_work.run(at_work.planned("Read them", (Capability.DIRECT_ANSWER, "Read."), files=files), says("I cannot."))
    for words in ("“a.pdf” is damaged", "“b.docx” is damaged", "“c.zip” has no readable text"):
        assert words in model.prompts()[0]


async def test_harmful_files_end_within_their_limits_and_the_loop_goes_on(room: Room, model: ModelServer) -> None:
    names = ("deflate.pdf", "many-pages.pdf", "bomb.docx", "entities.docx", "outside.docx", "locked.pdf")
    busy: list[float] = []

    async def watch() -> None:
        while True:
            begun = time.thread_time()
            await asyncio.sleep(0.05)
            busy.append(time.thread_time() - begun)

    def read_s() -> float:
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        return spent.ru_utime + spent.ru_stime

    async with requests_at(room, model) as at_work:
        files = tuple(at_work.stage.files.write(name, HARMFUL[name]) for name in names)
        watching, before = asyncio.create_task(watch()), read_s()
        two = ((Capability.DIRECT_ANSWER, "Read."), (Capability.DIRECT_ANSWER, "Read again."))
        request = await at_work.run(at_work.planned("Read them", *two, files=files), says("I read."), says("And again."))
        watching.cancel()
    assert [one.status for one in request.steps] == [StepStatus.DONE, StepStatus.DONE]
    assert max(busy) < (read_s() - before) / 3, "the processes read the files, and not the loop"
    for prompt in model.prompts():
        assert "“locked.pdf” is password-protected" in prompt
        assert "root:" not in prompt


MARKDOWN = """# Zpráva

Úvod s **tučným** a [odkazem](https://example.org/a?b=1&c=2). <script>alert(1)</script> & <b>x</b> ✅

- první
  - vnořený
1. jedna

> citát

| Rok | Částka |
|---|---|
| 2024 | 1,200 EUR |
"""


@pytest.mark.parametrize("kind", ["pdf", "docx"])
async def test_word_and_pdf_say_what_the_markdown_says(room: Room, model: ModelServer, kind: str) -> None:
    async with requests_at(room, model) as at_work:
        step = await at_work.step("Write", Capability.CREATE_DOCUMENT, document(MARKDOWN, "plan", kind))
        (file,) = step.documents
        text = (await DocumentReader(at_work.stage.files.locate).read(file.id)).text
        _, content = at_work.stage.files.read(file.id)
    for words in ("Zpráva", "tučným", "<script>alert(1)</script> & <b>x</b>", "vnořený", "citát", "Částka", "1,200 EUR"):
        assert words in text, words
    assert content.startswith(b"%PDF" if kind == "pdf" else b"PK")


async def test_letters_that_a_pdf_would_lose_fail_in_words(room: Room, model: ModelServer) -> None:
    async with requests_at(room, model) as at_work:
        step = await at_work.step("Write", Capability.CREATE_DOCUMENT, document("漢字", kind="pdf"))
    assert str(step.error) == "The font for PDF files does not have these letters: 漢字. Ask for a Word file instead."


@given(st.text(max_size=200), st.sampled_from(["md", "txt", "csv", "docx", "pdf"]))
def test_every_name_is_one_that_the_folder_takes(wanted: str, kind: str) -> None:
    name = document_name(wanted, kind, NOON)
    assert NAME.fullmatch(name)
    assert name.endswith(f".{kind}")
    assert not re.search(r"[/\\\0]", name)


def test_columns_fit_their_texts_and_pages_are_numbered() -> None:
    rows = blocks_of("| Studio | Remarks |\n|---|---|\n| Lom | Transport is included; a sample comes first |")[0].rows
    narrow, wide = column_shares(rows)
    assert (wide > 2 * narrow, round(narrow + wide, 6)) == (True, 1.0)
    made = pdf_file(
        "\n\n".join(f"Paragraph {number}. " + "Words. " * 60 for number in range(20)) + "\n\n> Said.\n\n```\na\n\nb\n```", "t"
    )
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(made)).pages]
    assert [text.split()[0] for text in pages] == [str(number + 1) for number in range(len(pages))]
    assert len(pages) > 1

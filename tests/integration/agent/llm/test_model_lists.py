"""The models that each kind of server lists, addresses that lack a part, servers on this computer, and the test of a model."""

import pytest

from app.agent.llm.litellm_setup import close_litellm
from app.agent.llm.model_lists import find_servers, list_models
from app.agent.llm.probe import KNOWN_MAIL
from app.agent.llm.probe import test_model as probe
from app.agent.llm.providers import Providers
from app.agent.llm.turns import ModelMisconfigured
from app.domain.agents.model_providers import COMPATIBLE, ModelProvider, key_name, provider_of, provider_with, with_scheme
from app.domain.errors import ModelUnavailable
from app.domain.mail.triage import Decision
from app.domain.protocol.commands import ModelServer
from app.domain.record import replace
from fakes.engine.agent_mailbox import Room
from fakes.providers.server import ProviderServer
from fakes.providers.shapes import ANTHROPIC, GEMINI, OLLAMA, OPENAI, Asked, Reply, Shape


def silent(_asked: Asked, _number: int) -> Reply:
    return Reply()


def serving(shape: Shape, *models: str, key: str = "") -> ProviderServer:
    return ProviderServer(shape, silent, models=models, key=key)


def at(provider: str, root: str) -> ModelProvider:
    """A provider whose server is a local one."""
    known = provider_with(provider)
    return replace(known, address=f"{root}{'/v1beta' if provider == 'gemini' else '' if provider == 'ollama' else '/v1'}")


def root_of(server: ProviderServer) -> str:
    return "/".join(server.address.split("/")[:3])


@pytest.mark.parametrize(
    ("provider", "shape"),
    [
        ("openai", OPENAI),
        ("anthropic", ANTHROPIC),
        ("gemini", GEMINI),
        ("mistral", OPENAI),
        ("ollama", OLLAMA),
        ("lm_studio", OPENAI),
    ],
)
async def test_each_kind_of_server_lists_its_models(provider: str, shape: Shape) -> None:
    with serving(shape, "zeta-1", "alpha-2", "text-embedding-3", "whisper-1") as server:
        listed = await list_models(at(provider, root_of(server)), "", "key-1")
    assert listed.models == ("alpha-2", "zeta-1")


async def test_the_recommended_models_come_first() -> None:
    with serving(OPENAI, "a-1", "gpt-5-mini", "gpt-4.1-mini") as server:
        listed = await list_models(at("openai", root_of(server)), "", "key-1")
    assert listed.models == ("gpt-5-mini", "gpt-4.1-mini", "a-1")


@pytest.mark.parametrize(("provider", "shape"), [("openai", OPENAI), ("anthropic", ANTHROPIC), ("gemini", GEMINI)])
async def test_the_key_is_sent_as_the_provider_wants_it(provider: str, shape: Shape) -> None:
    with serving(shape, "m-1", key="right") as server:
        assert (await list_models(at(provider, root_of(server)), "", "right")).models == ("m-1",)
        with pytest.raises(ModelMisconfigured, match="rejected the key"):
            await list_models(at(provider, root_of(server)), "", "wrong")
        with pytest.raises(ModelMisconfigured, match="characters that no key has"):
            await list_models(at(provider, root_of(server)), "", "ri…ht")  # copied from where it is shown in part


async def test_an_address_without_scheme_and_version_is_completed() -> None:
    with serving(OPENAI, "m-1") as server:
        root = root_of(server)
        for typed in (root, root.removeprefix("http://"), f"{root}/", f"{root}/v1", f"{root}/v1/"):
            listed = await list_models(provider_with(COMPATIBLE), typed, "")
            assert (listed.address, listed.models) == (f"{root}/v1", ("m-1",))


async def test_a_server_without_a_list_gives_none_and_its_address() -> None:
    with serving(OLLAMA, "m-1") as server:
        listed = await list_models(provider_with(COMPATIBLE), root_of(server), "")
    assert (listed.address, listed.models) == (f"{root_of(server)}/v1", ())


async def test_a_server_that_is_not_there_is_said() -> None:
    with pytest.raises(ModelUnavailable, match=r"127\.0\.0\.1:9 isn't responding"):
        await list_models(provider_with(COMPATIBLE), "127.0.0.1:9", "")


async def test_servers_on_this_computer_are_found() -> None:
    with serving(OLLAMA, "llama3.1") as ollama, serving(OPENAI) as without_models:
        places = (at("ollama", root_of(ollama)), at("lm_studio", root_of(without_models)), at("llama_cpp", "http://127.0.0.1:9"))
        found = (await find_servers(places)).found
        assert found == (ModelServer("ollama", root_of(ollama), ("llama3.1",)),)


VERDICT = Reply('{"decision": "respond", "confidence": 0.9}')
TOOL = Reply(tool_calls=(("find_opening_hours", {"day": "Saturday"}),))


@pytest.mark.parametrize("shape", [OPENAI, ANTHROPIC, GEMINI, OLLAMA], ids=lambda one: one.provider)
@pytest.mark.parametrize("skills", [(True, True), (True, False), (False, True), (False, False)])
async def test_the_test_says_what_a_model_can_do(room: Room, shape: Shape, skills: tuple[bool, bool]) -> None:
    def behave(asked: Asked, _number: int) -> Reply:
        asks_tool = "find_opening_hours" in asked.tools
        if asks_tool:
            return TOOL if skills[1] else Reply("I would look it up.")
        return VERDICT if skills[0] else Reply("It needs a reply, I think.")

    with ProviderServer(shape, behave) as server:
        tested = await probe(server.model, server.address, "key-1", room.runs, room.clock, Providers(answers=room.runs))
    assert (tested.sorts, tested.calls_tools) == skills
    await close_litellm()


async def test_the_test_measures_a_new_model_once(room: Room) -> None:
    def behave(asked: Asked, _number: int) -> Reply:
        return TOOL if asked.tools and not asked.schema else VERDICT

    with ProviderServer(OPENAI, behave) as server:
        for _ in range(2):
            tested = await probe(server.model, server.address, "key-1", room.runs, room.clock, Providers(answers=room.runs))
            assert (tested.right, tested.asked) == (2, 6)
        known = room.runs.model_answers(server.address.split("/")[2], server.model, 50)
        assert [right for right, _said in known] == [right for right, _mail in KNOWN_MAIL]
        assert {said for _right, said in known} == {Decision.RESPOND}
    await close_litellm()


async def test_the_test_of_a_server_that_refuses_says_why(room: Room) -> None:
    refusing = ProviderServer(OPENAI, lambda _asked, _number: Reply(status=401, error="bad key"))
    with refusing as server, pytest.raises(ModelUnavailable, match="rejected the key"):
        await probe(server.model, server.address, "key-1", room.runs, room.clock, Providers(answers=room.runs))
    await close_litellm()


def test_a_server_of_the_users_own_never_gets_the_providers_key() -> None:
    assert key_name("openai/gpt-5-mini") == "openai"
    assert key_name("openai/gpt-5-mini", "https://api.openai.com/v1") == "openai"
    assert key_name("openai/local", "http://192.168.1.5:8000/v1") == COMPATIBLE
    assert key_name("gpt-5-mini") == "openai"
    assert key_name("something") == ""
    found = provider_of("ollama/llama3.2")
    assert found.id == "ollama"
    assert provider_of("groq/llama-3.3") is None


def test_a_typed_address_gets_its_scheme() -> None:
    assert with_scheme("127.0.0.1:8080") == "http://127.0.0.1:8080"
    assert with_scheme("box:8080/v1/") == "http://box:8080/v1"
    assert with_scheme("models.example.org") == "https://models.example.org"
    assert with_scheme(" https://models.example.org/v1 ") == "https://models.example.org/v1"
    assert with_scheme("box:8080/v1/chat/completions") == "http://box:8080/v1"

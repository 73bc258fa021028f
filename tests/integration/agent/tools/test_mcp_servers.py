"""The servers of profiles: consent first, tools under their server's name, shared processes, and what goes when profiles go."""

from pathlib import Path

import pytest

from app.agent.tools.mcp_servers import McpServers
from app.agent.tools.registry import Registry
from app.domain.agents.tools import CallApproval, McpServer, ServerState, ToolState
from app.domain.errors import ServerError
from app.domain.policy.policy import Effect
from fakes.models.mcp_servers import SCRIPT, Stage, child, profile, stage

pytestmark = pytest.mark.anyio


async def test_nothing_starts_without_consent(tmp_path: Path) -> None:
    made = Stage(tmp_path, child(tmp_path))
    await made.servers.use((made.profile,))
    assert made.status.state is ServerState.NEEDS_CONSENT
    assert str(SCRIPT) in made.status.line
    assert made.status.env_names == ("SHELF",)
    assert made.servers.tools(made.profile) == ()
    assert not (tmp_path / "starts.txt").exists()
    made.grant()
    await made.servers.look_again(made.launch)
    await made.running()
    assert made.tools
    made.consents.revoke(made.launch)
    await made.servers.look_again(made.launch)
    assert made.status.state is ServerState.NEEDS_CONSENT
    assert made.servers.tools(made.profile) == ()
    await made.servers.close()


async def test_tools_are_listed_under_the_servers_name_and_called(tmp_path: Path) -> None:
    async with stage(tmp_path, child(tmp_path, add=CallApproval.ALLOW)) as made:
        assert set(made.tools) == {f"tools__{name}" for name in ("shout", "add", "variables", "flood", "fail", "crash")}
        shout, add = (made.tools[f"tools__{name}"].definition for name in ("shout", "add"))
        assert (shout.effect, shout.asking, shout.text_args) == (Effect.NET, CallApproval.ASK, ("text",))
        assert (add.asking, add.public) == (CallApproval.ALLOW, False)
        assert await made.call("shout", text="hello") == {"text": "HELLO"}
        assert await made.call("add", a=2, b=3) == {"text": "5"}
        failed = await made.call("fail")
        assert isinstance(failed, dict)
        assert failed["error"]
        assert made.tool("not.fit").state is ToolState.UNFIT
        Registry(made.servers.tools(made.profile))


async def test_profiles_that_go_take_their_servers_with_them(tmp_path: Path) -> None:
    async with stage(tmp_path, child(tmp_path)) as made:
        call = made.tools["tools__shout"].handler
        await made.servers.use(())
        assert made.servers.statuses() == ()
        with pytest.raises(ServerError):
            await call(text="x")


async def test_two_profiles_share_a_process_and_have_their_own_words(tmp_path: Path) -> None:
    first, second = profile(child(tmp_path)), profile(child(tmp_path, shout=CallApproval.ALLOW), name="other")
    async with stage(tmp_path, child(tmp_path)) as made:
        await made.servers.use((first, second))
        assert [one.profile for one in made.servers.statuses()] == ["shop", "other"]
        asking = [
            tool.definition.asking
            for one in (first, second)
            for tool in made.servers.tools(one)
            if tool.definition.name == "tools__shout"
        ]
        assert asking == [CallApproval.ASK, CallApproval.ALLOW]
        assert (tmp_path / "starts.txt").read_text() == "1"


async def test_how_servers_stand_can_be_asked_while_profiles_change(tmp_path: Path) -> None:
    """The window asks whenever something changed, and a server that ends is such a change."""
    made = Stage(tmp_path, child(tmp_path))
    seen: list[list[str]] = []
    servers = McpServers(made.consents, lambda: seen.append([one.server for one in servers.statuses()]), 0.05)
    made.grant()
    await servers.use((made.profile,))
    await servers.use((profile(McpServer("other", "nothing")),))
    assert seen[-1] == ["other"]
    assert [one.state for one in servers.statuses()] == [ServerState.NEEDS_CONSENT]
    await servers.close()

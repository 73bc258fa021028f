"""Saving rules: comments and untouched rules stay as they are, the file always says exactly the wanted rules."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.config.rules.editing import check_rules, remove_profile, save_profile, write_rules
from app.config.rules.profiles import load_routing
from app.config.rules.rules import parse_rules
from app.config.user_files import read_text
from app.domain.agents.routing import HeaderPattern, RoutingRule, RuleMatch
from app.domain.agents.runs import Route
from app.domain.agents.tools import TOOL_NAMES, AgentProfile, McpServer
from app.domain.errors import BadFile, NotAllowed
from app.domain.record import replace

TEXT = """# Mine.
routing:   # here they are
  rules:
    # The shop writes often.
    - name: shop   # the big one
      match:
        sender_domain: "shop.example"   # exact
        subject_contains: 'order'
      route: pipeline

    - name: boss
      match: {sender_email: boss@work.example}   # herself
      route: response_agent
    # Everything else.
    - name: rest
      match:
        all: true
      route: pipeline

# Profiles come here.
agent:
  profiles: {}   # none yet
"""
SHOP, BOSS, REST = parse_rules(TEXT, Path("routing.yaml"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "routing.yaml"
    found.write_text(TEXT, encoding="utf-8")
    return found


def saved(path: Path, *rules: RoutingRule) -> str:
    write_rules(path, rules)
    assert parse_rules(read_text(path), path) == rules
    return path.read_text(encoding="utf-8")


def test_the_same_rules_change_no_byte(path: Path) -> None:
    assert saved(path, SHOP, BOSS, REST) == TEXT


def test_a_moved_rule_takes_its_comments_with_it(path: Path) -> None:
    text = saved(path, REST, SHOP, BOSS)
    assert text.index("# Everything else.") < text.index("name: rest") < text.index("# The shop writes often.")
    assert sorted(text.splitlines()) == sorted(TEXT.splitlines())


def test_a_changed_rule_keeps_the_comments_inside_it_and_all_others_their_lines(path: Path) -> None:
    changed = replace(SHOP, match=RuleMatch(sender_domain="shop.example", subject_contains="invoice"))
    text = saved(path, changed, BOSS, REST)
    assert "name: shop   # the big one" in text
    assert '"shop.example"   # exact' in text
    assert "invoice" in text
    assert text[text.index("    - name: boss") :] == TEXT[TEXT.index("    - name: boss") :]
    assert text.startswith(TEXT[: TEXT.index("    - name: shop")])


def test_a_new_rule_stands_where_it_was_put(path: Path) -> None:
    new = RoutingRule("new", RuleMatch(header_match=(HeaderPattern("X-A", r"^\d: #x"),)), Route.PIPELINE)
    text = saved(path, SHOP, new, BOSS, REST)
    assert text.index("name: shop") < text.index("name: new") < text.index("name: boss")
    for line in TEXT.splitlines():
        assert line in text


def test_a_deleted_rule_goes_with_its_comment(path: Path) -> None:
    text = saved(path, BOSS, REST)
    assert "The shop" not in text
    assert "# Mine." in text
    assert "# Profiles come here." in text


def test_no_rules_at_all(path: Path) -> None:
    assert "# Profiles come here." in saved(path)
    assert saved(path, BOSS).count("name: ") == 1


@pytest.mark.parametrize("text", ["", "# only words\n", "agent:\n  profiles: {}\n", "routing:\n  rules: []\n", "routing:\n"])
def test_a_file_without_rules_gets_them(tmp_path: Path, text: str) -> None:
    path = tmp_path / "routing.yaml"
    path.write_text(text, encoding="utf-8")
    assert ("# only words" in saved(path, BOSS, REST)) == ("#" in text)


def test_rules_in_one_line_are_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "routing.yaml"
    path.write_text("routing: {rules: [{name: a, match: {all: true}, route: pipeline}]}  # short\n", encoding="utf-8")
    saved(path, BOSS, REST)


def test_a_missing_file_is_made_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "routing.yaml"
    saved(path, BOSS)
    assert path.stat().st_mode & 0o077 == 0


def test_a_broken_file_is_left_alone(path: Path) -> None:
    path.write_text("routing: [", encoding="utf-8")
    with pytest.raises(BadFile):
        write_rules(path, (BOSS,))
    assert path.read_text(encoding="utf-8") == "routing: ["


@pytest.mark.parametrize(
    "rule",
    [
        RoutingRule("", RuleMatch(all=True), Route.PIPELINE),
        RoutingRule("a", RuleMatch(), Route.PIPELINE),
        RoutingRule("a", RuleMatch(sender_email="x"), Route.PIPELINE),
        RoutingRule("a", RuleMatch(all=True), Route.AGENT),
        RoutingRule("a", RuleMatch(all=True), Route.PIPELINE, "p"),
        RoutingRule("a", RuleMatch(header_match=(HeaderPattern("X", "("),)), Route.PIPELINE),
        RoutingRule("a", RuleMatch(subject_contains=" order "), Route.PIPELINE),
    ],
)
def test_what_is_no_rule_is_refused_with_words(path: Path, rule: RoutingRule) -> None:
    with pytest.raises(NotAllowed) as caught:
        write_rules(path, (BOSS, rule))
    assert caught.value.detail
    assert path.read_text(encoding="utf-8") == TEXT


WORDS = st.text(alphabet="aZž0 :#-'\"{}[]&*!|>%@`\\\t,?", min_size=1, max_size=12).map(str.strip).filter(bool)
MATCHES = st.builds(
    RuleMatch,
    all=st.booleans(),
    subject_contains=st.one_of(st.just(""), WORDS),
    header_match=st.lists(st.builds(HeaderPattern, st.sampled_from(["X-A", "List-Id"]), st.just(r"^<.*>: #")), max_size=1).map(
        tuple
    ),
    forwarded_from=st.sampled_from(["", "info@shop.example"]),
).filter(lambda match: not match.empty)
RULES = st.lists(
    st.builds(RoutingRule, st.one_of(st.sampled_from(["shop", "boss", "rest"]), WORDS), MATCHES, st.just(Route.PIPELINE)),
    max_size=5,
    unique_by=lambda rule: rule.name,
)


@given(RULES, RULES)
def test_whatever_is_saved_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, first: list[RoutingRule], second: list[RoutingRule]
) -> None:
    path = tmp_path_factory.mktemp("rules") / "routing.yaml"
    path.write_text(TEXT, encoding="utf-8")
    for rules in (first, second):
        check_rules(rules)
        write_rules(path, rules)
        assert parse_rules(read_text(path), path) == tuple(rules)
    assert "profiles: {}   # none yet" in path.read_text(encoding="utf-8")


PROFILES = """# Mine.
agent:
  # All of them.
  profiles:
    # For orders.
    orders:
      model: openai/gpt-5      # the quick one
      system_prompt_file: prompts/orders.txt
      tools: [mail_search, escalate]
      mcp_servers:
        stock:                 # ours
          command: npx
          args: [-y, stock]
          tools: {look: allow}
    # For the rest.
    rest:
      system_prompt_file: rest.txt
      tools:
        - escalate   # always
        - web_search
routing:
  rules:
    - name: shop   # the shop
      match: {sender_domain: shop.example}
      route: agent
      profile: orders
    # All else.
    - name: else
      match: {all: true}
      route: agent
      profile: rest
"""


@pytest.fixture
def agents(tmp_path: Path) -> Path:
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "orders.txt").write_text("Be quick.", encoding="utf-8")
    (tmp_path / "rest.txt").write_text("Be kind.", encoding="utf-8")
    found = tmp_path / "routing.yaml"
    found.write_text(PROFILES, encoding="utf-8")
    return found


def profiles(path: Path) -> dict[str, AgentProfile]:
    return {one.name: one for one in load_routing(path, TOOL_NAMES)[1]}


def keep(path: Path, profile: AgentProfile) -> str:
    save_profile(path, profile, TOOL_NAMES)
    found = profiles(path)[profile.name]
    assert found == replace(profile, system_prompt_file=found.system_prompt_file)
    return path.read_text(encoding="utf-8")


def test_a_profile_saved_as_it_was_changes_no_word(agents: Path) -> None:
    assert keep(agents, profiles(agents)["orders"]).split() == PROFILES.split()


def test_a_changed_profile_keeps_comments_and_the_lines_of_all_others(agents: Path) -> None:
    orders = profiles(agents)["orders"]
    stock = replace(orders.mcp_servers[0], args=("-y", "stock2"))
    text = keep(agents, replace(orders, max_iterations=4, tools=("escalate", "read_thread"), mcp_servers=(stock,), enabled=False))
    for words in ("# Mine.", "# All of them.", "# For orders.", "# the quick one", "# ours", "enabled: false", "stock2"):
        assert words in text
    assert text[text.index("    # For the rest.") :] == PROFILES[PROFILES.index("    # For the rest.") :]
    text = keep(agents, replace(profiles(agents)["rest"], tools=("escalate", "mail_search")))
    assert "- escalate   # always" in text
    assert "# All else." in text


def test_a_changed_prompt_goes_to_its_own_file(agents: Path) -> None:
    keep(agents, replace(profiles(agents)["orders"], system_prompt="Be careful."))
    assert (agents.parent / "prompts" / "orders.txt").read_text(encoding="utf-8") == "Be careful."
    assert agents.read_text(encoding="utf-8").count("prompts/orders.txt") == 1


def test_a_prompt_of_the_program_is_changed_in_the_owners_folder_only(tmp_path: Path) -> None:
    path = tmp_path / "routing.yaml"
    path.write_text(
        "agent:\n  profiles:\n    p:\n      system_prompt_file: prompts/profile.md\n      tools: []\n", encoding="utf-8"
    )
    before = profiles(path)["p"]
    keep(path, replace(before, system_prompt="Mine."))
    assert profiles(path)["p"].system_prompt_file == tmp_path / "prompts" / "profile.md"
    assert before.system_prompt_file.read_text(encoding="utf-8").strip() == before.system_prompt.strip()


@pytest.mark.parametrize(
    "text", ["", "# only words\n", "routing:\n  rules: []\n", "agent:\n", "agent:\n  profiles: {}\n", PROFILES]
)
def test_a_new_profile_gets_a_prompt_file_that_is_free(agents: Path, text: str) -> None:
    agents.write_text(text, encoding="utf-8")
    (agents.parent / "new.txt").write_text("Somebody else's.", encoding="utf-8")
    server = McpServer("notes", url="https://tools.example.org/mcp")
    new = AgentProfile("new", Path(), "Be new.", ("escalate",), temperature=0.5, mcp_servers=(server,))
    after = keep(agents, new)
    assert "system_prompt_file: new-2.txt" in after
    assert (agents.parent / "new.txt").read_text(encoding="utf-8") == "Somebody else's."
    for line in text.splitlines():
        assert line in after or "{}" in line


def test_a_removed_profile_goes_with_its_comment_and_its_rules(agents: Path) -> None:
    remove_profile(agents, "orders")
    text = agents.read_text(encoding="utf-8")
    assert "orders" not in text
    assert "name: shop" not in text
    assert "# All of them." in text
    assert "# All else." in text
    assert (agents.parent / "prompts" / "orders.txt").exists()
    remove_profile(agents, "rest")
    assert profiles(agents) == {}


@pytest.mark.parametrize(
    "bad",
    [
        AgentProfile("a b", Path(), "x", ()),
        AgentProfile("new", Path(), "  ", ()),
        AgentProfile("new", Path(), "x", ("no_tool",)),
        AgentProfile("new", Path(), "x", (), max_iterations=0),
        AgentProfile("new", Path(), "x", (), mcp_servers=(McpServer("s", url="http://far.example"),)),
        AgentProfile("new", Path(), "x", (), model=" m "),
    ],
)
def test_a_profile_that_could_not_be_read_back_changes_nothing(agents: Path, bad: AgentProfile) -> None:
    with pytest.raises(NotAllowed):
        save_profile(agents, bad, TOOL_NAMES)
    assert agents.read_text(encoding="utf-8") == PROFILES
    assert sorted(one.name for one in agents.parent.iterdir()) == ["prompts", "rest.txt", "routing.yaml"]


def test_profiles_in_one_line_are_written_whole(agents: Path) -> None:
    agents.write_text("agent: {profiles: {rest: {system_prompt_file: rest.txt, tools: []}}}  # short\n", encoding="utf-8")
    keep(agents, replace(profiles(agents)["rest"], tools=("escalate",)))
    remove_profile(agents, "rest")
    assert profiles(agents) == {}

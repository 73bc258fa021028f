"""Saving rules: comments and untouched rules stay as they are, the file always says exactly the wanted rules."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.config.rules.rule_editing import check_rules, write_rules
from app.config.rules.rules import load_rules, parse_rules
from app.domain.agents.routing import HeaderPattern, RoutingRule, RuleMatch
from app.domain.agents.runs import Route
from app.domain.errors import BadFile, NotAllowed

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
    assert load_rules(path) == rules
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


@settings(deadline=None, max_examples=60)
@given(RULES, RULES)
def test_whatever_is_saved_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, first: list[RoutingRule], second: list[RoutingRule]
) -> None:
    path = tmp_path_factory.mktemp("rules") / "routing.yaml"
    path.write_text(TEXT, encoding="utf-8")
    for rules in (first, second):
        check_rules(rules)
        write_rules(path, rules)
        assert load_rules(path) == tuple(rules)
    assert "profiles: {}   # none yet" in path.read_text(encoding="utf-8")

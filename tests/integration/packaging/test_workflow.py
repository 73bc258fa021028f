"""The forge's workflow: all three systems, pinned, without secrets, and each step's files are there."""

import configparser
import plistlib
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from app.cli.arguments import parser

ROOT = Path(__file__).resolve().parents[3]
FILE = ROOT / ".github" / "workflows" / "installers.yml"
TEXT = FILE.read_text(encoding="utf-8")
JOBS = YAML(typ="safe").load(TEXT)["jobs"]


def test_all_three_systems_are_built_with_nothing_secret() -> None:
    assert [job["runs-on"].split("-")[0] for job in JOBS.values()] == ["ubuntu", "windows", "macos"]
    assert "secrets." not in TEXT
    assert YAML(typ="safe").load(TEXT)["permissions"] == {"contents": "read"}
    assert all(job["timeout-minutes"] <= 90 for job in JOBS.values())
    assert "://" not in TEXT, "no address of a registry, or of anything else"


@pytest.mark.parametrize("system", JOBS)
def test_what_others_wrote_is_pinned_to_the_commit(system: str) -> None:
    used = [step["uses"] for step in JOBS[system]["steps"] if "uses" in step]
    assert len(used) == 3
    assert [one for one in used if re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", one)] == used


PACKAGING = Path(__file__).resolve().parents[3] / "packaging"


def systemd() -> list[str]:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(PACKAGING / "linux" / "replyroom-gmail.service")
    assert unit["Service"]["RestartPreventExitStatus"] == "2"
    assert unit["Install"]["WantedBy"] == "default.target"
    return unit["Service"]["ExecStart"].split()


def launchd() -> list[str]:
    agent = plistlib.loads((PACKAGING / "macos" / "com.replyroom.gmail.plist").read_bytes())
    assert agent["Label"] == "com.replyroom.gmail"
    return list(agent["ProgramArguments"])


def windows() -> list[str]:
    service = ET.parse(PACKAGING / "windows" / "replyroom-gmail.xml").getroot()
    return [service.findtext("executable", ""), *service.findtext("arguments", "").split()]


@pytest.mark.parametrize("example", [systemd, launchd, windows])
def test_an_example_starts_the_service_on_this_machine_alone(example: "type[systemd]") -> None:
    program, *arguments = example()
    assert re.fullmatch(r"(?:.*[/\\])?replyroom(?:\.exe)?", program)
    options = parser().parse_args(arguments)
    assert (options.command, options.host, options.port) == ("serve-gmail", "127.0.0.1", 8000)

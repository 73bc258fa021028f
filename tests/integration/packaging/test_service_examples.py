"""The examples that run the Gmail service under systemd, launchd and Windows start it as its command line allows."""

import configparser
import plistlib
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from app.cli.arguments import parser

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

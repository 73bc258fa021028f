"""What PyInstaller's BUNDLE is told of Replyroom.app: its identity and its Info.plist. Read by replyroom.spec."""

from __future__ import annotations

import tomllib
from pathlib import Path

IDENTIFIER = "app.replyroom.Replyroom"
"""What macOS keeps permissions and keychain items under: never to be changed once a release was signed with it."""
OLDEST = "14.0"
FOLDERS = "Replyroom reads a file there when you attach it to a letter, and writes one when you save an attachment."


def version() -> str:
    """The program's, of pyproject.toml."""
    project = Path(__file__).resolve().parents[2] / "pyproject.toml"
    return str(tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"])


def info(version: str) -> dict[str, object]:
    """Info.plist, but for what PyInstaller writes by itself."""
    return {
        "CFBundleShortVersionString": version,
        "CFBundleVersion": version,
        "CFBundleDevelopmentRegion": "en",
        "CFBundleLocalizations": ["en", "cs"],
        "CFBundleURLTypes": [
            # A program for mail addresses among others: which one is used is chosen in Mail's settings.
            {"CFBundleURLName": f"{IDENTIFIER}.mailto", "CFBundleURLSchemes": ["mailto"], "CFBundleTypeRole": "Editor"}
        ],
        "LSApplicationCategoryType": "public.app-category.productivity",
        "LSMinimumSystemVersion": OLDEST,
        # The program also speaks on standard output, which PyInstaller takes for one without windows.
        "LSBackgroundOnly": False,
        "NSHighResolutionCapable": True,
        "NSRequiresAquaSystemAppearance": False,
        "NSSupportsAutomaticGraphicsSwitching": True,
        "NSHumanReadableCopyright": "MIT licence",
        "NSDesktopFolderUsageDescription": FOLDERS,
        "NSDocumentsFolderUsageDescription": FOLDERS,
        "NSDownloadsFolderUsageDescription": FOLDERS,
        "NSLocalNetworkUsageDescription": "Replyroom asks a language model or a tool server on your network, if you named one.",
    }


def settings(version: str, icon: Path) -> dict[str, object]:
    """The keyword arguments of BUNDLE."""
    told = {"icon": str(icon), "version": version, "info_plist": info(version)}
    return {"name": "Replyroom.app", "bundle_identifier": IDENTIFIER, **told}

"""What the build takes out of the program: files, and modules of libraries."""

import ast
from pathlib import Path
from types import ModuleType

import pytest

from fakes.engine.processes.build_script import loaded_script

ROOT = Path(__file__).resolve().parents[3]
PACKAGING = ROOT / "packaging"
KEPT = (
    "PySide6/Qt/lib/fonts.txt",
    "PySide6/Qt/translations/qtbase_cs.qm",
    "PySide6/Qt/translations/qtwebengine_locales/cs.pak",
    "PySide6/Qt/resources/qtwebengine_resources.pak",
    "PySide6/Qt/plugins/imageformats/libqjpeg.so",
    "botocore/data/bedrock/2023-04-20/service-2.json.gz",
    "resources/i18n/replyroom_cs.qm",
    "small-1.0.dist-info/METADATA",
    "small-1.0.dist-info/entry_points.txt",
    "litellm/model_prices_and_context_window_backup.json",
)
GONE = (
    "PySide6/Qt/translations/qtbase_de.qm",
    "PySide6/Qt/translations/qtwebengine_locales/de.pak",
    "botocore/data/ec2/2016-11-15/service-2.json.gz",
    "small-1.0.dist-info/RECORD",
    "small-1.0.dist-info/licenses/LICENSE",
)


@pytest.fixture
def trimming(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script."""
    monkeypatch.syspath_prepend(str(PACKAGING))
    return loaded_script(PACKAGING / "trimming.py")


def _left_out() -> list[str]:
    """The modules that stay out of the frozen program. Read, not imported: that needs the tool that freezes."""
    tree = ast.parse((PACKAGING / "pyinstaller" / "contents.py").read_text(encoding="utf-8"))
    (told,) = [node for node in tree.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "LEFT_OUT"]
    names: list[str] = ast.literal_eval(told.value)
    return names


def test_what_nobody_uses_goes_and_the_rest_stays(trimming: ModuleType, tmp_path: Path) -> None:
    inside = tmp_path / "_internal"
    unused = [pattern.replace("*", "x") for patterns in trimming.UNUSED.values() for pattern in patterns]
    for name in (*KEPT, *GONE, *unused):
        (inside / name).parent.mkdir(parents=True, exist_ok=True)
        (inside / name).write_text(name, encoding="utf-8")
    trimming._unreached = lambda _inside: ()
    trimming.trim(tmp_path)
    assert {path.relative_to(inside).as_posix() for path in inside.rglob("*") if path.is_file()} == set(KEPT)


def test_the_program_imports_nothing_that_is_left_out() -> None:
    out = _left_out()
    assert {"rich", "numpy.random", "rapidfuzz.process_cpp"} < set(out)
    wrong = []
    for path in (ROOT / "app").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Import():
                    asked = [alias.name for alias in node.names]
                case ast.ImportFrom(module=str(module), level=0):
                    asked = [module, *(f"{module}.{alias.name}" for alias in node.names)]
                case ast.Attribute(value=ast.Name(id="np")):
                    asked = [f"numpy.{node.attr}"]
                case _:
                    continue
            wrong += [
                f"{path.relative_to(ROOT)}: {one}" for one in asked if any(f"{one}.".startswith(f"{name}.") for name in out)
            ]
    assert not wrong

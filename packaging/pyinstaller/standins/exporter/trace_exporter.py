"""Stands for `opentelemetry.exporter.otlp.proto.grpc.trace_exporter` in the built program.

Chroma imports the exporter of its telemetry at start, which is off in Replyroom for good, and with it gRPC: 18 MB of native code.
Refuses to export anything.
"""


class OTLPSpanExporter:
    """Nobody makes one: that would be telemetry."""

    def __init__(self, *_arguments: object, **_options: object) -> None:
        raise RuntimeError("Telemetry is not part of this program.")

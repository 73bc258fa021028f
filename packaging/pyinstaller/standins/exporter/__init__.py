"""Stands for `opentelemetry.exporter.otlp.proto.grpc` in the built program, which has no gRPC."""

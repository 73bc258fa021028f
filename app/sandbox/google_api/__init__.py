"""What Google's APIs have in common: errors, JSON values, request schemas, and injected quirks."""

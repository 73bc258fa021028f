"""HTTP requests to Google: transport, batches, retries, decoding, errors."""

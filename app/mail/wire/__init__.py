"""The wire to Google: transport, batches, repeated reads, single writes, and answers in the words of the domain."""

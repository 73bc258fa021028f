"""The pipeline: triages a mail and drafts a reply, also without a language model."""

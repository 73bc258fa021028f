"""The cards of the Review page: draft, meeting, proposal, reasons, contact."""

"""The Review page: approving, editing and rejecting what agents propose."""

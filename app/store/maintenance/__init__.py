"""Copies, checks and recovery of the database, detection of foreign copies, retention and reports."""

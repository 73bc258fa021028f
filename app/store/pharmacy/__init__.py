"""Drugs, stock and reservations of the pharmacy profile."""

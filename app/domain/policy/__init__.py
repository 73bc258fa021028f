"""Decides what agents may do without approval, and computes red flags."""

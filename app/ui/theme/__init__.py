"""Themes, fonts, icons, spacing and the style sheet."""

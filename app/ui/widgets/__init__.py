"""Widgets that several pages use: makers of labels and buttons, forms, layouts, empty states, menus."""

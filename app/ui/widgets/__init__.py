"""Widgets of several pages: labels, buttons, forms, layouts, empty states, menus."""

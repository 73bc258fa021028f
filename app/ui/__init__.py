"""The window: Qt widgets that show and ask. The only room that imports Qt."""

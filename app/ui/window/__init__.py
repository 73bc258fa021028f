"""The main window: header, navigation, page stack, status line, notices, tray."""

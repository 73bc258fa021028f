"""The schema's version, apart from the migrations so that the window's reader need not import them."""

VERSION = 22
"""What `PRAGMA user_version` says of a current database; the number of the newest migration."""

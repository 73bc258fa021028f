"""Everything that talks to Google, and everything that reads or writes the format of mail: Gmail, Calendar, People, MIME, HTML,
mail archives.
"""

"""Files of mail, cleaned HTML, and imported archives."""

"""Google Calendar and Google Contacts."""

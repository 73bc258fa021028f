"""Gmail, Calendar, People and MIME. The only room that speaks to Google."""

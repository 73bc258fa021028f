"""The Gmail client of one account: sign-in, requests, quota pacing."""

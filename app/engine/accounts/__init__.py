"""Connected mailboxes, sign-ins, Google services and the quota."""

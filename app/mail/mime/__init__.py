"""The structure of a message: MIME parts, headers, addresses, character sets, invitations."""

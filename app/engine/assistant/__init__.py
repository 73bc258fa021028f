"""The assistant's requests: commands, planning, running and settling."""

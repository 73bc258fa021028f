"""The state of one sandbox: accounts, OAuth, quota, faults and the request journal."""

"""Types for drafts and reviews, for meetings, and for promises found in sent mail."""

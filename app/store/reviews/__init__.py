"""Reviews: the queue of items that wait for the owner, their revisions and the decisions."""

"""The Activity page: runs, their timelines and the charts of each day's work."""

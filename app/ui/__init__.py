"""The window process. The only package that imports Qt."""

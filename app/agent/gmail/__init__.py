"""The Gmail agent: searches the owner's mail or proposes one mail to send, as a graph of its own, here or behind HTTP."""

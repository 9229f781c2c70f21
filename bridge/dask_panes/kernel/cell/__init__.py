"""The Client in a cell: its facts, its display, and what can be done to its cluster."""

"""Runs next to the Client in a kernel: sessions, the control channel, activation, the Client in a cell."""

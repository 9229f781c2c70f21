"""The control channel of a kernel: requests and subscriptions of browser tabs."""

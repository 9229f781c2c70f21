"""Clusters that live in dedicated kernels, and connecting to them by name."""

"""Clusters that live in a kernel of their own, and the way to them by name."""

"""Runs in the scheduler: the collector, sent as source text."""

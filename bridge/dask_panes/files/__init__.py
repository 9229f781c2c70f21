"""Files: recordings of a feed; ``docs/recording.md`` is normative."""

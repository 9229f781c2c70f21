"""What runs beside the scheduler: the collector, and how it gets there as source text."""

"""One session per Client: the link to its scheduler, and the way of an answer to all tabs."""

"""Recording while a block of code runs: what of a feed belongs to the block, and the thread that writes it."""

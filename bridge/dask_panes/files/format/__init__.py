"""The content of a recording's blocks: packed columns, tables of frames, chunks and keyframes."""

"""Write a small picture: 64 colours without loss, so that text stays sharp. ``encode.py FILE WIDTH HEIGHT < PNG``."""

from __future__ import annotations

import io
import sys

from PIL import Image

COLOURS = 64


def main() -> None:
    file, width, height = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    picture = Image.open(io.BytesIO(sys.stdin.buffer.read())).convert("RGB")
    # A pane may be a pixel larger or smaller: its edge is cut, or repeated by its own background.
    whole = Image.new("RGB", (width, height), picture.getpixel((picture.width - 1, 0)))
    whole.paste(picture)
    few = whole.quantize(COLOURS, dither=Image.Dither.NONE)
    few.convert("RGB").save(file, "WEBP", lossless=True, quality=100, method=6)


if __name__ == "__main__":
    main()

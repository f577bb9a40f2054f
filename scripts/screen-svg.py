#!/usr/bin/env python3
"""Draws a screen of a terminal as SVG.

    tmux capture-pane -e -p | scripts/screen-svg.py [COLUMNS] >screen.svg

Reads lines with the SGR sequences that glimpse uses: bold, reverse, colours of the palette of 256.
"""
import html
import re
import sys

WIDTH, HEIGHT, SIZE = 8, 17, 13
INK, PAPER = "#d8d8d8", "#16181d"


def palette(n):
    if n >= 232:
        return "#" + 3 * f"{8 + 10 * (n - 232):02x}"
    if n < 16:
        bright = 255 if n > 7 else 170
        return "#" + "".join(f"{bright if n >> i & 1 else 0:02x}" for i in range(3))
    n -= 16
    return "#" + "".join(f"{55 + 40 * v if v else 0:02x}" for v in (n // 36, n // 6 % 6, n % 6))


class Style:
    def __init__(self):
        self.ink = self.paper = None
        self.bold = self.reverse = False

    def apply(self, text):
        codes = [int(c or 0) for c in text.split(";")]
        while codes:
            code = codes.pop(0)
            if code == 0:
                self.__init__()
            elif code == 1:
                self.bold = True
            elif code == 7:
                self.reverse = True
            elif code == 27:
                self.reverse = False
            elif code == 22:
                self.bold = False
            elif code in (38, 48) and codes[:1] == [5]:
                colour = palette(codes[1])
                codes = codes[2:]
                if code == 38:
                    self.ink = colour
                else:
                    self.paper = colour
            elif code == 39:
                self.ink = None
            elif code == 49:
                self.paper = None

    def colours(self):
        ink, paper = self.ink or INK, self.paper or PAPER
        return (paper, ink) if self.reverse else (ink, paper)


def main():
    columns = int(sys.argv[1]) if len(sys.argv) > 1 else 80
    lines = sys.stdin.buffer.read().decode("utf-8").rstrip("\n").split("\n")
    width, height = columns * WIDTH + 16, len(lines) * HEIGHT + 16
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
          f'viewBox="0 0 {width} {height}" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" '
          f'font-size="{SIZE}">')
    print(f'<rect width="{width}" height="{height}" rx="6" fill="{PAPER}"/>')
    style = Style()
    for row, line in enumerate(lines):
        column, y = 0, 8 + row * HEIGHT
        for piece in re.split(r"(\033\[[0-9;]*m|\017)", line):
            if piece.startswith("\033["):
                style.apply(piece[2:-1])
                continue
            if not piece or piece == "\017":
                continue
            ink, paper = style.colours()
            x, length = 8 + column * WIDTH, len(piece) * WIDTH
            if paper != PAPER:
                print(f'<rect x="{x}" y="{y}" width="{length}" height="{HEIGHT}" fill="{paper}"/>')
            weight = ' font-weight="bold"' if style.bold else ""
            for words in re.finditer(r"\S+(?: \S+)*", piece):
                x, length = 8 + (column + words.start()) * WIDTH, len(words.group()) * WIDTH
                print(f'<text x="{x}" y="{y + 13}" fill="{ink}" textLength="{length}"{weight}>'
                      f"{html.escape(words.group())}</text>")
            column += len(piece)
    print("</svg>")


if __name__ == "__main__":
    main()

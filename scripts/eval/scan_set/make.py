"""Makes a set of scanned pages with known text.

    python3 make.py OUT [--count N]

Writes `dev` and `heldout`. The halves have different fonts and different seeds. The name of a file
is its kind, its language and its number; its text is next to it as `.txt`, or `.md` if it has a
table. Needs the PyPI packages pillow and numpy, and the fonts listed below.
"""
import argparse
import os
import random

import numpy
from PIL import Image, ImageDraw, ImageFont

from texts import SENTENCES

FONT_ROOTS = ["/usr/share/fonts", "/usr/share/texmf/fonts", "/usr/share/texlive/texmf-dist/fonts"]
FONTS = {
    "dev": ["LiberationSerif-Regular.ttf", "LiberationSans-Regular.ttf", "DejaVuSerif.ttf"],
    "heldout": ["lmroman10-regular.otf", "DejaVuSans.ttf", "LiberationMono-Regular.ttf", "LiberationSansNarrow-Regular.ttf"],
}
BOLD = {"dev": "LiberationSans-Bold.ttf", "heldout": "DejaVuSans-Bold.ttf"}
LANGUAGES = list(SENTENCES)
PLACES = "Aldwick Bremsund Carrow Dunmere Eskhaven Farholt Grenby Holme Ilford Jarrow Kelby Lund Marsden Norby".split()
HEADS = ["Length", "Cost in 2024", "Cost in 2025", "Inspections", "Condition", "Share"]


def font_path(name):
    for root in FONT_ROOTS:
        for folder, _, files in os.walk(root):
            if name in files:
                return os.path.join(folder, name)
    raise SystemExit(f"The font {name} is missing")


class Page:
    """An A4 page at `dpi`, and the text that was drawn on it."""

    def __init__(self, half, seed, dpi, size):
        self.random = random.Random(seed * 6007 + 11)
        self.dpi = dpi
        self.image = Image.new("L", (round(8.27 * dpi), round(11.69 * dpi)), 255)
        self.draw = ImageDraw.Draw(self.image)
        pixels = round(size * dpi / 72)
        self.font = ImageFont.truetype(font_path(self.random.choice(FONTS[half])), pixels)
        self.bold = ImageFont.truetype(font_path(BOLD[half]), pixels)
        self.pitch = round(self.random.uniform(1.18, 1.4) * pixels)
        self.margin = round(self.random.uniform(0.7, 1.1) * dpi)
        self.y = self.margin
        self.blocks = []

    def sentence(self, language):
        r = self.random
        return r.choice(SENTENCES[language]).format(d=r.randint(2, 28), n=r.randint(100, 980))

    def paragraph(self, language, count):
        return " ".join(self.sentence(language) for _ in range(count))

    def wrap(self, text, width):
        lines, line = [], ""
        for word in text.split():
            if line and self.draw.textlength(f"{line} {word}", self.font) > width:
                lines.append(line)
                line = word
            else:
                line = f"{line} {word}".strip()
        return lines + [line]

    def write(self, text, left=None, width=None):
        left = self.margin if left is None else left
        width = self.image.width - self.margin - left if width is None else width
        for line in self.wrap(text, width):
            if self.y + self.pitch > self.image.height - self.margin:
                return False
            self.draw.text((left, self.y), line, 0, self.font)
            self.y += self.pitch
            self.blocks.append(line)
        return True

    def fill(self, language, left=None, width=None):
        while True:
            if not self.write(self.paragraph(language, self.random.randint(3, 6)), left, width):
                return
            self.y += self.pitch // 2


def letter(page, language):
    page.fill(language)


def columns(page, language):
    gutter = round(0.3 * page.dpi)
    width = (page.image.width - 2 * page.margin - gutter) // 2
    page.fill(language, page.margin, width)
    page.y = page.margin
    page.fill(language, page.margin + width + gutter, width)


def dark(page, language):
    """White text on a dark band, between two paragraphs."""
    page.write(page.paragraph(language, 5))
    page.y += page.pitch
    top = page.y - page.pitch // 3
    text = page.wrap(page.sentence(language), 0.6 * page.image.width)
    page.draw.rectangle((page.margin // 2, top, page.image.width - page.margin // 2, top + page.pitch * (len(text) + 1)), 40)
    for line in text:
        page.draw.text((page.margin, page.y), line, 255, page.bold)
        page.y += page.pitch
        page.blocks.append(line)
    page.y += 2 * page.pitch
    page.write(page.paragraph(language, 5))


def table(page, language):
    """A ruled table between two paragraphs. The truth is Markdown."""
    r = page.random
    before = page.paragraph(language, 3)
    page.write(before)
    page.y += page.pitch
    count = r.randint(3, 5)
    rows = [["District"] + r.sample(HEADS, count - 1)]
    for place in r.sample(PLACES, r.randint(4, 9)):
        cells = [place]
        for head in rows[0][1:]:
            cells.append(
                r.choice(["good", "fair", "poor", "in need of repair"]) if head == "Condition" else
                f"{r.randint(1, 99)} %" if head == "Share" else f"{r.randint(10, 9999):,}")
        rows.append(cells)
    pad = round(r.uniform(0.3, 0.5) * page.pitch)
    widths = [max(page.draw.textlength(row[at], page.bold) for row in rows) + 2 * pad for at in range(count)]
    spare = page.image.width - 2 * page.margin - sum(widths)
    widths = [width + spare / count * r.uniform(0.1, 1) for width in widths]
    edges = [page.margin + round(sum(widths[:at])) for at in range(count + 1)]
    height = page.pitch + pad
    style = r.choice(["grid", "grid", "rows", "header"])
    thick = max(1, round(r.choice([0.5, 0.75, 1, 1.5]) * page.dpi / 72))
    top = page.y
    for index, row in enumerate(rows):
        for at, text in enumerate(row):
            font = page.bold if index == 0 else page.font
            right = at > 0 and text[:1].isdigit()
            x = edges[at + 1] - pad - page.draw.textlength(text, font) if right else edges[at] + pad
            page.draw.text((x, top + index * height + pad // 2), text, 0, font)
    lines = range(len(rows) + 1) if style != "header" else [0, 1, len(rows)]
    for index in lines:
        page.draw.line((edges[0], top + index * height, edges[-1], top + index * height), 0, thick)
    if style == "grid":
        for edge in edges:
            page.draw.line((edge, top, edge, top + len(rows) * height), 0, thick)
    page.y = top + len(rows) * height + page.pitch
    after = page.paragraph(language, 3)
    page.write(after)
    markdown = ["| " + " | ".join(row) + " |" for row in rows]
    markdown.insert(1, "| " + " | ".join("---" for _ in rows[0]) + " |")
    return f"{before}\n\n" + "\n".join(markdown) + f"\n\n{after}\n"


KINDS = {"letter": letter, "columns": columns, "dark": dark, "table": table}


def scan(image, r):
    """Returns the page as a scanner would: askew, blurred, unevenly lit and noisy."""
    image = image.rotate(r.uniform(-1.0, 1.0), Image.BICUBIC, fillcolor=255)
    pixels = numpy.asarray(image, dtype=numpy.float32)
    size = r.choice([0, 1, 1, 2])
    for axis in (0, 1):
        for _ in range(size):
            pixels = (numpy.roll(pixels, 1, axis) + 2 * pixels + numpy.roll(pixels, -1, axis)) / 4
    ink, paper = r.uniform(0, 70), r.uniform(215, 255)
    pixels = ink + pixels * (paper - ink) / 255
    shade = numpy.linspace(1 - r.uniform(0, 0.12), 1, pixels.shape[1])[None, :]
    noise = numpy.random.default_rng(r.randrange(1 << 30)).normal(0, r.uniform(2, 14), pixels.shape)
    return Image.fromarray(numpy.clip(pixels * shade + noise, 0, 255).astype(numpy.uint8))


def save(image, path, dpi, r):
    kind = r.choice(["png", "jpg", "jpg", "pdf"])
    quality = r.randint(45, 85)
    if kind == "png":
        image.save(f"{path}.png", dpi=(dpi, dpi))
    elif kind == "jpg":
        image.save(f"{path}.jpg", quality=quality, dpi=(dpi, dpi))
    else:
        image.save(f"{path}.pdf", resolution=dpi, quality=quality)
    return f"{path}.{kind}"


def plan(count):
    """Returns the kind, language and resolution of each page of a half."""
    pages = [("letter", "eng", 300)] * 2
    for index in range(count):
        pages.append(("letter", LANGUAGES[index % len(LANGUAGES)], [300, 300, 200][index % 3]))
    pages += [("columns", "eng", 300), ("columns", "deu", 200), ("dark", "eng", 300), ("dark", "fra", 200)]
    return pages + [("table", "eng", [300, 200][index % 2]) for index in range(count)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out")
    parser.add_argument("--count", type=int, default=8)
    arguments = parser.parse_args()
    for offset, half in enumerate(["dev", "heldout"]):
        folder = os.path.join(arguments.out, half)
        os.makedirs(folder, exist_ok=True)
        for index, (kind, language, dpi) in enumerate(plan(arguments.count)):
            seed = 2 * index + offset
            r = random.Random(seed * 911 + 3)
            page = Page(half, seed, dpi, r.uniform(9.5, 12))
            truth = KINDS[kind](page, language)
            path = os.path.join(folder, f"{kind}-{language}-{index}")
            file = save(scan(page.image, r), path, dpi, r)
            suffix, text = (".txt", " ".join(page.blocks)) if truth is None else (".md", truth)
            with open(file + suffix, "w") as out:
                out.write(text)


if __name__ == "__main__":
    main()

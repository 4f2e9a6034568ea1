/** Tests for ruling lines on scanned pages: they separate cells, and aren't text. */
import assert from "node:assert/strict";
import { removeRulingLines } from "../../src/extraction/ocr/ruling_lines.ts";
import type { GreyImage } from "../../src/extraction/ocr/grey_image.ts";
import {
  markdownOf,
  pdf,
  type PdfText,
  picturePdf,
  png,
  rendered,
} from "../../testing/extraction_fixtures.ts";

const ROWS = [["District", "Length", "Condition"], ["Aldwick", "48", "good"], [
  "Bremsund",
  "1,250",
  "in need of repair",
], ["Carrow", "7", "fair"]] as const;
const MARKDOWN = `| District | Length | Condition |
| --- | --- | --- |
| Aldwick | 48 | good |
| Bremsund | 1,250 | in need of repair |
| Carrow | 7 | fair |`;

const [LEFT, RIGHT, TOP, HEIGHT] = [72, 402, 700, 24];
const EDGES = [LEFT, 172, 242, RIGHT];
const texts: PdfText[] = ROWS.flatMap((row, index) =>
  row.map((text, column) => ({ x: EDGES[column]! + 6, y: TOP - index * HEIGHT - 17, text }))
);
const bottom = TOP - ROWS.length * HEIGHT;
const grid = [
  ...EDGES.map((x) => `${x} ${TOP} m ${x} ${bottom} l S`),
  ...Array.from({ length: ROWS.length + 1 }, (_, index) => TOP - index * HEIGHT)
    .map((y) => `${LEFT} ${y} m ${RIGHT} ${y} l S`),
].join(" ");

/** Returns the image turned by a small slope. */
function askew({ width, height, pixels }: GreyImage, slope: number): GreyImage {
  const result = new Uint8Array(pixels.length).fill(255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [fromX, fromY] = [Math.round(x + slope * y), Math.round(y - slope * x)];
      if (fromX < width && fromY >= 0) result[y * width + x] = pixels[fromY * width + fromX]!;
    }
  }
  return { width, height, pixels: result };
}

Deno.test("readPdf() reads a scanned table with ruling lines", async () => {
  const page = await rendered(pdf([texts], grid));
  assert.equal(await markdownOf(picturePdf(page), "application/pdf"), MARKDOWN);
});

Deno.test("readImage() reads a scanned table that's askew", async () => {
  const { width, height, pixels } = askew(await rendered(pdf([texts], grid)), 0.012);
  assert.equal(await markdownOf(png(width, height, pixels), "image/png"), MARKDOWN);
});

Deno.test("removeRulingLines() leaves fine graph paper alone, which has too many lines", () => {
  const size = 5_000;
  const pixels = new Uint8Array(size * size).fill(255);
  for (let line = 0; line < size; line += 20) {
    pixels.fill(0, line * size, (line + 1) * size);
    for (let row = 0; row < size; row++) pixels[row * size + line] = 0;
  }
  const image = { width: size, height: size, pixels };
  assert.deepEqual(removeRulingLines(image, 200), { image, rules: [] });
});

Deno.test("removeRulingLines() keeps the letters that a line crosses, and large letters", async () => {
  const words = [
    { x: 72, y: 600, text: "Signed by the harbour master" },
    { x: 72, y: 500, text: "HILL", size: 60 },
  ];
  const plain = await rendered(pdf([words]));
  const { image, rules } = removeRulingLines(
    await rendered(pdf([words], "60 604 m 300 604 l S")),
    200,
  );
  assert.equal(rules.length, 1);
  const changed = image.pixels.filter((value, at) => Math.abs(value - plain.pixels[at]!) > 100);
  assert.ok(changed.length < 0.002 * image.pixels.length, `${changed.length} pixels`);
  const [letters, kept] = [plain, image].map(({ pixels }) =>
    pixels.filter((value) => value < 128).length
  );
  assert.ok(kept! > 0.9 * letters!, `${kept} of ${letters} dark pixels`);
});

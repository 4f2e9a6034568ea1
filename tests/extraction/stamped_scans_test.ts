/** Tests scanned pages on which a program has stamped a line of text. */
import assert from "node:assert/strict";
import {
  linesOf,
  markdownOf,
  pdf,
  picturePdf,
  PROSE,
  rendered,
} from "../../testing/extraction_fixtures.ts";
import { rotateImage } from "../../src/extraction/ocr/orientation.ts";

const TYPE = "application/pdf";
const STAMP = "Received by the harbour office of Skerry";
const [text = ""] = PROSE;

Deno.test("readPdf() recognizes a scan with a stamp and keeps the letters of the stamp", async () => {
  const scan = await rendered(pdf([linesOf(72, 650, text)]));
  const stamp = [{ x: 120, y: 720, text: STAMP }];
  assert.equal(await markdownOf(picturePdf(scan, stamp), TYPE), `${STAMP}\n\n${text}`);
  const turned = picturePdf(rotateImage(scan, 1), stamp);
  const markdown = await markdownOf(turned, TYPE);
  assert.ok(markdown.includes(text) && markdown.includes(STAMP), markdown);
});

Deno.test("readPdf() keeps the recognized words under a watermark", async () => {
  const scan = await rendered(pdf([linesOf(72, 650, ...PROSE)]));
  const watermark = [{ x: 60, y: 610, text: "DRAFT", size: 120, color: [0.9, 0.9, 0.9] as const }];
  const markdown = await markdownOf(picturePdf(scan, watermark), TYPE);
  for (const line of PROSE) {
    for (const word of line.split(" ")) assert.ok(markdown.includes(word), `${word}: ${markdown}`);
  }
});

Deno.test("readPdf() finds the letters of a stamp on a cropped or rotated page", async () => {
  const scan = await rendered(pdf([linesOf(172, 550, text)]));
  const stamp = [{ x: 180, y: 660, text: STAMP }];
  for (const page of ["/CropBox[100 100 512 692]", "/Rotate 90"]) {
    assert.equal(await markdownOf(picturePdf(scan, stamp, page), TYPE), `${STAMP}\n\n${text}`);
  }
});

Deno.test("readPdf() reads the text of a rotated page over a blank scan", async () => {
  const blank = { width: 612, height: 792, pixels: new Uint8Array(612 * 792).fill(255) };
  const file = picturePdf(blank, linesOf(72, 650, ...PROSE), "/Rotate 90");
  assert.equal(await markdownOf(file, TYPE), PROSE.join(" "));
});

Deno.test("readPdf() doesn't recognize a dark photo behind a title", async () => {
  const { pixels, ...size } = await rendered(pdf([linesOf(72, 650, text)]));
  const photo = { ...size, pixels: pixels.map((grey) => 255 - grey) };
  const title = [{ x: 120, y: 720, text: STAMP, color: [1, 1, 1] as const }];
  assert.equal(await markdownOf(picturePdf(photo, title), TYPE), STAMP);
});

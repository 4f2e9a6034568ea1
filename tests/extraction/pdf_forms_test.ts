/** Tests the values of form fields in PDFs. */
import assert from "node:assert/strict";
import { markdownOf, pdfFile, pdfStream } from "../../testing/extraction_fixtures.ts";

/** Creates a form whose fields have their values in the field, and their places in two widgets. */
function form(fields: readonly string[]): Uint8Array {
  const widgets = fields.map((_, index) => [7 + index * 3, 8 + index * 3] as const);
  const references = (numbers: readonly number[]) => numbers.map((n) => `${n} 0 R`).join(" ");
  return pdfFile([
    `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${
      references(fields.map((_, index) => 6 + index * 3))
    }]>>>>`,
    "<</Type/Pages/Kids[4 0 R]/Count 1>>",
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R/Resources<</Font<</F1 3 0 R>>>>" +
    `/Annots[${references(widgets.flat())}]>>`,
    pdfStream("", "BT /F1 11 Tf 72 700 Td (Name:) Tj ET"),
    ...fields.flatMap((field, index) => [
      `<<${field}/T(field${index})/Kids[${references(widgets[index]!)}]>>`,
      ...[0, 1].map((at) =>
        `<</Type/Annot/Subtype/Widget/Parent ${6 + index * 3} 0 R/P 4 0 R` +
        `/Rect[120 ${600 - 100 * index - 40 * at} 400 ${616 - 100 * index - 40 * at}]>>`
      ),
    ]),
  ]);
}

Deno.test("readPdf() reads the value of a text field wherever it is shown", async () => {
  const long = "The lamp burns. ".repeat(150).trim();
  const file = form(["/FT/Tx/V(Ada Lovelace)", `/FT/Tx/V(${long})`]);
  const markdown = await markdownOf(file, "application/pdf");
  assert.equal(markdown.match(/Ada Lovelace/g)?.length, 2);
  assert.equal(markdown.match(/The lamp burns\./g)?.length, 300);
});

Deno.test("readPdf() doesn't read the state of a button as text", async () => {
  const markdown = await markdownOf(form(["/FT/Btn/Ff 32768/V/female"]), "application/pdf");
  assert.equal(markdown, "Name:");
});

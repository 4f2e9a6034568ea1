/** Tests the characters of symbol fonts in each format that has fonts. */
import assert from "node:assert/strict";
import { symbolText } from "../../src/extraction/symbol_fonts.ts";
import {
  docx,
  markdownOf,
  pdfFile,
  pdfStream,
  wordParagraph,
} from "../../testing/extraction_fixtures.ts";

const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const SIGNS = "μ≤≥±°×";
const CODES = [0x6d, 0xa3, 0xb3, 0xb1, 0xb0, 0xb4];

/** Creates a PDF with characters of a symbol font, which maps them to private use characters. */
function symbolPdf(font: string, codes: readonly number[]): Uint8Array {
  const hex = (code: number) => code.toString(16).padStart(2, "0");
  const map = codes.map((code) => `<${hex(code)}> <F0${hex(code)}>`).join("\n");
  return pdfFile([
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[5 0 R]/Count 1>>",
    `<</Type/Font/Subtype/TrueType/BaseFont/ABCDEF+${font}/ToUnicode 4 0 R/FirstChar 0/LastChar 255` +
    `/Widths[${"600 ".repeat(256)}]>>`,
    pdfStream(
      "",
      "begincmap 1 begincodespacerange <00> <FF> endcodespacerange\n" +
        `${codes.length} beginbfchar\n${map}\nendbfchar endcmap`,
    ),
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 6 0 R/Resources<</Font<</F1 3 0 R>>>>>>",
    pdfStream("", `BT /F1 12 Tf 72 700 Td <${codes.map(hex).join("")}> Tj ET`),
  ]);
}

Deno.test("symbolText() maps positions and private use characters of symbol fonts only", () => {
  assert.equal(CODES.map((code) => symbolText("Symbol", code)).join(""), SIGNS);
  assert.equal(CODES.map((code) => symbolText("SymbolMT", 0xf000 + code)).join(""), SIGNS);
  assert.equal(symbolText("Wingdings", 0xf0fc), "✓");
  assert.equal(symbolText("Symbol", 0xf0f0), "");
  assert.equal(symbolText("Symbol,Bold", 0x6d), "μ");
  for (const font of ["Helvetica", "Symbola", "Symbols Nerd Font"]) {
    assert.equal(symbolText(font, 0x6d), undefined);
  }
  assert.equal(symbolText("Wingdings", 0x2192), undefined);
});

Deno.test("readDocx() reads the symbols of a symbol font", async () => {
  const symbols = CODES.map((code) =>
    `<w:sym w:font="Symbol" w:char="F0${code.toString(16).toUpperCase()}"/>`
  ).join("");
  const text = String.fromCharCode(...CODES.map((code) => 0xf000 + code));
  const runs = ['w:ascii="Symbol"', 'w:ascii="Arial" w:hAnsi="Symbol"'].map((fonts) =>
    `<w:r><w:rPr><w:rFonts ${fonts}/></w:rPr><w:t>${text}</w:t></w:r>`
  ).join("");
  const body =
    `<w:p><w:r><w:t xml:space="preserve">5 </w:t>${symbols}<w:t>/\ue123</w:t></w:r>${runs}</w:p>`;
  assert.equal(await markdownOf(docx(body), DOCX), `5 ${SIGNS}/\ue123${SIGNS}${SIGNS}`);
});

Deno.test("readDocx() reads letters and common signs in other fonts with their own encoding", async () => {
  const text = (font: string, codes: string) =>
    wordParagraph(
      Array.from(codes, (char) => String.fromCharCode(0xf000 + char.charCodeAt(0))).join(""),
      "",
      `<w:rFonts w:ascii="${font}"/>`,
    );
  assert.equal(
    await markdownOf(docx(text("Old Roman", "lit oil \xe0\xe8\xfc")), DOCX),
    "lit oil →➔✓",
  );
  assert.equal(await markdownOf(docx(text("Wingdings 2", "R\xfc")), DOCX), "✓");
});

Deno.test("readRtf() reads bytes and private use characters in a symbol font", async () => {
  const bytes = CODES.map((code) => `\\'${code.toString(16)}`).join("");
  const fonts = "{\\fonttbl{\\f0 Arial;}{\\f3\\froman\\fcharset2{\\*\\panose 05}Symbol;}}";
  const unknown = "\\'85";
  const text = `{\\rtf1\\ansi${fonts}5 {\\f3 ${bytes}${unknown}\\u-3987?} m\\par}`;
  assert.equal(await markdownOf(text, "application/rtf"), `5 ${SIGNS}μ m`);
});

Deno.test("readPdf() reads the private use characters of a symbol font", async () => {
  assert.equal(await markdownOf(symbolPdf("Symbol", CODES), "application/pdf"), SIGNS);
  assert.equal(await markdownOf(symbolPdf("Other", [0x6d, 0x6e]), "application/pdf"), "mn");
});

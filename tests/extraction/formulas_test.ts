/** Tests for MathML formulas in OpenDocument files and web pages, which are written as LaTeX. */
import assert from "node:assert/strict";
import { markdownOf } from "../../testing/extraction_fixtures.ts";
import { ODF, odf } from "./office_fixture.ts";

const MATHML = 'xmlns="http://www.w3.org/1998/Math/MathML"';

/** Formulas and the LaTeX expected for them. */
const FORMULAS: readonly (readonly [string, string])[] = [
  ["<mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mi>b</mi></mfrac>", "\\frac{a+1}{b}"],
  ["<msup><mi>e</mi><mrow><mo>−</mo><mi>x</mi></mrow></msup>", "e^{-x}"],
  ["<msubsup><mi>α</mi><mi>i</mi><mn>2</mn></msubsup>", "\\alpha_{i}^{2}"],
  ["<mroot><mi>x</mi><mn>3</mn></mroot><msqrt><mi>y</mi></msqrt>", "\\sqrt[3]{x}\\sqrt{y}"],
  [
    "<munderover><mo>∑</mo><mrow><mi>k</mi><mo>=</mo><mn>0</mn></mrow><mi>n</mi></munderover><mi>k</mi>",
    "\\sum_{k=0}^{n}k",
  ],
  [
    "<munder><mi>lim</mi><mi>n</mi></munder><mi>sin</mi><mo>\u2061</mo><mi>n</mi>",
    "\\lim_{n}\\sin n",
  ],
  ["<mover><mi>v</mi><mo>→</mo></mover><mover><mi>x</mi><mo>¯</mo></mover>", "\\vec{v}\\bar{x}"],
  [
    "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mn>1</mn></mtd></mtr></mtable>",
    "\\begin{matrix}1 & 0 \\\\ 0 & 1\\end{matrix}",
  ],
  ['<mfenced open="{" close=""><mi>x</mi></mfenced>', "\\left\\{x\\right."],
  ["<mi>x</mi><mtext>if</mtext><mi>y</mi><mo>≥</mo><mn>5</mn><mo>%</mo>", "x\\text{if}y\\geq 5\\%"],
];

Deno.test("readOdf() writes an ODT formula inline or as a block", async () => {
  for (const [formula, latex] of FORMULAS) {
    const object = '<draw:frame><draw:object xmlns:xlink="http://www.w3.org/1999/xlink" ' +
      'xlink:href="./Object 1"/><draw:image/></draw:frame>';
    const body =
      `<office:text><text:p>As ${object} says.</text:p><text:p>${object}</text:p></office:text>`;
    const content = `<math ${MATHML}><semantics><mrow>${formula}</mrow>` +
      `<annotation encoding="StarMath 5.0">{a over b}</annotation></semantics></math>`;
    assert.equal(
      await markdownOf(odf("text", body, "", { "Object 1/content.xml": content }), `${ODF}text`),
      `As $${latex}$ says.\n\n$$${latex}$$`,
    );
  }
});

Deno.test("mathmlToLatex() converts each part of a deeply nested formula only once", async () => {
  const depth = 60;
  const page = "<munderover>".repeat(depth) + "<mi>x</mi>" +
    "<mi>a</mi><mi>b</mi></munderover>".repeat(depth);
  const markdown = await markdownOf(`<p>As <math>${page}</math> says.</p>`, "text/html");
  assert.equal(markdown.split("\\underset{a}").length, depth + 1);
});

Deno.test("readHtml() converts a formula without a TeX annotation", async () => {
  for (const [formula, latex] of FORMULAS) {
    const page = `<p>As <math>${formula}</math> says.</p>`;
    assert.equal(await markdownOf(page, "text/html"), `As $${latex}$ says.`);
  }
});

/**
 * Tests for slide content that is neither text nor a table: diagrams, newer charts and hidden
 * content.
 */
import assert from "node:assert/strict";
import { docx, markdownOf, relations } from "../../testing/extraction_fixtures.ts";
import { ODF, odf, PPTX, pptx } from "./office_fixture.ts";
import { ppt } from "./ppt_fixture.ts";

const MAIN = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';
const DGM = 'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"';
const CX = 'xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex"';

/**
 * Creates a diagram from points by id. Each connection nests its second point under its first
 * point, in the given order.
 */
function diagram(
  points: Readonly<Record<string, string>>,
  connections: readonly (readonly [string, string])[],
): string {
  const point = ([id, text]: readonly [string, string]) =>
    `<dgm:pt modelId="${id}"${id === "0" ? ' type="doc"' : ""}><dgm:t>${
      text.split("\n").map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`).join("")
    }</dgm:t></dgm:pt>`;
  const connect = ([from, to]: readonly [string, string], order: number) =>
    `<dgm:cxn srcId="${from}" destId="${to}" srcOrd="${order}"/>`;
  // Real files store points and connections in creation order, so the order here must not matter.
  return `<dgm:dataModel ${MAIN} ${DGM}><dgm:ptLst>${
    Object.entries(points).reverse().map(point).join("")
  }</dgm:ptLst><dgm:cxnLst>${
    connections.map(connect).reverse().join("")
  }${`<dgm:cxn type="presOf" srcId="3" destId="1" srcOrd="0"/>`}</dgm:cxnLst></dgm:dataModel>`;
}

const HARBOUR = diagram(
  { 0: "", 1: "Harbour", 2: "Pilots", 3: "Tugs\nand crews", 4: "Lock" },
  [["0", "1"], ["1", "2"], ["1", "3"], ["0", "4"]],
);
const HARBOUR_LIST = "- Harbour\n    - Pilots\n    - Tugs and crews\n- Lock";
const GRAPHIC =
  `<a:graphic><a:graphicData><dgm:relIds ${DGM} r:dm="rd"/></a:graphicData></a:graphic>`;

Deno.test("readPptx() writes a diagram as a list, nested and ordered by its connections", async () => {
  const file = pptx([`<p:graphicFrame>${GRAPHIC}</p:graphicFrame>`], {
    "diagrams/d.xml": HARBOUR,
    "slides/_rels/0.xml.rels": relations({ rd: ["diagramData", "../diagrams/d.xml"] }),
  });
  assert.equal(await markdownOf(file, PPTX), HARBOUR_LIST);
});

Deno.test("readPptx() writes each text in a diagram with circular connections only once", async () => {
  const circle = diagram({ 1: "one", 2: "two" }, [["1", "2"], ["2", "1"]]);
  const file = pptx([`<p:graphicFrame>${GRAPHIC}</p:graphicFrame>`], {
    "diagrams/d.xml": circle,
    "slides/_rels/0.xml.rels": relations({ rd: ["diagramData", "../diagrams/d.xml"] }),
  });
  assert.equal(await markdownOf(file, PPTX), "- two\n    - one");
});

Deno.test("readDocx() writes a diagram as the same list as readPptx()", async () => {
  const file = docx(`<w:p><w:r><w:drawing ${MAIN}>${GRAPHIC}</w:drawing></w:r></w:p>`, {
    "diagrams/d.xml": HARBOUR,
    "_rels/document.xml.rels": relations({ rd: ["diagramData", "diagrams/d.xml"] }),
  });
  const type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
  assert.equal(await markdownOf(file, type), HARBOUR_LIST);
});

Deno.test("readPptx() writes a waterfall chart as a title, type and numbers", async () => {
  const level = (values: readonly string[]) =>
    `<cx:lvl>${values.map((value, at) => `<cx:pt idx="${at}">${value}</cx:pt>`).join("")}</cx:lvl>`;
  const chart =
    `<cx:chartSpace ${CX} ${MAIN}><cx:chartData><cx:data id="0"><cx:strDim type="cat">${
      level(["stock", "sold"])
    }</cx:strDim><cx:numDim type="val">${
      level(["40", "-12"])
    }</cx:numDim></cx:data></cx:chartData>` +
    `<cx:chart><cx:title><a:t>Barrels</a:t></cx:title><cx:plotArea><cx:plotAreaRegion>` +
    `<cx:series layoutId="waterfall"><cx:tx><cx:txData><cx:v>count</cx:v></cx:txData></cx:tx>` +
    `<cx:dataId val="0"/></cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>`;
  const frame = `<p:graphicFrame><a:graphic><a:graphicData><cx:chart ${CX} r:id="rc"/>` +
    `</a:graphicData></a:graphic></p:graphicFrame>`;
  const file = pptx([
    `<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">` +
    `<mc:Choice Requires="cx1">${frame}</mc:Choice><mc:Fallback/></mc:AlternateContent>`,
  ], {
    "charts/c.xml": chart,
    "slides/_rels/0.xml.rels": relations({ rc: ["chartEx", "../charts/c.xml"] }),
  });
  assert.equal(
    await markdownOf(file, PPTX),
    "# Barrels\n\nWaterfall chart\n\n|  | count |\n| --- | --- |\n| stock | 40 |\n| sold | -12 |",
  );
});

Deno.test("readPptx() skips hidden shapes", async () => {
  const shape = (text: string, hidden: string) =>
    `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"${hidden}/></p:nvSpPr><p:txBody><a:p><a:r><a:t>` +
    `${text}</a:t></a:r></a:p></p:txBody></p:sp>`;
  const file = pptx([shape("Shown.", "") + shape("Kept back.", ' hidden="1"')]);
  assert.equal(await markdownOf(file, PPTX), "Shown.");
});

Deno.test("readOdf() and readPpt() skip hidden slides", async () => {
  const page = (words: string, style: string) =>
    `<draw:page draw:style-name="${style}"><draw:frame><draw:text-box><text:p>${words}</text:p></draw:text-box></draw:frame></draw:page>`;
  const expected = "# Shown\n\n<!-- page 2 -->";
  assert.equal(
    await markdownOf(
      odf(
        "presentation",
        `<office:presentation>${page("Shown", "a")}${page("Kept back", "b")}</office:presentation>`,
        `<style:style style:name="b" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>`,
      ),
      `${ODF}presentation`,
    ),
    expected,
  );
  const box = [50, 50, 400, 100] as const;
  const deck = ppt([[{ text: "Shown", box }], [{ text: "Kept back", box }]], [], [1]);
  assert.equal(await markdownOf(deck, "application/vnd.ms-powerpoint"), expected);
});

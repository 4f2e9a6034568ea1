/** Tests for charts on slides: PPTX, ODP and PPT produce the same numbers. */
import assert from "node:assert/strict";
import { markdownOf, read, relations, zip } from "../../testing/extraction_fixtures.ts";
import { ODF, odf, PPTX, pptx } from "./office_fixture.ts";
import { embedded, ppt } from "./ppt_fixture.ts";

const PPT = "application/vnd.ms-powerpoint";

Deno.test("readPptx() writes a chart as a title, type and numbers", async () => {
  const points = (name: string, values: readonly string[]) =>
    `<c:${name}>${
      values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join("")
    }</c:${name}>`;
  const chart =
    `<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><c:chart><c:title><a:t>Catch</a:t></c:title>` +
    `<c:plotArea><c:layout/><c:bar3DChart><c:ser><c:tx><c:v>tons</c:v></c:tx>${
      points("cat", ["cod", "eel"])
    }${points("val", ["7", "2"])}</c:ser></c:bar3DChart></c:plotArea></c:chart></c:chartSpace>`;
  const slide =
    `<p:graphicFrame><a:graphic><a:graphicData><c:chart r:id="rc"/></a:graphicData></a:graphic></p:graphicFrame>`;
  const file = pptx([slide], {
    "charts/c.xml": chart,
    "slides/_rels/0.xml.rels": relations({ rc: ["chart", "../charts/c.xml"] }),
  });
  assert.equal(
    await markdownOf(file, PPTX),
    "# Catch\n\nBar chart\n\n|  | tons |\n| --- | --- |\n| cod | 7 |\n| eel | 2 |",
  );
  const withoutNumbers = pptx([slide], {
    "charts/c.xml": chart.replaceAll(/<c:pt .*?<\/c:pt>/g, ""),
    "slides/_rels/0.xml.rels": relations({ rc: ["chart", "../charts/c.xml"] }),
  });
  assert.equal(await markdownOf(withoutNumbers, PPTX), "# Catch");
});

Deno.test("readPptx() writes multilevel category names, starting with the outermost level", async () => {
  const level = (points: readonly (readonly [number, string])[]) =>
    `<c:lvl>${
      points.map(([at, v]) => `<c:pt idx="${at}"><c:v>${v}</c:v></c:pt>`).join("")
    }</c:lvl>`;
  const names = level([[0, "Q1"], [1, "Q2"], [2, "Q1"]]) + level([[0, "2024"], [2, "2025"]]);
  const values = [3, 5, 4].map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`);
  const series = `<c:ser><c:tx><c:v>tons</c:v></c:tx><c:cat><c:multiLvlStrRef>${names}` +
    `</c:multiLvlStrRef></c:cat><c:val>${values.join("")}</c:val></c:ser>`;
  assert.equal(
    await markdownOf(charted(`<c:barChart>${series}</c:barChart>`), PPTX),
    "# Bar chart\n\n|  | tons |\n| --- | --- |\n| 2024 Q1 | 3 |\n| 2024 Q2 | 5 |\n| 2025 Q1 | 4 |",
  );
});

Deno.test("readPptx() gives each series that has its own x values separate rows", async () => {
  const series = (name: string, xValues: readonly number[], values: readonly number[]) => {
    const points = (numbers: readonly number[]) =>
      numbers.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join("");
    return `<c:ser><c:tx><c:v>${name}</c:v></c:tx><c:xVal>${points(xValues)}</c:xVal>` +
      `<c:yVal>${points(values)}</c:yVal></c:ser>`;
  };
  const both = series("ebb", [1, 2], [7, 6]) + series("flow", [5], [9]);
  assert.equal(
    await markdownOf(charted(`<c:scatterChart>${both}</c:scatterChart>`), PPTX),
    "# Scatter chart\n\n|  | ebb | flow |\n| --- | --- | --- |\n| 1 | 7 |  |\n| 2 | 6 |  |\n| 5 |  | 9 |",
  );
});

Deno.test("readPptx() limits chart series to the number of columns in a table", async () => {
  const series = '<c:ser><c:val><c:pt idx="499"><c:v>7</c:v></c:pt></c:val></c:ser>'.repeat(20_000);
  const markdown = await markdownOf(charted(`<c:barChart>${series}</c:barChart>`), PPTX);
  const last = markdown.split("\n").at(-1)!;
  assert.equal(last, `| 500 |${" 7 |".repeat(255)}`);
});

/** Creates a one-slide deck with a chart. */
function charted(plot: string): Uint8Array {
  const chart =
    `<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart><c:plotArea>${plot}</c:plotArea></c:chart></c:chartSpace>`;
  const slide =
    `<p:graphicFrame><a:graphic><a:graphicData><c:chart r:id="rc"/></a:graphicData></a:graphic></p:graphicFrame>`;
  return pptx([slide], {
    "charts/c.xml": chart,
    "slides/_rels/0.xml.rels": relations({ rc: ["chart", "../charts/c.xml"] }),
  });
}

/** The content part of an OpenDocument scatter chart that has its x values in a separate column. */
const SCATTER =
  `<office:document-content><office:body><office:chart><chart:chart chart:class="chart:scatter"><chart:title><text:p>Tide</text:p></chart:title>` +
  `<chart:plot-area><chart:series><chart:domain table:cell-range-address="local-table.$C$2:.$C$3"/></chart:series></chart:plot-area>` +
  `<table:table>${
    [["", "height", "Series 2"], ["", "1.5", "0"], ["", "4", "6"]].map((row) =>
      `<table:table-row>${
        row.map((text) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`).join("")
      }</table:table-row>`
    ).join("")
  }</table:table></chart:chart></office:chart></office:body></office:document-content>`;
const TIDE = "# Tide\n\nScatter chart\n\n|  | height |\n| --- | --- |\n| 0 | 1.5 |\n| 6 | 4 |";

Deno.test("readOdf() writes the x values of a scatter chart next to its points", async () => {
  const body = `<office:presentation><draw:page><draw:frame><draw:object xlink:href="./Object 1" ` +
    `xmlns:xlink="http://www.w3.org/1999/xlink"/></draw:frame></draw:page></office:presentation>`;
  const file = odf("presentation", body, "", { "Object 1/content.xml": SCATTER });
  assert.equal(await markdownOf(file, `${ODF}presentation`), TIDE);
  const long = SCATTER.replace("<chart:domain", "<chart:none").replace(
    /(?=<\/table:table>)/,
    "<table:table-row><table:table-cell><text:p>9</text:p></table:table-cell></table:table-row>"
      .repeat(600),
  );
  const rows = await markdownOf(
    odf("presentation", body, "", { "Object 1/content.xml": long }),
    `${ODF}presentation`,
  );
  assert.equal(rows.match(/^\|/gm)?.length, 502);
  const unknown = SCATTER.replace("chart:scatter", "chart:constructor");
  assert.equal(
    await markdownOf(
      odf("presentation", body, "", { "Object 1/content.xml": unknown }),
      `${ODF}presentation`,
    ),
    TIDE.replace("Scatter chart\n\n", ""),
  );
});

function withChart(content: Uint8Array): Uint8Array {
  const chart = { object: 1, box: [100, 100, 400, 300] } as const;
  const below = { text: "the text of the slide goes on.", box: [100, 320, 400, 350] } as const;
  return ppt([[below, chart]], [embedded("package_stream", content)]);
}

Deno.test("readPpt() reads a chart embedded as a package, but skips a damaged or encrypted one", async () => {
  const chart = odf("chart", "", "", { "content.xml": SCATTER });
  assert.equal(
    await markdownOf(withChart(chart), PPT),
    `${TIDE.replace("# ", "")}\n\nthe text of the slide goes on.`.replace(/^/, "# "),
  );
  const slide = "the text of the slide goes on.";
  assert.equal(await markdownOf(withChart(chart.slice(0, 300)), PPT), slide);
  assert.equal(await markdownOf(withChart(zip({ "content.xml": "<office:body" })), PPT), slide);
  const locked = chart.slice();
  for (let at = 0; at + 4 < locked.length; at++) {
    const isEntry = [0x50, 0x4b, 0x01, 0x02].every((byte, index) => locked[at + index] === byte);
    if (isEntry) locked[at + 8] = 1;
  }
  assert.equal(await markdownOf(withChart(locked), PPT), slide);
});

Deno.test("readPpt() rejects an object that unpacks to more than the limit", async () => {
  const bomb = ppt([[{ object: 1, box: [0, 0, 9, 9] }]], [new Uint8Array(110_000_000)]);
  await assert.rejects(read(bomb, PPT), { code: "EXTRACTED_DOCUMENT_TOO_LARGE" });
});

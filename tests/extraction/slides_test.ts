/** Tests for slides: PPTX, ODP and PPT files of the same deck produce the same text. */
import assert from "node:assert/strict";
import { markdownOf, relations } from "../../testing/extraction_fixtures.ts";
import { ODF, odf, PPTX, pptx } from "./office_fixture.ts";
import { ppt, type PptShape } from "./ppt_fixture.ts";

const PPT = "application/vnd.ms-powerpoint";

/** A shape with one paragraph and its position in points. */
type PositionedShape = readonly [
  text: string,
  left: number,
  top: number,
  right: number,
  bottom: number,
];

const DECKS: Readonly<
  Record<string, { type: string; create: (shapes: readonly PositionedShape[]) => Uint8Array }>
> = {
  PPTX: { type: PPTX, create: (shapes) => pptx([GROUP_FRAME + shapes.map(inPptx).join("")]) },
  ODP: {
    type: `${ODF}presentation`,
    create: (shapes) =>
      odf(
        "presentation",
        `<office:presentation><draw:page>${
          shapes.map(inOdp).join("")
        }</draw:page></office:presentation>`,
      ),
  },
  PPT: {
    type: PPT,
    create: (shapes) =>
      ppt([shapes.map(([text, left, top, right, bottom]) => ({
        text,
        box: [left, top, right, bottom],
      }))]),
  },
};

/** Elements at the start of every shape tree. They aren't shapes themselves. */
const GROUP_FRAME = "<p:nvGrpSpPr/><p:grpSpPr/>";

function frameOf([, left, top, right, bottom]: PositionedShape): string {
  const [x, y, cx, cy] = [left, top, right - left, bottom - top].map((points) => points * 12_700);
  return `<a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm>`;
}

function inPptx(shape: PositionedShape): string {
  return `<p:sp><p:nvSpPr><p:nvPr/></p:nvSpPr><p:spPr>${
    frameOf(shape)
  }</p:spPr><p:txBody><a:p><a:r><a:t>${shape[0]}</a:t></a:r></a:p></p:txBody></p:sp>`;
}

function inOdp([text, left, top, right, bottom]: PositionedShape): string {
  return `<draw:frame svg:x="${left}pt" svg:y="${top}pt" svg:width="${
    right - left
  }pt" svg:height="${
    bottom - top
  }pt"><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`;
}

for (const [name, { type, create }] of Object.entries(DECKS)) {
  const lines = async (shapes: readonly PositionedShape[]) =>
    (await markdownOf(create(shapes), type)).replace(/^# /, "").split("\n\n");

  Deno.test(`extract() with ${name} orders shapes by position, not by file order`, async () => {
    const note: PositionedShape = ["note below", 100, 430, 800, 460];
    const body: PositionedShape = ["body", 100, 150, 800, 410];
    assert.deepEqual(await lines([note, ["head", 100, 60, 800, 100], body]), [
      "head",
      "body",
      "note below",
    ]);
  });

  Deno.test(`extract() with ${name} assigns a shape to the same column as the shape just above it`, async () => {
    const shapes: PositionedShape[] = [
      ["before", 50, 100, 300, 150],
      ["after", 400, 100, 650, 150],
      ["was so", 50, 150, 300, 400],
      ["is so", 400, 150, 650, 400],
    ];
    assert.deepEqual(await lines(shapes), ["before", "was so", "after", "is so"]);
  });

  Deno.test(`extract() with ${name} reads cards row by row if the gaps between rows are larger`, async () => {
    const card = (at: number): PositionedShape => {
      const [left, top] = [50 + 220 * (at % 3), 120 + 220 * Math.floor(at / 3)];
      return [`card ${at}`, left, top, left + 200, top + 130];
    };
    assert.deepEqual(
      await lines([5, 3, 4, 0, 2, 1].map(card)),
      [0, 1, 2, 3, 4, 5].map((at) => `card ${at}`),
    );
  });

  Deno.test(`extract() with ${name} reads columns of right-to-left text from right to left`, async () => {
    const shapes: PositionedShape[] = [
      ["שני", 50, 100, 300, 140],
      ["אחרון.", 50, 150, 300, 400],
      ["ראשון", 400, 100, 650, 140],
      ["אחריו.", 400, 150, 650, 400],
    ];
    assert.deepEqual(await lines(shapes), ["ראשון", "אחריו.", "שני", "אחרון."]);
  });

  Deno.test(`extract() with ${name} reads the higher of two shapes first if it is at least one line higher`, async () => {
    const left = (top: number): PositionedShape => ["left", 50, top, 300, 300];
    const right: PositionedShape = ["right", 400, 100, 700, 400];
    assert.deepEqual(await lines([left(140), right]), ["right", "left"]);
    assert.deepEqual(await lines([right, left(103)]), ["left", "right"]);
  });
}

Deno.test("readPptx() reads a group as a whole at its position, with its shapes in order", async () => {
  const inner = inPptx(["second", 0, 9_000, 50, 9_100]) + inPptx(["first", 0, 100, 50, 200]);
  const group = `<p:grpSp>${
    GROUP_FRAME.replace(
      "<p:grpSpPr/>",
      `<p:grpSpPr>${frameOf(["", 100, 200, 400, 300])}</p:grpSpPr>`,
    )
  }${inner}</p:grpSp>`;
  const slide = inPptx(["below", 100, 320, 400, 350]) + group +
    inPptx(["above", 100, 100, 400, 150]);
  assert.equal(await markdownOf(pptx([slide]), PPTX), "# above\n\nfirst\n\nsecond\n\nbelow");
});

Deno.test("readPptx() positions a group without coordinates by the shapes in it", async () => {
  const group = `<p:grpSp>${GROUP_FRAME}${inPptx(["inside", 100, 200, 400, 300])}</p:grpSp>`;
  const slide = inPptx(["below", 100, 320, 400, 350]) + group +
    inPptx(["above", 100, 100, 400, 150]);
  assert.equal(await markdownOf(pptx([slide]), PPTX), "# above\n\ninside\n\nbelow");
});

Deno.test("readPptx() positions a picture by its placeholder in the layout", async () => {
  const placeholder = '<p:nvPr><p:ph type="pic" idx="1"/></p:nvPr>';
  const picture =
    `<p:pic><p:nvPicPr><p:cNvPr descr="A red field of tulips"/>${placeholder}</p:nvPicPr><p:spPr/></p:pic>`;
  const layout =
    `<p:sldLayout xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><p:cSld><p:spTree>${GROUP_FRAME}` +
    `<p:sp><p:nvSpPr>${placeholder}</p:nvSpPr><p:spPr>${
      frameOf(["", 100, 200, 400, 300])
    }</p:spPr></p:sp></p:spTree></p:cSld></p:sldLayout>`;
  const slide = picture + inPptx(["above", 100, 100, 400, 150]);
  const file = pptx([slide], {
    "slideLayouts/l.xml": layout,
    "slides/_rels/0.xml.rels": relations({ rl: ["slideLayout", "../slideLayouts/l.xml"] }),
  });
  assert.equal(await markdownOf(file, PPTX), "# above\n\n![A red field of tulips]()");
});

Deno.test("readPpt() reads positions stored in either 16-bit or 32-bit numbers", async () => {
  const file = ppt([[
    { text: "below", box: [100, 320, 400, 350], isFar: true },
    { text: "above", box: [100, 100, 400, 150] },
  ]]);
  assert.equal(await markdownOf(file, PPT), "# above\n\nbelow");
});

Deno.test("readPpt() reads a group as a whole at its position, with its shapes in order", async () => {
  const file = ppt([[
    { text: "below", box: [100, 320, 400, 350] },
    {
      box: [100, 200, 400, 300],
      group: [
        { text: "second", box: [0, 9_000, 50, 9_100] },
        { text: "first", box: [0, 100, 50, 200] },
      ],
    },
    { text: "above", box: [100, 100, 400, 150] },
  ]]);
  assert.equal(await markdownOf(file, PPT), "# above\n\nfirst\n\nsecond\n\nbelow");
});

Deno.test("readOdf() positions a linked shape like one without a link", async () => {
  const linked = `<draw:a>${inOdp(["above", 100, 100, 400, 150])}</draw:a>`;
  const body = `<office:presentation><draw:page>${
    inOdp(["below", 100, 200, 400, 250])
  }${linked}</draw:page></office:presentation>`;
  assert.equal(
    await markdownOf(odf("presentation", body), `${ODF}presentation`),
    "# above\n\nbelow",
  );
});

Deno.test("readOdf() positions text on a line by the line's endpoints", async () => {
  const line =
    `<draw:line svg:x1="400pt" svg:y1="100pt" svg:x2="100pt" svg:y2="150pt"><text:p>above</text:p></draw:line>`;
  const body = `<office:presentation><draw:page>${
    inOdp(["below", 100, 200, 400, 250])
  }${line}</draw:page></office:presentation>`;
  assert.equal(
    await markdownOf(odf("presentation", body), `${ODF}presentation`),
    "# above\n\nbelow",
  );
});

Deno.test("readOdf() positions a rotated shape by its rotated box", async () => {
  // Rotating by a quarter turn counterclockwise about the lower left corner puts the shape above
  // that corner.
  const rotated = `<draw:frame svg:width="100pt" svg:height="20pt" ` +
    `draw:transform="rotate (1.5707963) translate (300pt 250pt)"><draw:text-box><text:p>rotated</text:p></draw:text-box></draw:frame>`;
  const below = inOdp(["below", 100, 200, 250, 240]);
  const body =
    `<office:presentation><draw:page>${below}${rotated}</draw:page></office:presentation>`;
  assert.equal(
    await markdownOf(odf("presentation", body), `${ODF}presentation`),
    "# rotated\n\nbelow",
  );
});

Deno.test("readPptx() writes lists in two shapes as two separate lists", async () => {
  const list = (text: string, left: number) =>
    inPptx([text, left, 100, left + 200, 300]).replace(
      "<a:p>",
      '<a:p><a:pPr><a:buChar char="•"/></a:pPr>',
    );
  assert.equal(
    await markdownOf(pptx([list("one", 50) + list("two", 400)]), PPTX),
    "- one\n\n- two",
  );
});

Deno.test("readPptx() ignores bold text in a table header only if the whole header is bold", async () => {
  const bold = '<a:rPr b="1"/>';
  const cell = (text: string, style: string) =>
    `<a:tc><a:txBody><a:p><a:r>${style}<a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
  const row = (texts: readonly string[], style = "") =>
    `<a:tr>${texts.map((text) => cell(text, style)).join("")}</a:tr>`;
  const table = (rows: string) =>
    pptx([
      `<p:graphicFrame><a:graphic><a:graphicData><a:tbl>${rows}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`,
    ]);
  assert.equal(
    await markdownOf(table(row(["Name", "Year"], bold) + row(["Ada", "1815"])), PPTX),
    "| Name | Year |\n| --- | --- |\n| Ada | 1815 |",
  );
  const onlyOne = `<a:tr>${cell("Name", bold)}${cell("Year", "")}</a:tr>`;
  assert.equal(
    await markdownOf(table(onlyOne + row(["Ada", "1815"])), PPTX),
    "| **Name** | Year |\n| --- | --- |\n| Ada | 1815 |",
  );
});

Deno.test("readPpt() places table cells by their boxes, including narrow columns and merged cells", async () => {
  const cell = (text: string, box: PptShape["box"]): PptShape => ({ text, box });
  const file = ppt([[{
    box: [50, 100, 450, 190],
    isTable: true,
    group: [
      cell("a", [0, 0, 20, 30]),
      cell("b", [20, 0, 40, 30]),
      cell("c", [40, 0, 400, 30]),
      cell("tall", [0, 30, 20, 90]),
      cell("wide", [20, 30, 400, 60]),
      cell("d", [20, 60, 40, 90]),
      cell("e", [40, 60, 400, 90]),
    ],
  }]]);
  assert.equal(
    await markdownOf(file, PPT),
    "| a | b | c |\n| --- | --- | --- |\n| tall | wide | wide |\n| tall | d | e |",
  );
});

Deno.test("readPpt() keeps the numbers of numbered lists", async () => {
  const file = ppt([[
    { text: "Steps", kind: 0, box: [50, 20, 650, 80] },
    { text: "mix\rbake", numberedFrom: 3, box: [50, 100, 650, 300] },
  ]]);
  assert.equal(await markdownOf(file, PPT), "# Steps\n\n3. mix\n4. bake");
});

Deno.test("readPpt() reads the numbering of each paragraph, even beyond the sixteenth", async () => {
  const items = Array.from({ length: 18 }, (_, index) => `step ${index + 1}`);
  const file = ppt([[{
    text: items.join("\r"),
    numberedFrom: 1,
    plainFrom: 17,
    box: [50, 100, 650, 300],
  }]]);
  const lines = (await markdownOf(file, PPT)).split("\n");
  assert.deepEqual(lines.slice(15), ["16. step 16", "17. step 17", "", "- step 18"]);
});

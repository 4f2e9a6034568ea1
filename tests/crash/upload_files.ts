/** The files that are uploaded while the server is killed: the name tells which, and what it says. */

import { pdf, scan } from "../../testing/extraction_fixtures.ts";

/** Each opens a page: lines that differ in numbers alone would pass for running heads. */
const SUBJECTS =
  "harbour winter orchid violin passport marathon espresso invoice gluten allergy deadline sister"
    .split(" ");
const PARAGRAPH_COUNT = 600;

/** Kinds of files, by the number at the end of their name. */
type Kind = "note" | "book" | "pages" | "scan";

/** A page that is read by OCR. */
const SCAN = "The harbour of Lisbon\nlies quiet in the winter";
let scanned: Promise<Uint8Array> | undefined;

const TYPES = {
  note: ["txt", "text/plain"],
  book: ["txt", "text/plain"],
  pages: ["pdf", "application/pdf"],
  scan: ["png", "image/png"],
} as const;

/** Name and type under which a file is announced. */
export function describeFile(name: string): { filename: string; content_type: string } {
  const [ending, type] = TYPES[kindOf(name)];
  return { filename: `${name}.${ending}`, content_type: type };
}

/** The bytes of a file. */
export async function fileBytes(name: string): Promise<Uint8Array> {
  const texts = textsOf(name);
  switch (kindOf(name)) {
    case "note":
    case "book":
      return new TextEncoder().encode(texts.join("\n\n"));
    case "pages":
      return pdf(texts.map((text) => [{ x: 72, y: 400, text }]));
    case "scan":
      // Made once: to draw it takes longer than all else.
      return await (scanned ??= scan(SCAN));
  }
}

/** The first text of a file that its document doesn't hold once; undefined when all is there. */
export function findMissing(content: string | undefined, name: string): string | undefined {
  return textsOf(name).find((text) => content?.split(text).length !== 2);
}

/** One of twelve is a scan, three have pages and three are long. */
function kindOf(name: string): Kind {
  const number = Number(/\d+$/.exec(name)![0]);
  if (number % 12 === 5) return "scan";
  return ({ 1: "pages", 3: "book" } as const)[number % 4] ?? "note";
}

function textsOf(name: string): string[] {
  switch (kindOf(name)) {
    case "note":
      return [`The file ${name} tells of the harbour, the orchid and the winter in Lisbon.`];
    case "book":
      return Array.from(
        { length: PARAGRAPH_COUNT },
        (_, at) => `Paragraph ${at} of ${name} is about the harbour.`,
      );
    case "pages":
      return SUBJECTS.map((subject) => `About the ${subject} tells this page of ${name}.`);
    case "scan":
      return ["harbour", "Lisbon", "winter"];
  }
}

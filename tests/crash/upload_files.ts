/**
 * Files to upload while the server gets killed. The file name determines the kind and the content.
 */

import { pdf, scan } from "../../testing/extraction_fixtures.ts";

/**
 * The first subject on each page. Lines that differ only in their numbers would be mistaken for
 * running heads.
 */
const SUBJECTS =
  "harbour winter orchid violin passport marathon espresso invoice gluten allergy deadline sister"
    .split(" ");
const PARAGRAPH_COUNT = 600;

/** The kinds of files, determined by the number at the end of the file name. */
type Kind = "note" | "book" | "pages" | "scan";

/** Text on a page that needs OCR. */
const SCAN = "The harbour of Lisbon\nlies quiet in the winter";
let scanImage: Promise<Uint8Array> | undefined;

const TYPES = {
  note: ["txt", "text/plain"],
  book: ["txt", "text/plain"],
  pages: ["pdf", "application/pdf"],
  scan: ["png", "image/png"],
} as const;

/** Returns the name and type a file is announced with. */
export function describeFile(name: string): { filename: string; content_type: string } {
  const [ending, type] = TYPES[kindOf(name)];
  return { filename: `${name}.${ending}`, content_type: type };
}

/** Returns the bytes of a file. */
export async function fileBytes(name: string): Promise<Uint8Array> {
  const texts = textsOf(name);
  switch (kindOf(name)) {
    case "note":
    case "book":
      return new TextEncoder().encode(texts.join("\n\n"));
    case "pages":
      return pdf(texts.map((text) => [{ x: 72, y: 400, text }]));
    case "scan":
      // Rendered only once, since that takes longer than everything else.
      return await (scanImage ??= scan(SCAN));
  }
}

/**
 * Returns the first text in a file that the resulting document doesn't contain exactly once, or
 * undefined.
 */
export function findMissing(content: string | undefined, name: string): string | undefined {
  return textsOf(name).find((text) => content?.split(text).length !== 2);
}

/** Returns a file's kind: one in twelve is a scan, three have pages, and three are long. */
function kindOf(name: string): Kind {
  const number = Number(/\d+$/.exec(name)![0]);
  if (number % 12 === 5) return "scan";
  return ({ 1: "pages", 3: "book" } as const)[number % 4] ?? "note";
}

function textsOf(name: string): string[] {
  switch (kindOf(name)) {
    case "note":
      return [`The file ${name} is about the harbour, the orchid and the winter in Lisbon.`];
    case "book":
      return Array.from(
        { length: PARAGRAPH_COUNT },
        (_, at) => `Paragraph ${at} of ${name} is about the harbour.`,
      );
    case "pages":
      return SUBJECTS.map((subject) => `The ${subject} is the subject of this page of ${name}.`);
    case "scan":
      return ["harbour", "Lisbon", "winter"];
  }
}

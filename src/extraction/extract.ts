/** File bytes → Markdown, in this process. The runner calls it in a child that can be killed. */
import { createHash } from "node:crypto";
import { Budget } from "./budget.ts";
import { charsetOf, decodeText } from "./encoding.ts";
import type { Engines } from "./engines.ts";
import { ExtractionError } from "./error.ts";
import { readCsv } from "./formats/csv.ts";
import { readDoc } from "./formats/doc.ts";
import { readDocx } from "./formats/docx.ts";
import { readEmail } from "./formats/eml.ts";
import { readEpub } from "./formats/epub.ts";
import { declaredCharset, readHtml } from "./formats/html.ts";
import { readImage } from "./formats/image.ts";
import { readOdf } from "./formats/odf.ts";
import { readPdf } from "./formats/pdf.ts";
import { readPpt } from "./formats/ppt.ts";
import { readPptx } from "./formats/pptx.ts";
import { readRtf } from "./formats/rtf.ts";
import { readSpreadsheet } from "./formats/spreadsheet.ts";
import { readJson, readPlain, readXml, readYaml } from "./formats/text.ts";
import type { FileKind } from "./kinds.ts";
import type { ExtractedDocument } from "./model.ts";
import { Ocr } from "./ocr/ocr.ts";
import { resolveKind } from "./sniff.ts";
import { hasReadableText, writeMarkdown } from "./writer.ts";
import { ZipArchive } from "./zip.ts";

/** What an extraction is given. */
export interface ExtractionInput {
  readonly bytes: Uint8Array;
  readonly declaredType: string;
  readonly filename: string;
  readonly maxPages: number;
  readonly maxOutputBytes: number;
  readonly engines: Engines;
  /** Where recognized pages are kept between attempts. */
  readonly checkpointDir?: string | undefined;
}

/** What it yields. */
export interface ExtractedMarkdown {
  readonly markdown: string;
  /** Pages, slides or sheets; undefined where the format has none. */
  readonly pageCount: number | undefined;
  readonly kind: FileKind;
}

/** Extracts the Markdown of a file. Throws ExtractionError. */
export async function extract(input: ExtractionInput): Promise<ExtractedMarkdown> {
  const kind = resolveKind(input.bytes, input.declaredType, input.filename);
  const document = await read(kind, input);
  const pages = document.pageCount ?? 1;
  if (pages > input.maxPages) {
    throw new ExtractionError(
      "DOCUMENT_PAGE_LIMIT_EXCEEDED",
      `The file has ${pages} pages; at most ${input.maxPages} are accepted`,
    );
  }
  const markdown = writeMarkdown(document.blocks, input.maxOutputBytes);
  if (!hasReadableText(markdown)) {
    throw new ExtractionError("EXTRACTED_DOCUMENT_EMPTY", "The file holds no readable text");
  }
  return { markdown, pageCount: document.pageCount, kind };
}

async function read(kind: FileKind, input: ExtractionInput): Promise<ExtractedDocument> {
  const { bytes, maxPages, engines } = input;
  const budget = new Budget(input.maxOutputBytes);
  const ocr = new Ocr({
    engine: () => engines.ocr(),
    checkpointDir: input.checkpointDir,
    documentKey: createHash("sha256").update(bytes).digest("hex").slice(0, 16),
  });
  switch (kind) {
    case "pdf":
      return await readPdf(bytes, {
        engine: await engines.pdf(),
        maxPages,
        ocr: (image, page, dpi) => ocr.page(image, page, dpi),
      });
    case "png":
    case "jpeg":
    case "webp":
    case "bmp":
    case "tiff":
      return await readImage(bytes, kind, maxPages, ocr);
    case "doc":
      return readDoc(bytes);
    case "docx":
      return readDocx(new ZipArchive(bytes));
    case "ppt":
      return readPpt(bytes, maxPages);
    case "pptx":
      return readPptx(new ZipArchive(bytes), maxPages);
    case "xlsx":
      return readSpreadsheet(bytes, new ZipArchive(bytes), { maxPages, budget });
    case "xls":
      return readSpreadsheet(bytes, undefined, { maxPages, budget });
    case "odt":
    case "ods":
    case "odp":
      return readOdf(new ZipArchive(bytes), maxPages);
    case "epub":
      return readEpub(new ZipArchive(bytes), budget);
    case "rtf":
      return readRtf(bytes, budget);
    case "eml":
      return await readEmail(bytes, budget);
    case "html":
      return readHtml(textOf(input, declaredCharset(bytes)), budget);
    case "csv":
      return readCsv(textOf(input), false, budget);
    case "tsv":
      return readCsv(textOf(input), true, budget);
    case "json":
      return readJson(textOf(input), budget);
    case "xml":
      return readXml(textOf(input, declaredCharset(bytes)), budget);
    case "yaml":
      return readYaml(textOf(input));
    case "markdown":
    case "text":
      return readPlain(textOf(input));
  }
}

function textOf(input: ExtractionInput, inFile?: string): string {
  return decodeText(input.bytes, charsetOf(input.declaredType) ?? inFile);
}

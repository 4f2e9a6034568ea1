/**
 * Extracts Markdown from a file's bytes, within the current process. The runner calls this in a
 * child process, which it can kill.
 */
import { createHash } from "node:crypto";
import { Budget } from "./budget.ts";
import { charsetOf, declaredCharset, decodeText } from "./encoding.ts";
import type { Engines } from "./engines.ts";
import { ExtractionError } from "./error.ts";
import { readCsv } from "./formats/text/csv.ts";
import { readDoc } from "./formats/word/doc.ts";
import { readDocx } from "./formats/word/docx.ts";
import { readEmail } from "./formats/text/eml.ts";
import { readEpub } from "./formats/html/epub.ts";
import { readHtml } from "./formats/html/html.ts";
import { readImage } from "./formats/image/image.ts";
import { readOdf } from "./formats/opendocument/odf.ts";
import { readPdf } from "./formats/pdf/pdf.ts";
import { readPpt } from "./formats/powerpoint/ppt.ts";
import { readPptx } from "./formats/powerpoint/pptx.ts";
import { readRtf } from "./formats/rtf/rtf.ts";
import { readSpreadsheet } from "./formats/excel/spreadsheet.ts";
import { readJson, readPlainText, readXml, readYaml } from "./formats/text/text.ts";
import type { FileKind } from "./kinds.ts";
import type { ExtractedDocument } from "./model.ts";
import { Ocr } from "./ocr/ocr.ts";
import { resolveKind } from "./sniff.ts";
import { hasReadableText, writeMarkdown } from "./writer.ts";
import { ZipArchive } from "./zip.ts";

/** Extraction input. */
export interface ExtractionInput {
  readonly bytes: Uint8Array;
  readonly declaredType: string;
  readonly filename: string;
  readonly maxPages: number;
  readonly maxOutputBytes: number;
  readonly engines: Engines;
  /** Folder for keeping recognized pages between attempts. */
  readonly checkpointDir?: string | undefined;
}

/** Extraction result. */
export interface ExtractedMarkdown {
  readonly markdown: string;
  /** Number of pages, slides or sheets; undefined for formats without any. */
  readonly pageCount: number | undefined;
  readonly kind: FileKind;
}

/**
 * Returns a file as Markdown.
 *
 * @throws {ExtractionError} if the file can't be read, exceeds a limit or has no readable text
 */
export async function extract(input: ExtractionInput): Promise<ExtractedMarkdown> {
  const kind = resolveKind(input.bytes, input.declaredType, input.filename);
  const document = await readDocument(kind, input);
  const pages = document.pageCount ?? 1;
  if (pages > input.maxPages) {
    throw new ExtractionError(
      "DOCUMENT_PAGE_LIMIT_EXCEEDED",
      `The file has ${pages} pages; at most ${input.maxPages} are accepted`,
    );
  }
  const markdown = writeMarkdown(document.blocks, input.maxOutputBytes);
  if (!hasReadableText(markdown)) {
    throw new ExtractionError("EXTRACTED_DOCUMENT_EMPTY", "The file contains no readable text");
  }
  return { markdown, pageCount: document.pageCount, kind };
}

async function readDocument(kind: FileKind, input: ExtractionInput): Promise<ExtractedDocument> {
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
        ocr: (image, page, dpi) => ocr.recognizePage(image, page, dpi),
      });
    case "png":
    case "jpeg":
    case "webp":
    case "bmp":
    case "tiff":
      return await readImage(bytes, kind, maxPages, ocr, () => engines.pdf());
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
      return readHtml(decodeInput(input, declaredCharset(bytes)), budget);
    case "csv":
      return readCsv(decodeInput(input), false, budget);
    case "tsv":
      return readCsv(decodeInput(input), true, budget);
    case "json":
      return readJson(decodeInput(input), budget);
    case "xml":
      return readXml(decodeInput(input, declaredCharset(bytes)), budget);
    case "yaml":
      return readYaml(decodeInput(input));
    case "markdown":
    case "text":
      return readPlainText(decodeInput(input));
  }
}

function decodeInput(input: ExtractionInput, charsetInFile?: string): string {
  return decodeText(input.bytes, charsetOf(input.declaredType) ?? charsetInFile);
}

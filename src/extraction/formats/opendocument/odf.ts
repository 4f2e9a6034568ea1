/** Reads ODT, ODS and ODP, which share a package format but have different bodies. */
import { corrupt, ExtractionError } from "../../error.ts";
import type { Block, ExtractedDocument } from "../../model.ts";
import { child, descendants, parseXml, type XmlElement } from "../../xml.ts";
import type { ZipArchive } from "../../zip.ts";
import { mathmlToLatex } from "../math/mathml.ts";
import { OdfBody } from "./body.ts";
import { odfChartBlocks } from "../chart/odf_chart.ts";
import { readOdfSpreadsheet } from "./sheets.ts";
import { readOdfPresentation } from "./slides.ts";
import { OdfStyles } from "./styles.ts";

/**
 * Reads an OpenDocument package.
 *
 * Throws DOCUMENT_ENCRYPTED if it's password-protected, DOCUMENT_CORRUPT if it has no readable
 * content, and DOCUMENT_PAGE_LIMIT_EXCEEDED if it has more than `maxPages` slides or sheets.
 */
export function readOdf(zip: ZipArchive, maxPages: number): ExtractedDocument {
  assertNotEncrypted(zip);
  const content = parsePart(zip, "content.xml");
  if (content === undefined) throw corrupt("The OpenDocument file has no content");
  const styles = new OdfStyles(parsePart(zip, "styles.xml"), content);
  const body = new OdfBody(styles, (href) => {
    const folder = href.replace(/^\.\//, "").replace(/\/$/, "");
    const object = folder === "" ? undefined : parsePart(zip, `${folder}/content.xml`);
    if (object?.name === "math:math") return [{ kind: "math", tex: mathmlToLatex(object) }];
    return odfChartBlocks(object, styles);
  });
  const root = child(content, "office:body");
  const text = child(root, "office:text");
  if (text !== undefined) return readTextDocument(zip, text, body);
  const sheets = child(root, "office:spreadsheet");
  if (sheets !== undefined) return readOdfSpreadsheet(sheets, { body, styles, maxPages });
  const slides = child(root, "office:presentation") ?? child(root, "office:drawing");
  if (slides !== undefined) return readOdfPresentation(slides, { body, styles, maxPages });
  throw corrupt("The OpenDocument file is neither text, spreadsheet nor presentation");
}

/**
 * Returns the title, type and numbers of a chart in its own package. Returns nothing if it isn't a
 * chart.
 */
export function readOdfChart(zip: ZipArchive): Block[] {
  const content = parsePart(zip, "content.xml");
  return content === undefined ? [] : odfChartBlocks(content, new OdfStyles(undefined, content));
}

function parsePart(zip: ZipArchive, name: string): XmlElement | undefined {
  const text = zip.text(name);
  return text === undefined ? undefined : parseXml(text, { doctype: "skip" });
}

function assertNotEncrypted(zip: ZipArchive): void {
  const manifest = zip.text("META-INF/manifest.xml") ?? "";
  if (/encryption-data/.test(manifest)) {
    throw new ExtractionError(
      "DOCUMENT_ENCRYPTED",
      "The file is password-protected; remove the password and upload it again",
    );
  }
}

function readTextDocument(zip: ZipArchive, text: XmlElement, body: OdfBody): ExtractedDocument {
  const blocks = body.read(text);
  const statistic = descendants(parsePart(zip, "meta.xml"), "meta:document-statistic")[0];
  const declared = Number.parseInt(statistic?.attributes["meta:page-count"] ?? "1", 10) || 1;
  return { blocks: [...blocks, ...body.notes], pageCount: Math.max(declared, body.page) };
}

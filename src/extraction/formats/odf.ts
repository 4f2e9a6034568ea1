/** ODT, ODS and ODP: one package format, three kinds of body. */
import { corrupt, ExtractionError } from "../error.ts";
import type { Block, ExtractedDocument } from "../model.ts";
import { child, descendants, parseXml, type XmlElement } from "../xml.ts";
import type { ZipArchive } from "../zip.ts";
import { latexOfMathml } from "./mathml.ts";
import { OdfBody } from "./odf_body.ts";
import { odfChart } from "./odf_chart.ts";
import { sheetDocument } from "./odf_sheets.ts";
import { slideDocument } from "./odf_slides.ts";
import { OdfStyles } from "./odf_styles.ts";

/** Reads an OpenDocument package of at most `maxPages` pages, slides or sheets. */
export function readOdf(zip: ZipArchive, maxPages: number): ExtractedDocument {
  refuseEncrypted(zip);
  const content = part(zip, "content.xml");
  if (content === undefined) throw corrupt("The OpenDocument file has no content");
  const styles = new OdfStyles(part(zip, "styles.xml"), content);
  const body = new OdfBody(styles, (href) => {
    const folder = href.replace(/^\.\//, "").replace(/\/$/, "");
    const object = folder === "" ? undefined : part(zip, `${folder}/content.xml`);
    if (object?.name === "math:math") return [{ kind: "math", tex: latexOfMathml(object) }];
    return odfChart(object, styles);
  });
  const root = child(content, "office:body");
  const text = child(root, "office:text");
  if (text !== undefined) return textDocument(zip, text, body);
  const sheets = child(root, "office:spreadsheet");
  if (sheets !== undefined) return sheetDocument(sheets, { body, styles, maxPages });
  const slides = child(root, "office:presentation") ?? child(root, "office:drawing");
  if (slides !== undefined) return slideDocument(slides, { body, styles, maxPages });
  throw corrupt("The OpenDocument file is neither text, spreadsheet nor presentation");
}

/** The title, kind and numbers of a chart that is a package of its own; none of other packages. */
export function chartOfPackage(zip: ZipArchive): Block[] {
  const content = part(zip, "content.xml");
  return content === undefined ? [] : odfChart(content, new OdfStyles(undefined, content));
}

function part(zip: ZipArchive, name: string): XmlElement | undefined {
  const text = zip.text(name);
  return text === undefined ? undefined : parseXml(text, { doctype: "skip" });
}

function refuseEncrypted(zip: ZipArchive): void {
  const manifest = zip.text("META-INF/manifest.xml") ?? "";
  if (/encryption-data/.test(manifest)) {
    throw new ExtractionError("DOCUMENT_ENCRYPTED", "The file needs a password");
  }
}

function textDocument(zip: ZipArchive, text: XmlElement, body: OdfBody): ExtractedDocument {
  const blocks = body.read(text);
  const statistic = descendants(part(zip, "meta.xml"), "meta:document-statistic")[0];
  const declared = Number.parseInt(statistic?.attributes["meta:page-count"] ?? "1", 10) || 1;
  return { blocks: [...blocks, ...body.notes], pageCount: Math.max(declared, body.page) };
}

/** Creates small OpenDocument and PPTX packages for tests. */
import { contentTypes, relations, zip } from "../../testing/extraction_fixtures.ts";

/** The common prefix of OpenDocument media types. */
export const ODF = "application/vnd.oasis.opendocument.";
const NAMES = [
  "office",
  "text",
  "table",
  "draw:drawing",
  "presentation",
  "style",
  "chart",
  "fo:xsl-fo-compatible",
  "svg:svg-compatible",
]
  .map((name) => {
    const [prefix = "", full = prefix] = name.split(":");
    return `xmlns:${prefix}="urn:oasis:names:tc:opendocument:xmlns:${full}:1.0"`;
  }).join(" ");

/** Creates an OpenDocument package of a given kind, such as `text`, with additional parts. */
export function odf(
  kind: string,
  body: string,
  styles = "",
  parts: Readonly<Record<string, string>> = {},
): Uint8Array {
  return zip({
    mimetype: `${ODF}${kind}`,
    "content.xml":
      `<office:document-content ${NAMES}><office:automatic-styles>${styles}</office:automatic-styles><office:body>${body}</office:body></office:document-content>`,
    ...Object.fromEntries(
      Object.entries(parts).map(([name, content]) => [
        name,
        content.replace(/^<([\w:-]+)/, `<$1 ${NAMES}`),
      ]),
    ),
  });
}

export const PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation";

/**
 * Creates a PPTX with additional parts under `ppt/`. Each slide is given as the content of its
 * shape tree.
 */
export function pptx(
  slides: readonly string[],
  parts: Readonly<Record<string, string>> = {},
): Uint8Array {
  const P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" ' +
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" ' +
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
  const ids = slides.map((_, index) => `<p:sldId id="${index + 256}" r:id="s${index}"/>`).join("");
  return zip({
    "[Content_Types].xml": contentTypes("ppt/presentation.xml", `${PPTX}.main`),
    "_rels/.rels": relations({ r: ["officeDocument", "ppt/presentation.xml"] }),
    "ppt/presentation.xml": `<p:presentation ${P}><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relations(
      Object.fromEntries(
        slides.map((_, index) => [`s${index}`, ["slide", `slides/${index}.xml`] as const]),
      ),
    ),
    ...Object.fromEntries(slides.map((slide, index) => [
      `ppt/slides/${index}.xml`,
      `<p:sld ${P}><p:cSld><p:spTree>${slide}</p:spTree></p:cSld></p:sld>`,
    ])),
    ...Object.fromEntries(Object.entries(parts).map(([name, part]) => [`ppt/${name}`, part])),
  });
}

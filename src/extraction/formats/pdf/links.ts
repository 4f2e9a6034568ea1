/** Reads a PDF page's link annotations, as long as they lead outside the document. */
import type { Box } from "../../layout/geometry.ts";
import type { PdfFile } from "./pdfium.ts";

const ACTION_URI = 3;
const MAX_LINKS = 2_000;

/** Returns the linked areas on the page, with their addresses. */
export function readLinks(
  file: PdfFile,
  page: number,
  transform: (x: number, y: number) => readonly [number, number],
): (Box & { href: string })[] {
  const links: (Box & { href: string })[] = [];
  const position = file.scratch + 3000;
  const link = file.scratch + 3008;
  file.view.setInt32(position, 0, true);
  for (let count = 0; count < MAX_LINKS; count++) {
    if (file.call("FPDFLink_Enumerate", page, position, link) === 0) break;
    const handle = file.view.getInt32(link, true);
    const action = file.call("FPDFLink_GetAction", handle);
    if (action === 0 || file.call("FPDFAction_GetType", action) !== ACTION_URI) continue;
    const length = file.call("FPDFAction_GetURIPath", file.document, action, file.scratch, 2048);
    if (length <= 1 || length > 2048) continue;
    const href = file.readAscii(length);
    if (!/^(?:https?|mailto|ftp):/i.test(href)) continue;
    if (file.call("FPDFLink_GetAnnotRect", handle, file.scratch) === 0) continue;
    const [x0, y0] = transform(file.readFloat(0), file.readFloat(1));
    const [x1, y1] = transform(file.readFloat(2), file.readFloat(3));
    links.push({
      left: Math.min(x0, x1),
      right: Math.max(x0, x1),
      top: Math.min(y0, y1),
      bottom: Math.max(y0, y1),
      href,
    });
  }
  return links;
}

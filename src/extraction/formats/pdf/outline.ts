/** Reads a PDF's outline, i.e. its bookmarks. */
import type { Bookmark } from "../../layout/blocks/bookmarks.ts";
import type { PdfFile } from "./pdfium.ts";

const MAX_BOOKMARKS = 5_000;
const MAX_DEPTH = 6;

/** Returns the bookmarks in a PDF's outline, in order. */
export function readOutline(file: PdfFile): Bookmark[] {
  const bookmarks: Bookmark[] = [];
  // A damaged outline may lead back to where it came from.
  const visited = new Set<number>();
  const visit = (first: number, depth: number) => {
    for (let item = first; item !== 0 && !visited.has(item);) {
      if (visited.size >= MAX_BOOKMARKS) return;
      visited.add(item);
      const size = file.call("FPDFBookmark_GetTitle", item, file.scratch, 4096);
      const title = size > 4096 ? "" : file.readUtf16(size);
      const target = file.call("FPDFBookmark_GetDest", file.document, item) ||
        actionTarget(file, item);
      const page = target === 0
        ? -1
        : file.call("FPDFDest_GetDestPageIndex", file.document, target);
      if (page >= 0) bookmarks.push({ title, page, depth });
      if (depth < MAX_DEPTH) {
        visit(file.call("FPDFBookmark_GetFirstChild", file.document, item), depth + 1);
      }
      item = file.call("FPDFBookmark_GetNextSibling", file.document, item);
    }
  };
  visit(file.call("FPDFBookmark_GetFirstChild", file.document, 0), 1);
  return bookmarks;
}

function actionTarget(file: PdfFile, bookmark: number): number {
  const action = file.call("FPDFBookmark_GetAction", bookmark);
  return action === 0 ? 0 : file.call("FPDFAction_GetDest", file.document, action);
}

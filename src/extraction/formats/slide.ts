/** What slides of all formats share: their title, and the order of what lies on them. */
import type { Block, Span } from "../model.ts";
import { plainText } from "../model.ts";
import { intoColumns } from "./pdf/order.ts";
import type { Box } from "./pdf/geometry.ts";

const MAX_TITLE = 100;

/** Blocks of a slide under its title. A slide without one is titled by its first short line. */
export function titled(title: readonly Span[], blocks: readonly Block[]): Block[] {
  if (plainText(title).trim() !== "") {
    return [{ kind: "heading", level: 1, spans: title }, ...blocks];
  }
  const [first, ...rest] = blocks;
  if (first?.kind !== "paragraph") return [...blocks];
  const text = plainText(first.spans).trim();
  const isTitle = text.length <= MAX_TITLE && !text.includes("\n") && !/[.;,]$/.test(text);
  return isTitle ? [{ kind: "heading", level: 1, spans: first.spans }, ...rest] : [...blocks];
}

/** Shapes in reading order by their boxes; as they come when one of them has no box. */
export function inReadingOrder<T>(shapes: readonly T[], boxOf: (shape: T) => Box | undefined): T[] {
  const placed: (Box & { shape: T; size: number; rightToLeft: boolean })[] = [];
  for (const shape of shapes) {
    const box = boxOf(shape);
    if (box === undefined) return [...shapes];
    placed.push({ ...box, shape, size: 0, rightToLeft: false });
  }
  if (placed.length < 2) return [...shapes];
  const height = Math.max(...placed.map((one) => one.bottom)) -
    Math.min(...placed.map((one) => one.top));
  // A "line" of a slide is a fortieth of its height: the unit that order is measured in.
  const sized = placed.map((one) => ({ ...one, size: Math.max(1, height / 40) }));
  return intoColumns(sized).flatMap((column) => column.map((one) => one.shape));
}

/** Splits a text into headings, tables, code, and everything else. */

/** `columns` is for table rows and code, whose characters have to line up. */
type BlockKind = "text" | "heading" | "columns";

/** Consecutive lines of the same kind. */
export interface TextBlock {
  readonly kind: BlockKind;
  readonly text: string;
}

/** Splits a text into blocks. Joining them yields the exact original text. */
export function splitBlocks(text: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  let fenced = false;
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const fence = /^\s{0,3}(```|~~~)/.test(line);
    const kind: BlockKind = fenced || fence || /^\s*\|/.test(line)
      ? "columns"
      : /^#{1,6} /.test(line)
      ? "heading"
      : "text";
    if (fence) fenced = !fenced;
    const last = blocks.at(-1);
    if (last?.kind === kind) blocks[blocks.length - 1] = { kind, text: last.text + line };
    else blocks.push({ kind, text: line });
  }
  return blocks;
}

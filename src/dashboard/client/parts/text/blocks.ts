/** The lines of a text by their kind, as far as a reader has to tell them apart. */

/** `columns`: rows of a table, and code, whose characters stand below each other. */
type BlockKind = "text" | "heading" | "columns";

/** Lines of one kind in a row. */
export interface TextBlock {
  readonly kind: BlockKind;
  readonly text: string;
}

/** Lines of one kind in a row, as one block; together they are the text, character for character. */
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

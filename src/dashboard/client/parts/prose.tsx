/**
 * The text of a document, as text: nothing in it becomes markup. Only its lines are told apart, so
 * that a heading looks like one and the columns of a table stand below each other.
 */

import { Highlighted } from "./highlighted.tsx";

type Kind = "text" | "heading" | "columns";

interface Block {
  readonly kind: Kind;
  readonly text: string;
}

export interface ProseProps {
  readonly text: string;
  /** Whose words are marked; empty for none. */
  readonly query: string;
}

export function Prose({ text, query }: ProseProps) {
  return (
    <>
      {blocksOf(text).map(({ kind, text }, index) => (
        <span
          key={index}
          class={`prose-${kind}`}
          dir="auto"
          {...(kind === "columns" ? { tabIndex: 0 } : {})}
        >
          <Highlighted text={text} query={query} />
        </span>
      ))}
    </>
  );
}

/** Lines of one kind in a row, as one block; together they are the text, character for character. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let fenced = false;
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const fence = /^\s{0,3}(```|~~~)/.test(line);
    const kind: Kind = fenced || fence || /^\s*\|/.test(line)
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

/**
 * The text of a document, as text: nothing in it becomes markup. Only its lines are told apart, so
 * that a heading looks like one and the columns of a table stand below each other.
 */

import { splitBlocks } from "./blocks.ts";
import { Highlighted } from "./highlighted.tsx";

export interface ProseProps {
  readonly text: string;
  /** Whose words are marked; empty for none. */
  readonly query: string;
}

export function Prose({ text, query }: ProseProps) {
  return (
    <>
      {splitBlocks(text).map(({ kind, text }, index) => (
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

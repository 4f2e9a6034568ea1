/**
 * A document's text, shown as plain text and never as markup. Headings are emphasized. Tables and
 * code use a fixed-width font so their columns line up.
 */

import { splitBlocks } from "./blocks.ts";
import { Highlighted } from "./highlighted.tsx";

export interface ProseProps {
  readonly text: string;
  /** Query whose words are highlighted, or an empty string for none. */
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

/** A text with query words highlighted. */

import { useMemo } from "preact/hooks";
import { highlight } from "./highlight.ts";

export function Highlighted({ text, query }: { readonly text: string; readonly query: string }) {
  const parts = useMemo(() => highlight(text, query), [text, query]);
  return (
    <>{parts.map(({ text, isMatch }, index) => isMatch ? <mark key={index}>{text}</mark> : text)}</>
  );
}

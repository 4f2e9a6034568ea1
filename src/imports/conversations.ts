/** Turns conversations of any source into Markdown documents. */

import type { SourceMessage } from "./model.ts";
import { timeOf } from "./times.ts";

/** Names of the speakers in documents. */
const SPEAKERS: Readonly<Record<SourceMessage["role"], string>> = {
  user: "User",
  assistant: "Assistant",
};

/** Returns a conversation as Markdown: who said what, and when if that's known. */
export function conversationText(title: string, messages: readonly SourceMessage[]): string {
  const parts = messages.map(({ role, content, created_at }) => {
    const time = timeOf(created_at);
    const when = time === null ? "" : ` (${time.slice(0, 16).replace("T", " ")})`;
    return `**${SPEAKERS[role]}**${when}:\n\n${content.trim()}`;
  });
  return [`# ${title.replaceAll(/\s+/g, " ").trim()}`, ...parts].join("\n\n") + "\n";
}

/** Counts parts of a source that can't be carried over, by name. */
export class Omissions {
  readonly #counts = new Map<string, number>();

  add(what: string, count = 1): void {
    if (count > 0) this.#counts.set(what, (this.#counts.get(what) ?? 0) + count);
  }

  /** Yields the counts as items. */
  *items(): Generator<{ kind: "not_carried"; what: string; count: number }> {
    for (const [what, count] of this.#counts) yield { kind: "not_carried", what, count };
  }
}

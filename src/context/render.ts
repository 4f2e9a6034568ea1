/** Writes the items of a context as one text. */

import type { ContextItem } from "./schema.ts";

/** Sections in order, with the kind of item in each. */
const SECTIONS: readonly (readonly [title: string, kind: ContextItem["kind"]])[] = [
  ["Memories", "memory"],
  ["Current facts", "state"],
  ["Profile", "profile"],
  ["Passages", "passage"],
];

/**
 * Writes the parts of a text, to add up its length: `section` comes before the first item of a kind,
 * `end` after its last. The parts are together at least as long as the text.
 */
type Writer = Readonly<Record<"section" | "item" | "end", (item: ContextItem) => string>>;

/** How each format is written. */
export const WRITERS: Readonly<Record<"markdown" | "json", Writer>> = {
  markdown: {
    section: ({ kind }) => `## ${titleOf(kind)}\n\n`,
    item: markdownItem,
    end: () => "\n",
  },
  json: {
    section: ({ kind }) => `{"kind":"${kind}","items":[`,
    item: (item) => `${JSON.stringify(jsonItem(item))},\n`,
    end: () => "]},\n",
  },
};

/** Returns the text of a context, or an empty text if there are no items. */
export function renderContext(
  items: readonly ContextItem[],
  format: keyof typeof WRITERS,
): string {
  if (items.length === 0) return "";
  const groups = SECTIONS.map(([, kind]) => items.filter((item) => item.kind === kind))
    .filter((group) => group.length > 0);
  if (format === "json") {
    const sections = groups.map((group) => ({
      kind: group[0]!.kind,
      items: group.map(jsonItem),
    }));
    return JSON.stringify(sections);
  }
  const { section, item } = WRITERS.markdown;
  return groups.map((group) => section(group[0]!) + group.map(item).join("")).join("\n").trimEnd();
}

function titleOf(kind: ContextItem["kind"]): string {
  return SECTIONS.find(([, of]) => of === kind)![0];
}

/** Returns a line per memory, and a quote per passage, each with its date and its id. */
function markdownItem({ text, date, id, citation }: ContextItem): string {
  const day = date === null ? "" : `${date.slice(0, 10)}, `;
  if (citation === null) return `- ${text} (${day}${id})\n`;
  const { title, source_key, document_id, start_byte, end_byte } = citation;
  const name = title === source_key ? title : `${title} (${source_key})`;
  const quote = text.trim().split("\n").map((line) => line === "" ? ">" : `> ${line}`).join("\n");
  return `${name}, ${day}${document_id}, bytes ${start_byte} to ${end_byte}:\n${quote}\n\n`;
}

/** Returns what a model needs of an item. */
function jsonItem({ text, date, id, citation }: ContextItem) {
  return { text, date, id, ...citation === null ? {} : { citation } };
}

/**
 * JSON Lines: one record per line, with the field names of the API. Any other source can be turned
 * into it, and `export --format jsonl` writes it.
 */

import { type JsonElement, jsonLinesOf } from "../json.ts";
import type { ImportFormat, SourceItem } from "../model.ts";
import { filesNamed } from "../source_files.ts";

export const jsonl: ImportFormat = {
  name: "jsonl",
  title: "JSON Lines",
  files: 'one JSON object per line: `{"content": "…", "user_id": "…"}`',
  requiresOwner: false,
  async *read(source) {
    const wanted = "file that ends in .jsonl or .ndjson";
    for (const file of filesNamed(source, /\.(jsonl|ndjson)$/i, wanted)) {
      for await (const element of jsonLinesOf(file)) yield toItem(element);
    }
  },
};

function toItem(element: JsonElement): SourceItem {
  if (element.kind === "set_aside") return element;
  const { where } = element;
  // Without fields that only other formats have.
  const { messages: _, ...value } = element.value;
  if (value["kind"] === "document") {
    return {
      ...value,
      where,
      kind: "document",
      isOwn: true,
      source_key: value["source_key"] ?? value["id"],
      content: value["content"] ?? value["text"],
    };
  }
  const text = value["content"] ?? value["memory"] ?? value["text"];
  return { ...value, where, kind: "memory", text };
}

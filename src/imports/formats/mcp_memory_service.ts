/** Exports of mcp-memory-service: memories with tags, each with its hash as the id. */

import { elementsOf, isObject, type JsonObject } from "../json.ts";
import type { ImportFormat, SourceItem } from "../model.ts";
import { filesNamed } from "../source_files.ts";
import { MEMORY_TYPES } from "../../memories/schema.ts";

export const mcpMemoryService: ImportFormat = {
  name: "mcp-memory-service",
  title: "mcp-memory-service",
  files: "JSON: an object with `memories`, as written by its export",
  requiresOwner: true,
  async *read(source) {
    for (const file of filesNamed(source, /\.json$/i, "JSON file")) {
      for await (const element of elementsOf(file, ["memories"])) {
        yield element.kind === "set_aside" ? element : toItem(element.where, element.value);
      }
    }
  },
};

function toItem(where: string, item: JsonObject): SourceItem {
  const { content, content_hash, tags, memory_type, metadata } = item;
  const isKnownType = MEMORY_TYPES.some((type) => type === memory_type);
  return {
    kind: "memory",
    where,
    id: content_hash,
    text: content,
    memory_type: isKnownType ? memory_type : undefined,
    metadata: {
      ...isObject(metadata) && metadata,
      ...Array.isArray(tags) && tags.length > 0 && { tags },
      // Other types than ours are still worth filtering by.
      ...!isKnownType && typeof memory_type === "string" && { type: memory_type },
    },
    created_at: item["created_at"] ?? item["created_at_iso"],
    updated_at: item["updated_at"] ?? item["updated_at_iso"],
  };
}

/**
 * Exports of mem0: pages of `get_all`, exports by schema, and the dashboard's JSON. Versions differ
 * in their names for the same fields.
 */

import { elementsOf, isObject, type JsonObject } from "../json.ts";
import type { ImportFormat, SourceItem } from "../model.ts";
import { filesNamed } from "../source_files.ts";

const LISTS = ["results", "memories", "items"];

export const mem0: ImportFormat = {
  name: "mem0",
  title: "mem0",
  files: "JSON: a list of memories, or an object with `results`, `memories` or `items`",
  requiresOwner: false,
  async *read(source) {
    // Our own exports contain a manifest next to the memories.
    const files = filesNamed(source, /(^|\/)memories[^/]*\.json$/i, "memories.json");
    for (const file of files) {
      for await (const element of elementsOf(file, LISTS)) {
        yield element.kind === "set_aside" ? element : toItem(element.where, element.value);
      }
    }
  },
};

function toItem(where: string, item: JsonObject): SourceItem {
  return {
    kind: "memory",
    where,
    id: item["id"],
    text: item["memory"] ?? item["text"] ?? item["data"] ?? item["content"],
    user_id: item["user_id"],
    agent_id: item["agent_id"],
    run_id: item["run_id"] ?? item["session_id"],
    // Our own exports have the whole metadata, and the end of a memory in a field of its own.
    metadata: isOwn(item) ? item["metadata"] : metadataOf(item),
    created_at: item["created_at"],
    updated_at: item["updated_at"],
    valid_to: isOwn(item) ? item["valid_to"] : item["expiration_date"],
    // Fields of our own exports. mem0 has none of these.
    memory_type: item["memory_type"],
    importance: item["importance"],
    event_date: item["event_date"],
    valid_from: item["valid_from"],
  };
}

/** Checks whether an export of this service wrote an item. mem0 has no field of this name. */
function isOwn(item: JsonObject): boolean {
  return "valid_to" in item;
}

/**
 * Returns the metadata, with the fields that have no counterpart here. They have the names that the
 * mem0-compatible API uses, so its clients see imported memories like those that they added.
 */
function metadataOf(item: JsonObject): unknown {
  const { metadata, categories, app_id, expiration_date } = item;
  const extra = {
    ...Array.isArray(categories) && categories.length > 0 && { categories },
    ...typeof app_id === "string" && { app_id },
    ...typeof expiration_date === "string" && { expiration_date: expiration_date.slice(0, 10) },
  };
  // Anything but an object is kept for the report.
  if (!isObject(metadata)) return Object.keys(extra).length === 0 ? metadata : extra;
  return { ...metadata, ...extra };
}

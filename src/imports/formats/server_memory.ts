/**
 * The file of the reference memory server, `@modelcontextprotocol/server-memory`: a knowledge graph
 * as JSON Lines. It has neither ids nor dates.
 */

import { jsonLinesOf, type JsonObject } from "../json.ts";
import type { ImportFormat, SourceItem } from "../model.ts";
import { filesNamed } from "../source_files.ts";

export const serverMemory: ImportFormat = {
  name: "server-memory",
  title: "the reference memory server",
  files: "its `memory.jsonl` (or `memory.json`), with one entity or relation per line",
  requiresOwner: true,
  async *read(source) {
    for (const file of filesNamed(source, /\.jsonl?$/i, "memory.jsonl")) {
      for await (const element of jsonLinesOf(file)) {
        if (element.kind === "set_aside") yield element;
        else yield* itemsOf(element.where, element.value);
      }
    }
  },
};

function* itemsOf(where: string, line: JsonObject): Generator<SourceItem> {
  const { type } = line;
  if (type === "entity" && typeof line["name"] === "string") yield* entityItems(where, line);
  else if (type === "relation") yield relationItem(where, line);
  else yield { kind: "set_aside", where, reason: "Must be an entity or a relation" };
}

function* entityItems(where: string, entity: JsonObject): Generator<SourceItem> {
  const { name, entityType, observations } = entity;
  if (!Array.isArray(observations)) {
    yield { kind: "set_aside", where, reason: "observations: Must be a list" };
    return;
  }
  for (const [index, observation] of observations.entries()) {
    yield {
      kind: "memory",
      where: `${where}: observations[${index}]`,
      id: JSON.stringify([name, observation]),
      text: typeof observation === "string" ? `${name}: ${observation}` : observation,
      metadata: { entity: name, entity_type: entityType ?? null },
    };
  }
  // Without observations, the name and the type are all there is to know.
  if (observations.length > 0) return;
  yield {
    kind: "memory",
    where,
    id: JSON.stringify([name]),
    text: typeof entityType === "string" ? `${name}: ${entityType}` : name,
    metadata: { entity: name, entity_type: entityType ?? null },
  };
}

function relationItem(where: string, { from, to, relationType }: JsonObject): SourceItem {
  const parts = [from, relationType, to];
  if (!parts.every((part) => typeof part === "string")) {
    return { kind: "set_aside", where, reason: "A relation needs from, relationType and to" };
  }
  return {
    kind: "memory",
    where,
    id: JSON.stringify(parts),
    text: parts.join(" "),
    metadata: { from, relation: relationType, to },
  };
}

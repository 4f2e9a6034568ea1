/**
 * Temporal knowledge graphs of Zep and Graphiti: facts with their validity, summaries of entities,
 * and the episodes that they were found in.
 */

import { elementsOf, type JsonObject } from "../json.ts";
import type { ImportFormat, SourceItem } from "../model.ts";
import { NameTable } from "../name_table.ts";
import { filesNamed, type SourceFile, type SourceFiles } from "../source_files.ts";

const NODES = ["nodes", "entities"];
const EDGES = ["edges", "facts"];
const EPISODES = ["episodes"];

export const graphiti = graphFormat("graphiti", "Graphiti");
export const zep = graphFormat("zep", "Zep");

function graphFormat(name: string, title: string): ImportFormat {
  return {
    name,
    title,
    files: "JSON: an object with `episodes`, `entities` (or `nodes`) and `facts` (or `edges`)",
    requiresOwner: false,
    read: (source) => readGraphs(name, source),
  };
}

async function* readGraphs(system: string, source: SourceFiles): AsyncGenerator<SourceItem> {
  for (const file of filesNamed(source, /\.json$/i, "JSON file")) {
    const names = await entityNames(file);
    for await (const element of elementsOf(file, [...NODES, ...EDGES, ...EPISODES])) {
      if (element.kind === "set_aside") {
        yield element;
        continue;
      }
      const { where, list, value } = element;
      if (NODES.includes(list)) yield* summaryItem(where, value);
      else if (EDGES.includes(list)) yield factItem(where, value, names);
      else yield episodeItem(system, where, value);
    }
  }
}

/** Returns the names of the entities by their ids. The facts may come before them. */
async function entityNames(file: SourceFile): Promise<NameTable> {
  const names = new NameTable();
  for await (const element of elementsOf(file, [...NODES, ...EDGES, ...EPISODES])) {
    if (element.kind === "set_aside" || !NODES.includes(element.list)) continue;
    const { uuid, name } = element.value;
    if (typeof uuid === "string" && typeof name === "string") names.set(uuid, name);
  }
  return names;
}

function factItem(where: string, fact: JsonObject, names: NameTable): SourceItem {
  const { uuid, name, group_id, valid_at, created_at } = fact;
  return {
    kind: "memory",
    where,
    id: uuid,
    text: fact["fact"],
    user_id: ownerOf(group_id),
    metadata: {
      ...typeof name === "string" && { relation: name },
      ...entityField("from", fact["source_node_uuid"], names),
      ...entityField("to", fact["target_node_uuid"], names),
    },
    created_at,
    event_date: valid_at,
    valid_from: valid_at,
    valid_to: fact["invalid_at"] ?? fact["expired_at"],
  };
}

function entityField(field: string, id: unknown, names: NameTable): JsonObject {
  if (typeof id !== "string") return {};
  return { [field]: names.get(id) ?? id };
}

function* summaryItem(where: string, node: JsonObject): Generator<SourceItem> {
  const { uuid, name, summary, labels, group_id, created_at } = node;
  // Most entities of a graph have no summary.
  if (typeof summary !== "string" || summary.trim() === "") return;
  yield {
    kind: "memory",
    where,
    id: uuid,
    text: typeof name === "string" ? `${name}: ${summary}` : summary,
    user_id: ownerOf(group_id),
    metadata: { entity: name ?? null, ...Array.isArray(labels) && { labels } },
    created_at,
  };
}

function episodeItem(system: string, where: string, episode: JsonObject): SourceItem {
  const { uuid, name, group_id, created_at, valid_at } = episode;
  const source = episode["source_description"];
  return {
    kind: "document",
    where,
    source_key: typeof uuid === "string" ? `${system}/${uuid}` : undefined,
    title: name,
    content: episode["content"] ?? episode["episode_body"],
    mime_type: "text/plain",
    user_id: ownerOf(group_id),
    metadata: typeof source === "string" ? { source_description: source } : {},
    created_at: valid_at ?? created_at,
  };
}

/** A graph's group is the person that it's about. Graphs without groups have an empty one. */
function ownerOf(group: unknown): unknown {
  return group === "" || group === "_" ? undefined : group;
}

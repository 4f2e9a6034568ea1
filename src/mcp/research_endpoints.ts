/**
 * Search and fetch over memories and documents together, in the shapes that ChatGPT documents for
 * research with citations. Only tools use them; they call the API's own searches.
 */

import sql from "sql-template-tag";
import { z } from "zod";
import { type Call, type Endpoint, ok, queryEndpoint } from "../contract/endpoint.ts";
import { nonBlankText, scopeFields, scopeOf } from "../contract/fields.ts";
import type { Hit } from "../documents/schema.ts";
import type { DocumentService } from "../documents/service.ts";
import { executeCall } from "../http/execute_endpoint.ts";
import { invalidField } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import { excerpt } from "../kernel/text.ts";
import type { Memory } from "../memories/schema.ts";
import type { MemoryService } from "../memories/service.ts";
import type { Store } from "../store/store.ts";
import { DEFAULT_READ_BYTES, readRange } from "./read_document.ts";

/** Maximum number of results of each kind. */
const MAX_RESULTS = 10;

/** Maximum length of a title and of a result's text, in characters. */
const TITLE_CHARACTERS = 80;
const SNIPPET_CHARACTERS = 500;

/** Bytes to read before a passage, so that its context is clear. */
const BYTES_BEFORE_PASSAGE = 4_096;

/** `mem_…`, `doc_…` or `doc_…#START-END`, a passage by its bytes. */
const RECORD_ID = /^(?:(mem_\w+)|(doc_\w+)(?:#(\d{1,9})-(\d{1,9}))?)$/;

const resultSchema = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  url: z.string(),
});
const recordSchema = resultSchema.extend({ metadata: z.record(z.string(), z.string()) });

const searchBody = z.object({ query: nonBlankText(LIMITS.queryCharacters), ...scopeFields });
const fetchBody = z.object({ id: z.string(), ...scopeFields });

type Result = z.output<typeof resultSchema>;
type FoundRecord = z.output<typeof recordSchema>;

/** What search and fetch need. */
export interface ResearchDeps {
  readonly endpoints: readonly Endpoint[];
  readonly store: Store;
  readonly memories: MemoryService;
  readonly documents: DocumentService;
}

/** A record that an id of `fetch` refers to. */
export type RecordReference =
  | { readonly kind: "memory"; readonly id: string }
  | { readonly kind: "document"; readonly id: string; readonly start: number };

/**
 * Parses an id of a result.
 *
 * @throws ApiError INVALID_REQUEST if it isn't one
 */
export function parseRecordId(text: string): RecordReference {
  const [, memory, document, start = "0"] = RECORD_ID.exec(text) ?? [];
  if (memory !== undefined) return { kind: "memory", id: memory };
  if (document !== undefined) return { kind: "document", id: document, start: Number(start) };
  throw invalidField("id", "Must be the id of a result of search, mem_… or doc_…");
}

/** Describes the two endpoints. */
export function researchEndpoints(deps: ResearchDeps): Endpoint[] {
  const common = { tag: "Research", permission: "memory:read" } as const;
  return [
    queryEndpoint({
      method: "POST",
      path: "/v1/research/search",
      operationId: "researchSearch",
      ...common,
      summary: "Search memories and documents",
      body: searchBody,
      success: [{
        status: 200,
        description: "The results",
        schema: z.object({ results: z.array(resultSchema) }),
      }],
      read: async (call) => ok({ results: await search(deps, call, call.body) }),
    }),
    queryEndpoint({
      method: "POST",
      path: "/v1/research/fetch",
      operationId: "researchFetch",
      ...common,
      summary: "Read a result",
      body: fetchBody,
      success: [{ status: 200, description: "The record", schema: recordSchema }],
      errors: ["MEMORY_NOT_FOUND", "DOCUMENT_NOT_FOUND"],
      read: async (call) => ok(await fetchRecord(deps, call, parseRecordId(call.body.id))),
    }),
  ];
}

/** Searches both kinds of records and orders the results by score. */
async function search(
  deps: ResearchDeps,
  call: Call<unknown, unknown, unknown>,
  { query, ...scopes }: z.output<typeof searchBody>,
): Promise<Result[]> {
  const scope = scopeOf(scopes);
  const [memories, hits, page] = await Promise.all([
    run<Memory & { score: number }>(deps, call, "searchMemories", {
      query,
      ...scope,
      top_k: MAX_RESULTS,
    }),
    run<Hit>(deps, call, "searchDocuments", { query, ...scope, limit: MAX_RESULTS }),
    pageAddress(deps, call),
  ]);
  const results = [
    ...memories.map((memory) => ({
      score: memory.score,
      id: memory.id,
      title: excerpt(memory.memory, TITLE_CHARACTERS),
      text: excerpt(memory.memory, SNIPPET_CHARACTERS),
      url: page(`/memories/${memory.id}`),
    })),
    ...hits.map(({ score, document, chunk }) => ({
      score,
      id: `${document.id}#${chunk.start_byte}-${chunk.end_byte}`,
      title: excerpt(document.source_key, TITLE_CHARACTERS),
      text: excerpt(chunk.content, SNIPPET_CHARACTERS),
      url: page(`/documents/${document.id}?chunk=${chunk.index}`),
    })),
  ];
  return results.toSorted((a, b) => b.score - a.score).map(({ score: _, ...result }) => result);
}

async function fetchRecord(
  deps: ResearchDeps,
  call: Call<unknown, unknown, unknown>,
  reference: RecordReference,
): Promise<FoundRecord> {
  const { project } = call.actor;
  const page = await pageAddress(deps, call);
  if (reference.kind === "memory") {
    const memory = await deps.store.read((db) => deps.memories.get(db, project, reference.id));
    return {
      id: memory.id,
      title: excerpt(memory.memory, TITLE_CHARACTERS),
      text: memory.memory,
      url: page(`/memories/${memory.id}`),
      metadata: { memory_type: memory.memory_type, created_at: memory.created_at },
    };
  }
  const { id, start } = reference;
  const [document, content] = await Promise.all([
    deps.documents.get(project, id),
    deps.documents.content(project, id),
  ]);
  const from = Math.max(0, start - BYTES_BEFORE_PASSAGE);
  const part = readRange(content, from, from + DEFAULT_READ_BYTES);
  return {
    id,
    title: excerpt(document.title, TITLE_CHARACTERS),
    text: part.content,
    url: page(`/documents/${id}`),
    metadata: {
      source_key: document.source_key,
      mime_type: document.mime_type,
      created_at: document.created_at,
      bytes: `${part.start_byte}-${part.end_byte} of ${part.size_bytes}`,
      ...(document.source_uri === null ? {} : { source_uri: document.source_uri }),
    },
  };
}

/** Calls one of the API's searches, with everything that belongs to it, e.g. credits. */
async function run<T>(
  { endpoints, store }: ResearchDeps,
  call: Call<unknown, unknown, unknown>,
  operationId: string,
  body: unknown,
): Promise<T[]> {
  const endpoint = endpoints.find((each) => each.operationId === operationId)!;
  const own = { ...call, body: endpoint.body!.parse(body) };
  const { response } = await executeCall(endpoint, own, store, undefined);
  const value = response.json === undefined ? response.body : JSON.parse(response.json);
  return (value as { results: T[] }).results;
}

/** Returns a function for addresses of dashboard pages, which people can open to check a source. */
async function pageAddress(
  { store }: ResearchDeps,
  { actor, base }: Call<unknown, unknown, unknown>,
) {
  const row = await store.queryOne<{ name: string }>(
    sql`select name from projects where number = ${actor.project}`,
  );
  return (path: string) => `${base}/#/${encodeURIComponent(row?.name ?? "")}${path}`;
}

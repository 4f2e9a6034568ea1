/** Records in mem0's format, and mem0's fields in the metadata of a record. */

import { createHash } from "node:crypto";
import type { Entity } from "../../entities/schema.ts";
import type { InferenceEvent } from "../../events/schema.ts";
import type { HistoryRecord, Memory, WriteResult } from "../../memories/schema.ts";

/** The organization of every project, for clients that ask for one. */
export const ORGANIZATION = "commonplace";

type Metadata = Readonly<Record<string, unknown>>;

/** mem0's own fields that are stored as metadata. */
export interface Mem0Fields {
  readonly app_id?: string | undefined;
  readonly expiration_date?: string | null | undefined;
}

/** Returns metadata with mem0's fields in it, or undefined if there is nothing to store. */
export function withMem0Fields(
  metadata: Metadata | undefined,
  { app_id, expiration_date }: Mem0Fields,
): Metadata | undefined {
  const fields = {
    ...(app_id === undefined ? {} : { app_id }),
    ...(expiration_date === undefined || expiration_date === null ? {} : { expiration_date }),
  };
  return metadata === undefined && Object.keys(fields).length === 0
    ? undefined
    : { ...metadata, ...fields };
}

/**
 * Returns a memory's metadata after an update. New metadata replaces the old one except for mem0's
 * fields, which aren't part of the metadata that clients see. Undefined if nothing changes.
 */
export function changedMetadata(
  old: Metadata | null,
  { metadata, expiration_date }: {
    readonly metadata?: Metadata | undefined;
    readonly expiration_date?: string | null | undefined;
  },
): Metadata | undefined {
  if (metadata === undefined && expiration_date === undefined) return undefined;
  const { own, app_id, expiration_date: oldDate, categories } = splitMetadata(old);
  return {
    ...(metadata ?? own),
    ...(categories.length === 0 || metadata?.["categories"] !== undefined ? {} : { categories }),
    ...withMem0Fields(undefined, {
      app_id: app_id ?? undefined,
      expiration_date: expiration_date === undefined ? oldDate : expiration_date,
    }),
  };
}

/** Splits stored metadata into mem0's fields and the client's own. */
function splitMetadata(stored: Metadata | null) {
  const { app_id, expiration_date, categories, ...own } = stored ?? {};
  return {
    own,
    app_id: typeof app_id === "string" ? app_id : null,
    expiration_date: typeof expiration_date === "string" ? expiration_date : null,
    categories: Array.isArray(categories)
      ? categories.filter((category) => typeof category === "string")
      : [],
  };
}

/**
 * Returns a memory in mem0's format. A run is called `run_id` in searches and `session_id`
 * elsewhere, so it's given under both names.
 */
export function showMemory(memory: Memory & { readonly score?: number }) {
  const { own, ...fields } = splitMetadata(memory.metadata);
  return {
    id: memory.id,
    memory: memory.memory,
    user_id: memory.user_id,
    agent_id: memory.agent_id,
    run_id: memory.run_id,
    session_id: memory.run_id,
    ...fields,
    metadata: Object.keys(own).length === 0 ? null : own,
    hash: createHash("md5").update(memory.memory).digest("hex"),
    ...(memory.score === undefined ? {} : { score: memory.score }),
    created_at: memory.created_at,
    updated_at: memory.updated_at,
  };
}

/** Returns a record with only the given fields, and its id. */
export function pickFields(
  record: Readonly<Record<string, unknown>>,
  fields: readonly string[] | undefined,
): Readonly<Record<string, unknown>> {
  if (fields === undefined) return record;
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => name === "id" || fields.includes(name)),
  );
}

/** Returns what an add did to a memory. Clients read the text in either place. */
export function showResult({ id, memory, event }: WriteResult) {
  return { id, memory, event, data: { memory } };
}

/** Returns an event in mem0's format, which doesn't know about retries. */
export function showEvent(event: InferenceEvent) {
  return {
    id: event.id,
    event_type: event.event_type,
    status: event.status === "RETRYING" ? "RUNNING" : event.status,
    results: event.results.map(showResult),
    created_at: event.created_at,
    updated_at: event.updated_at,
    started_at: event.started_at,
    completed_at: event.completed_at,
    latency: event.latency_ms,
    error: event.error?.message ?? null,
  };
}

/**
 * Returns a memory's history in mem0's format: without ratings, and with the end of a memory as an
 * update. `input` is empty, because messages aren't kept.
 *
 * @param memory the memory, or undefined if it's deleted
 */
export function showHistory(entries: readonly HistoryRecord[], memory: Memory | undefined) {
  return entries.filter(({ event }) => event !== "FEEDBACK").map((entry) => ({
    id: entry.id,
    memory_id: entry.memory_id,
    input: [],
    old_memory: entry.old_memory,
    new_memory: entry.new_memory,
    event: entry.event === "INVALIDATE" ? "UPDATE" : entry.event,
    metadata: splitMetadata(entry.changes?.["metadata"]?.to as Metadata ?? null).own,
    user_id: memory?.user_id ?? null,
    agent_id: memory?.agent_id ?? null,
    session_id: memory?.run_id ?? null,
    created_at: entry.created_at,
    updated_at: entry.created_at,
  }));
}

/** Returns an entity in mem0's format. `name` is the id that clients pass as `user_id` and so on. */
export function showEntity({ id, type, total_memories, created_at, updated_at }: Entity) {
  return {
    id,
    name: id,
    type,
    total_memories,
    owner: ORGANIZATION,
    metadata: null,
    created_at,
    updated_at,
  };
}

/** A page of a list with the number of all items. */
export interface CountedPage {
  readonly results: readonly unknown[];
  readonly count: number;
}

/** Where a page is in its list. */
export interface PagePosition {
  readonly page: number;
  readonly size: number;
}

/**
 * Returns a page with links to its neighbours, as mem0's clients follow them.
 *
 * @param url URL of the list, with everything in its query except for the page
 */
export function showPage(url: URL, { page, size }: PagePosition, { results, count }: CountedPage) {
  const link = (number: number) => {
    const linked = new URL(url);
    linked.searchParams.set("page", String(number));
    linked.searchParams.set("page_size", String(size));
    return linked.href;
  };
  return {
    count,
    next: page * size < count ? link(page + 1) : null,
    previous: page > 1 && count > 0 ? link(page - 1) : null,
    results,
  };
}

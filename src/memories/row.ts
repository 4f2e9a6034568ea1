/** The database row for a memory, with conversions to its API form and text index entry. */

import { createHash } from "node:crypto";
import { SCOPE_KEYS } from "../contract/fields.ts";
import { metadataTags } from "../search/query/filter_tags.ts";
import { dateTerms, distinctTerms, packTermHashes } from "../search/query/terms.ts";
import type { TextEntry } from "../store/store.ts";
import type { HistoryRecord, Memory, MemoryType } from "./schema.ts";

/** A `memories` row. `metadata` is JSON text. */
export interface MemoryRow {
  readonly seq: number;
  readonly id: string;
  readonly user_id: string | null;
  readonly agent_id: string | null;
  readonly run_id: string | null;
  readonly memory_type: MemoryType;
  readonly importance: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly event_date: string | null;
  readonly valid_from: string | null;
  readonly valid_to: string | null;
  readonly memory: string;
  readonly metadata: string | null;
}

/** Converts a row to an API memory. */
export function showMemory(row: MemoryRow): Memory {
  return {
    id: row.id,
    memory: row.memory,
    memory_type: row.memory_type,
    importance: row.importance,
    user_id: row.user_id,
    agent_id: row.agent_id,
    run_id: row.run_id,
    metadata: row.metadata === null ? null : JSON.parse(row.metadata),
    created_at: row.created_at,
    updated_at: row.updated_at,
    event_date: row.event_date,
    valid_from: row.valid_from,
    valid_to: row.valid_to,
  };
}

/** Returns a memory's text index tags, which searches can require. */
export function memoryTags(
  row: Pick<MemoryRow, "user_id" | "agent_id" | "run_id" | "memory_type" | "metadata">,
): string[] {
  const scopes = SCOPE_KEYS.filter((key) => row[key] !== null).map((key) => `${key}=${row[key]}`);
  const metadata = row.metadata === null ? [] : metadataTags(JSON.parse(row.metadata));
  return [...scopes, `memory_type=${row.memory_type}`, ...metadata];
}

/**
 * Returns a memory's text index entry. Depends only on the row, because removing an entry from the
 * index requires passing the exact same entry again.
 *
 * @param textTerms the terms of its text, if they are known already
 */
export function memoryEntry(
  row: Omit<MemoryRow, "seq" | "id">,
  textTerms: readonly string[] = distinctTerms(row.memory),
): TextEntry {
  const terms = new Set(textTerms);
  for (const term of row.event_date === null ? [] : dateTerms(row.event_date)) terms.add(term);
  return { terms: [...terms].join(" "), tags: memoryTags(row) };
}

/** Returns a thread's number: 48 bits of the SHA-256 of the values shared by its memories. */
export function threadNumber(...parts: readonly (string | null)[]): number {
  return createHash("sha256").update(JSON.stringify(parts)).digest().readUIntBE(0, 6);
}

/** Returns a memory's terms as stored, for scoring. */
export function termsBlob(row: Pick<MemoryRow, "memory">): Uint8Array {
  return packTermHashes(distinctTerms(row.memory));
}

/** Returns the fields that differ between two states of a memory, except the text. */
export function changesBetween(
  old: MemoryRow,
  row: MemoryRow,
): NonNullable<HistoryRecord["changes"]> {
  const [from, to] = [showMemory(old), showMemory(row)];
  const fields = [
    "metadata",
    "importance",
    "memory_type",
    "valid_from",
    "valid_to",
    "event_date",
  ] as const;
  return Object.fromEntries(
    fields.filter((field) => JSON.stringify(from[field]) !== JSON.stringify(to[field]))
      .map((field) => [field, { from: from[field], to: to[field] }]),
  );
}

/** A memory as its row, and the two ways it is seen from there: by clients and by the text index. */

import { createHash } from "node:crypto";
import { SCOPE_KEYS } from "../contract/fields.ts";
import { metadataTags } from "../search/query/filter_tags.ts";
import { dateTerms, distinctTerms, packTermHashes } from "../search/query/terms.ts";
import type { TextEntry } from "../store/store.ts";
import type { HistoryRecord, Memory, MemoryType } from "./schema.ts";

/** A row of `memories`; `metadata` is JSON text. */
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

/** The memory that clients see. */
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

/** The attributes that a search may demand of the index, as it names them. */
export function memoryTags(
  row: Pick<MemoryRow, "user_id" | "agent_id" | "run_id" | "memory_type" | "metadata">,
): string[] {
  const scopes = SCOPE_KEYS.filter((key) => row[key] !== null).map((key) => `${key}=${row[key]}`);
  const metadata = row.metadata === null ? [] : metadataTags(JSON.parse(row.metadata));
  return [...scopes, `memory_type=${row.memory_type}`, ...metadata];
}

/**
 * What the text index holds of a memory. A pure function of the row: the index can only forget a
 * row when it is told exactly what it was told before.
 */
export function memoryEntry(row: Omit<MemoryRow, "seq" | "id">): TextEntry {
  const terms = new Set(distinctTerms(row.memory));
  for (const term of row.event_date === null ? [] : dateTerms(row.event_date)) terms.add(term);
  return { terms: [...terms].join(" "), tags: memoryTags(row) };
}

/** A number for a thread, from what its memories have in common (48 bits of SHA-256). */
export function threadNumber(...parts: readonly (string | null)[]): number {
  return createHash("sha256").update(JSON.stringify(parts)).digest().readUIntBE(0, 6);
}

/** The terms of a memory as its row keeps them, for scoring. */
export function termsBlob(row: Pick<MemoryRow, "memory">): Uint8Array {
  return packTermHashes(distinctTerms(row.memory));
}

/** The fields, beside the text, in which two states of a memory differ. */
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

/** Writes claim, source and observation rows in the same unit of work as the memory. */

import sql from "sql-template-tag";
import { recordRows, textRows } from "../../store/sql.ts";
import type { Tx } from "../../store/store.ts";

/** What a memory states about a subject's attribute. */
export interface MemoryClaim {
  readonly subject: string;
  /** Normalized subject, used for comparisons. */
  readonly subject_key: string;
  readonly attribute: string;
  readonly value: string;
  readonly op: "assert" | "end";
}

/** Where claims come from: inference, or extraction from a verbatim text. */
export type ClaimOrigin = "inference" | "text";

/** Replaces a memory's claims. */
export function writeClaims(
  tx: Tx,
  project: number,
  memoryId: string,
  origin: ClaimOrigin,
  claims: readonly MemoryClaim[],
): void {
  deleteClaims(tx, project, memoryId);
  for (const [position, claim] of claims.entries()) {
    tx.post(sql`insert into memory_claims
      (project, memory_id, position, subject, subject_key, attribute, value, op, origin)
      values (${project}, ${memoryId}, ${position}, ${claim.subject}, ${claim.subject_key},
       ${claim.attribute}, ${claim.value}, ${claim.op}, ${origin})`);
  }
}

/** Writes the claims and sources for new memories found by inference. */
export async function writeInferenceResults(
  tx: Tx,
  project: number,
  operationId: string,
  results: readonly {
    readonly id: string;
    readonly claims: readonly MemoryClaim[];
    readonly messages: readonly number[];
  }[],
): Promise<void> {
  const claims = results.flatMap(({ id, claims }) =>
    claims.map((claim, position) => ({ ...claim, id, position }))
  );
  await tx.run(sql`insert into memory_claims
      (project, memory_id, position, subject, subject_key, attribute, value, op, origin)
    select ${project}, value ->> 'id', cast(value ->> 'position' as bigint), value ->> 'subject',
      value ->> 'subject_key', value ->> 'attribute', value ->> 'value', value ->> 'op', 'inference'
    from ${recordRows(claims)}`);
  await tx.run(sql`insert into memory_sources (project, memory_id, operation_id, messages)
    select ${project}, value ->> 'id', ${operationId}, value ->> 'messages'
    from ${recordRows(results.map(({ id, messages }) => ({ id, messages })))}`);
}

/** Records that an inferred add stated the given memories, and the request date. */
export async function writeObservations(
  tx: Tx,
  project: number,
  operationId: string,
  eventDate: string | null,
  memoryIds: readonly string[],
): Promise<void> {
  await tx.run(sql`insert into memory_tellings (project, memory_id, operation_id, event_date)
    select ${project}, value, ${operationId}, ${eventDate}
    from ${textRows(memoryIds)} where true on conflict do nothing`);
}

/**
 * Deletes a memory's claims. Called when the text changes, since the old claims no longer apply.
 */
export function deleteClaims(tx: Tx, project: number, memoryId: string): void {
  tx.post(sql`delete from memory_claims
    where project = ${project} and memory_id = ${memoryId}`);
}

/**
 * Records which messages of an inferred add a memory was made from. No-op if the memory doesn't
 * exist.
 */
export async function writeSource(
  tx: Tx,
  project: number,
  memoryId: string,
  operationId: string,
  messages: readonly number[],
): Promise<void> {
  await tx.run(sql`insert into memory_sources (project, memory_id, operation_id, messages)
    select ${project}, id, ${operationId}, ${JSON.stringify(messages)}
    from memories where project = ${project} and id = ${memoryId}
    on conflict (project, memory_id, operation_id) do update set messages = excluded.messages`);
}

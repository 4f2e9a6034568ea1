/** The rows of claims and of provenance: they come and go with their memory, in one unit of work. */

import sql from "sql-template-tag";
import type { Tx } from "../store/store.ts";

/** What a memory says about an attribute of a subject. */
export interface MemoryClaim {
  readonly subject: string;
  /** The subject in the form in which subjects are compared. */
  readonly subject_key: string;
  readonly attribute: string;
  readonly value: string;
  readonly op: "assert" | "end";
}

/** Whether inference found the claims, or they were read out of a verbatim text. */
export type ClaimOrigin = "inference" | "text";

/** Gives a memory these claims in place of those it had. */
export async function writeClaims(
  tx: Tx,
  project: number,
  memoryId: string,
  origin: ClaimOrigin,
  claims: readonly MemoryClaim[],
): Promise<void> {
  await deleteClaims(tx, project, memoryId);
  for (const [position, claim] of claims.entries()) {
    await tx.run(sql`insert into memory_claims
      (project, memory_id, position, subject, subject_key, attribute, value, op, origin)
      values (${project}, ${memoryId}, ${position}, ${claim.subject}, ${claim.subject_key},
       ${claim.attribute}, ${claim.value}, ${claim.op}, ${origin})`);
  }
}

/** What inference has found for memories that are new: their claims, and what they were made of. */
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
    select ${project}, value ->> 'id', value ->> 'position', value ->> 'subject',
      value ->> 'subject_key', value ->> 'attribute', value ->> 'value', value ->> 'op', 'inference'
    from json_each(${JSON.stringify(claims)})`);
  await tx.run(sql`insert into memory_sources (project, memory_id, operation_id, messages)
    select ${project}, value ->> 'id', ${operationId}, value ->> 'messages'
    from json_each(${JSON.stringify(results.map(({ id, messages }) => ({ id, messages })))})`);
}

/** Notes that an inferred add has told these memories, by the date of its request. */
export async function writeObservations(
  tx: Tx,
  project: number,
  operationId: string,
  eventDate: string | null,
  memoryIds: readonly string[],
): Promise<void> {
  await tx.run(sql`insert into memory_tellings (project, memory_id, operation_id, event_date)
    select ${project}, value, ${operationId}, ${eventDate}
    from json_each(${JSON.stringify(memoryIds)}) where true on conflict do nothing`);
}

/** For a text that has changed: what it claimed is no longer known. */
export async function deleteClaims(tx: Tx, project: number, memoryId: string): Promise<void> {
  await tx.run(sql`delete from memory_claims
    where project = ${project} and memory_id = ${memoryId}`);
}

/** Notes which messages of an inferred add a memory was made of, unless it is gone. */
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

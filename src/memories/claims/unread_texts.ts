/** SQL for texts that inference couldn't read. They're set aside, never their content. */

import sql from "sql-template-tag";
import type { Reader, Tx } from "../../store/store.ts";
import type { UnreadCode } from "../schema.ts";

/** A text that was set aside. */
export interface UnreadText {
  /** Memory, or event of an inferred add. */
  readonly record_id: string;
  /** Position of the message in the add, from 0. Always 0 for a memory. */
  readonly position: number;
  /** Engine and version that failed. */
  readonly reader: string;
  readonly code: UnreadCode;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Sets a text aside, or updates why it is. */
export async function setAside(
  tx: Tx,
  project: number,
  text: Pick<UnreadText, "record_id" | "position" | "reader" | "code"> & { readonly at: string },
): Promise<void> {
  await tx.run(sql`insert into unread_texts
      (project, record_id, position, reader, code, created_at, updated_at)
    values (${project}, ${text.record_id}, ${text.position}, ${text.reader}, ${text.code},
      ${text.at}, ${text.at})
    on conflict (project, record_id, position) do update set reader = excluded.reader,
      code = excluded.code, updated_at = excluded.updated_at`);
}

/** Forgets that a memory's text couldn't be read. */
export async function forgetUnread(tx: Tx, project: number, memoryId: string): Promise<void> {
  await tx.run(
    sql`delete from unread_texts where project = ${project} and record_id = ${memoryId}`,
  );
}

/** Returns the number of texts that are set aside in a project. */
export async function countUnread(db: Reader, project: number): Promise<number> {
  const row = await db.first<{ n: number }>(
    sql`select count(*) as n from unread_texts where project = ${project}`,
  );
  return row!.n;
}

/** Returns a page of texts that are set aside, in the order of their records. */
export function listUnread(
  db: Reader,
  project: number,
  after: readonly [record: string, position: number] | null,
  count: number,
): Promise<UnreadText[]> {
  const [record, position] = after ?? ["", -1];
  return db.all<UnreadText>(sql`select record_id, position, reader, code, created_at, updated_at
    from unread_texts where project = ${project} and (record_id, position) > (${record}, ${position})
    order by record_id, position limit ${count}`);
}

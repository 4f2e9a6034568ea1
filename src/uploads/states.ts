/**
 * States of an upload, and the transitions between them.
 *
 * An upload is created as `awaiting_upload`: a description without bytes. When exactly the
 * described bytes are on disk, it is `uploaded`, and `complete` makes it `queued`. A worker that
 * claims its operation makes it `processing`. The attempt ends in `ready`, with the document
 * written in the same unit of work, or in `failed`, from where the next attempt or a manual retry
 * continues. A worker that has to stop releases the upload as `queued`. A deleted upload is
 * `cancelled` until its files are removed, then it is gone. Uploads that are incomplete or failed
 * for too long are removed too.
 */

import { raw, type Sql } from "sql-template-tag";

/** All statuses of an upload. */
export const ASSET_STATUSES = [
  "awaiting_upload",
  "uploaded",
  "queued",
  "processing",
  "ready",
  "failed",
  "cancelled",
] as const;

export type AssetStatus = typeof ASSET_STATUSES[number];

/**
 * What can happen to an upload, from which statuses, and where that leads. Null: the upload is
 * removed.
 */
export const TRANSITIONS = {
  /** Exactly the described bytes were received. */
  store: { from: ["awaiting_upload"], to: "uploaded" },
  /** The client completes the upload. */
  submit: { from: ["uploaded"], to: "queued" },
  /** A worker claims the operation. */
  claim: { from: ["queued", "failed"], to: "processing" },
  /** The document is written. */
  finish: { from: ["processing"], to: "ready" },
  /** The attempt failed, or its worker is gone. */
  fail: { from: ["processing"], to: "failed" },
  /** The worker has to stop. */
  release: { from: ["processing"], to: "queued" },
  /** The operation is retried by a client. */
  redrive: { from: ["failed"], to: "queued" },
  /** The client deletes it. */
  cancel: { from: ["awaiting_upload", "uploaded", "queued", "failed"], to: "cancelled" },
  /** Its files are about to be removed. */
  clean: { from: ["cancelled"], to: null },
  /** It has waited too long for its bytes or for `complete`, or it failed too long ago. */
  expire: { from: ["awaiting_upload", "uploaded", "failed"], to: null },
  /** Its document is deleted. */
  follow: { from: ["ready"], to: null },
} as const satisfies Record<
  string,
  { readonly from: readonly AssetStatus[]; readonly to: AssetStatus | null }
>;

export type AssetTransition = keyof typeof TRANSITIONS;

/** Transitions that remove the upload. */
export type TerminalTransition = "clean" | "expire" | "follow";

/** Transitions to another status. */
export type StatusTransition = Exclude<AssetTransition, TerminalTransition>;

/**
 * Returns the condition under which a transition is allowed, as SQL. Values are literals, because
 * SQLite uses a partial index only for a condition that it can read.
 */
export function allowed(transition: AssetTransition): Sql {
  const from: readonly AssetStatus[] = TRANSITIONS[transition].from;
  return raw(`status in (${from.map((status) => `'${status}'`).join(", ")})`);
}

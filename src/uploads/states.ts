/**
 * Upload states and the transitions between them.
 *
 * An upload is created as `awaiting_upload`: a description without any bytes. Once exactly the
 * described bytes are on disk, it's `uploaded`, and `complete` makes it `queued`. A worker that
 * claims its operation makes it `processing`. The attempt ends either in `ready`, with the document
 * written in the same unit of work, or in `failed`, where the next attempt or a manual retry picks
 * it up. A worker that has to stop puts the upload back to `queued`. A deleted upload is
 * `cancelled` until its files have been removed, and then it's gone. Uploads that have been
 * incomplete or failed for too long are removed too.
 */

import { raw, type Sql } from "sql-template-tag";

/** All upload statuses. */
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
 * Everything that can happen to an upload, with the statuses it can happen in and the resulting
 * status. Null removes the upload.
 */
export const TRANSITIONS = {
  /** Received exactly the described bytes. */
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
  /** A client retries the operation. */
  redrive: { from: ["failed"], to: "queued" },
  /** The client deletes it. */
  cancel: { from: ["awaiting_upload", "uploaded", "queued", "failed"], to: "cancelled" },
  /** Its files are about to be removed. */
  clean: { from: ["cancelled"], to: null },
  /** Waited too long for its bytes or `complete`, or failed too long ago. */
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
 * Returns the condition for a transition as SQL. Values are literals, since SQLite only uses a
 * partial index if it can read the condition.
 */
export function allowed(transition: AssetTransition): Sql {
  const from: readonly AssetStatus[] = TRANSITIONS[transition].from;
  return raw(`status in (${from.map((status) => `'${status}'`).join(", ")})`);
}

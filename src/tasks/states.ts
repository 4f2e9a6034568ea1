/** The kinds of work on the queue, and the states that a task passes through. */

/** Kinds that a client starts by a request of its own: health counts them as operations. */
export const CLIENT_KINDS = [
  "batch_update",
  "batch_delete",
  "document_extract",
  "export",
  "import",
] as const;

/** Every kind of task, as operations show it. */
export const TASK_KINDS = [
  ...CLIENT_KINDS,
  "memory_infer",
  "derive",
  "rebuild",
  "maintenance",
  "purge",
] as const;

export type TaskKind = typeof TASK_KINDS[number];

/** Every status that the interface names; `committed` and `failed` are reserved, never produced. */
export const TASK_STATUSES = [
  "awaiting_upload",
  "pending",
  "retry",
  "processing",
  "success",
  "committed",
  "dead",
  "failed",
  "cancelled",
] as const;

export type TaskStatus = typeof TASK_STATUSES[number];

/** The contract of snapshots: a project's records in one JSON text that any deployment can restore. */

import { z } from "zod";
import { storedTimestamp } from "../contract/fields.ts";

export const SNAPSHOT_FORMAT = "service.namespace-snapshot";
export const SNAPSHOT_VERSION = 1;

/** A snapshot without its records: what an operation shows in a list. */
export const outlineSchema = z.object({
  format: z.literal(SNAPSHOT_FORMAT),
  version: z.literal(SNAPSHOT_VERSION),
  exported_at: storedTimestamp,
  source: z.object({ project_id: z.string(), schema_version: z.int() }),
  journal: z.object({ position: z.int() }),
  projections: z.object({
    vector: z.literal("rebuild"),
    state: z.literal("rebuild"),
    chunks: z.literal("rebuild"),
  }),
  counts: z.record(z.string(), z.int()),
  /** SHA-256 of the canonical JSON (RFC 8785) of `records`. */
  checksum: z.string(),
});

export type SnapshotOutline = z.output<typeof outlineSchema>;

/** A snapshot as clients see it. */
const snapshotSchema = outlineSchema.extend({
  records: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
}).meta({ id: "Snapshot" });

/** The body of an import, for the OpenAPI document: it is read as a stream. */
export const importBody = z.object({ snapshot: snapshotSchema });

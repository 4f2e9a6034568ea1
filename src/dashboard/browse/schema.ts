/** The contracts of what only the dashboard asks: lists and links that a person looks through. */

import { z } from "zod";
import {
  hasScope,
  pageFields,
  pageOf,
  SCOPE_REQUIRED,
  scopeFields,
  timestampField,
  timestampOutput,
} from "../../contract/fields.ts";
import { documentSchema } from "../../documents/schema.ts";
import { memoryType } from "../../memories/schema.ts";
import { sourceAssetSchema } from "../../uploads/schema.ts";

export const idParams = z.object({ id: z.string() });

/** A list of memories needs no scope here: whoever looks through a project doesn't know them yet. */
export const memoriesQuery = z.object({
  ...scopeFields,
  memory_type: memoryType.optional(),
  /** Memories that hold now, or those whose validity has ended. */
  validity: z.enum(["holds", "ended"]).optional(),
  ...pageFields,
});

export type MemoriesQuery = z.output<typeof memoriesQuery>;

export const endBody = z.object({ valid_to: timestampField.optional() });

const memoryReference = z.object({ id: z.string(), memory: z.string().nullable() });

/** What a memory came from, and what rests on it. */
export const linksResponse = z.object({
  /** Inference tasks that made or enriched it, with the places of the messages that they read. */
  sources: z.array(z.object({ operation_id: z.string(), messages: z.array(z.int()) })),
  /** Other memories of the same tasks. */
  siblings: z.array(memoryReference),
  /** Memories that it ended. */
  supersedes: z.array(memoryReference),
  /** The memory that ended it. */
  superseded_by: memoryReference.nullable(),
  /** What it says about attributes of subjects: the ground of state, beliefs and profile. */
  claims: z.array(z.object({
    subject: z.string(),
    attribute: z.string(),
    value: z.string(),
    op: z.enum(["assert", "end"]),
  })),
});

export type Links = z.output<typeof linksResponse>;

export const slotsQuery = z.object(scopeFields).refine(hasScope, SCOPE_REQUIRED);

/** Subjects and attributes that memories of a scope speak of, those spoken of last first. */
export const slotsResponse = z.object({
  results: z.array(z.object({
    subject: z.string(),
    attribute: z.string(),
    memories: z.int(),
    last_at: timestampOutput,
  })),
});

export type Slot = z.output<typeof slotsResponse>["results"][number];

export const pageQuery = z.object(pageFields);

const version = z.object({
  document: documentSchema,
  current: z.boolean(),
  chunks: z.int(),
  /** The file that it was extracted from; null for text that came as it is. */
  file: z.object({
    filename: z.string(),
    content_type: z.string(),
    size_bytes: z.int(),
    page_count: z.int().nullable(),
    extractor: z.string().nullable(),
  }).nullable(),
});

export type Version = z.output<typeof version>;

export const versionsPage = pageOf(version);

export const uploadsPage = pageOf(sourceAssetSchema);

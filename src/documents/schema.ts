/** Request and response schemas for documents. */

import { z } from "zod";
import {
  addIssue,
  documentMetadataField,
  hasScope,
  issueWithCode,
  nonBlankText,
  pageFields,
  pageOf,
  SCOPE_REQUIRED,
  scopeFields,
  storedMetadata,
  timestampOutput,
} from "../contract/fields.ts";
import { LIMITS } from "../kernel/limits.ts";
import { DOCUMENT_FIELDS } from "../search/query/filterable.ts";
import { filterField, filterParameter } from "../search/query/filter_field.ts";
import { essenceOf } from "../kernel/http/media_types.ts";
import { isBlank, textProblem, utf8Length } from "../kernel/text.ts";
import { isAccepted } from "./media_types.ts";

const sha256Hex = z.string().meta({ pattern: "^[0-9a-f]{64}$" });

/** A version of a source, without its content. */
export const documentSchema = z.object({
  id: z.string(),
  source_key: z.string(),
  content_hash: sha256Hex,
  version_hash: sha256Hex,
  title: z.string(),
  mime_type: z.string(),
  source_uri: z.string().nullable(),
  user_id: z.string().nullable(),
  agent_id: z.string().nullable(),
  run_id: z.string().nullable(),
  metadata: storedMetadata,
  size_bytes: z.int(),
  created_at: timestampOutput,
}).meta({ id: "Document" });

export type Document = z.output<typeof documentSchema>;

const chunkSchema = z.object({
  id: z.string(),
  document_id: z.string(),
  source_key: z.string(),
  index: z.int(),
  content: z.string(),
  start_byte: z.int(),
  end_byte: z.int(),
  content_hash: sha256Hex,
}).meta({ id: "Chunk" });

export type DocumentChunk = z.output<typeof chunkSchema>;

/** Text of a document, stored exactly as sent. */
const content = z.string().check((text) => {
  const problem = textProblem(text.value);
  if (utf8Length(text.value) > LIMITS.documentBytes) {
    const message = `Must be at most ${LIMITS.documentBytes} bytes of UTF-8`;
    addIssue(text, issueWithCode("DOCUMENT_TOO_LARGE", message));
  } else if (problem === "surrogate") {
    const message = "Must be well-formed Unicode (lone surrogate)";
    addIssue(text, issueWithCode("INVALID_UTF8", message));
  } else if (problem === "nul") addIssue(text, { message: "Must not contain NUL" });
  else if (isBlank(text.value)) addIssue(text, { message: "Must not be empty" });
});

const mimeType = z.string().transform(essenceOf).superRefine((essence, context) => {
  if (isAccepted(essence)) return;
  const message = `Media type "${essence}" is not accepted here; use POST /v1/document-uploads`;
  context.addIssue(issueWithCode("UNSUPPORTED_DOCUMENT_MEDIA_TYPE", message));
});

const sourceKey = nonBlankText(LIMITS.sourceKeyCharacters);

export const ingestBody = z.object({
  content,
  source_key: sourceKey.optional(),
  title: nonBlankText(LIMITS.titleCharacters).optional(),
  mime_type: mimeType.default("text/plain"),
  source_uri: nonBlankText(LIMITS.sourceUriCharacters).nullable().optional(),
  ...scopeFields,
  metadata: documentMetadataField.optional(),
}).refine(hasScope, SCOPE_REQUIRED);

export type IngestBody = z.output<typeof ingestBody>;

/** The same fields as form parts, for the OpenAPI document. */
export const ingestForm = z.object({
  file: z.string().meta({
    format: "binary",
    description: "Exactly one file, at most 1,000,000 bytes of UTF-8 text",
  }),
  source_key: sourceKey.optional().meta({ description: "Defaults to the file name" }),
  title: nonBlankText(LIMITS.titleCharacters).optional()
    .meta({ description: "Defaults to the file name" }),
  source_uri: nonBlankText(LIMITS.sourceUriCharacters).optional(),
  user_id: z.string().optional(),
  agent_id: z.string().optional(),
  run_id: z.string().optional(),
  metadata: z.string().optional().meta({ contentMediaType: "application/json" }),
});

export const ingestResponse = z.object({
  document: documentSchema,
  chunks: z.int(),
  created: z.boolean(),
});

export type IngestResponse = z.output<typeof ingestResponse>;

export const idParams = z.object({ id: z.string() });

export const listQuery = z.object({
  source_key: sourceKey.optional(),
  ...scopeFields,
  filters: filterParameter(DOCUMENT_FIELDS).optional(),
  ...pageFields,
});

export type ListQuery = z.output<typeof listQuery>;

export const documentPage = pageOf(documentSchema);

export const contentResponse = z.object({
  id: z.string(),
  content: z.string(),
  content_hash: sha256Hex,
});

export type ContentResponse = z.output<typeof contentResponse>;

export const chunksQuery = z.object(pageFields);
export const chunkPage = pageOf(chunkSchema);

export const deleteResponse = z.object({
  id: z.string(),
  deleted: z.literal(true),
  versions: z.int(),
  chunks: z.int(),
});

export type DeleteResponse = z.output<typeof deleteResponse>;

export const searchBody = z.object({
  query: nonBlankText(LIMITS.queryCharacters),
  ...scopeFields,
  source_key: sourceKey.optional(),
  filters: filterField("DocumentFilter", DOCUMENT_FIELDS).optional(),
  limit: z.int().min(1).max(LIMITS.filteredDocumentSearchResults)
    .default(LIMITS.documentSearchResultsDefault)
    .describe(`At most ${LIMITS.documentSearchResults} without filters`),
  neighbors: z.int().min(0).max(LIMITS.neighborChunks).default(0),
})
  .refine(({ limit, filters }) => limit <= LIMITS.documentSearchResults || filters !== undefined, {
    message: `Must be at most ${LIMITS.documentSearchResults} without filters`,
    path: ["limit"],
  });

export type SearchBody = z.output<typeof searchBody>;

const hitSchema = z.object({
  document: z.object({ id: z.string(), source_key: z.string() }).meta({ id: "HitDocument" }),
  chunk: chunkSchema,
  neighbors: z.array(chunkSchema),
  score: z.number().min(0).max(1),
}).meta({ id: "DocumentHit" });

export type Hit = z.output<typeof hitSchema>;

export const searchResponse = z.object({ results: z.array(hitSchema) });

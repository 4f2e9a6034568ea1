/** Version and chunk rows, and how to convert them to responses, ids, hashes and terms. */

import { createHash } from "node:crypto";
import { type Scope, SCOPE_KEYS } from "../contract/fields.ts";
import { canonicalJson, sha256 } from "../kernel/hash.ts";
import { packTermCounts } from "../search/lexical/term_counts.ts";
import { impactTokens } from "../search/lexical/impacts.ts";
import { TermCounter } from "../search/lexical/term_frequencies.ts";
import { projectPrefix } from "../store/sqlite/text_index.ts";
import type { ChunkTerms } from "../store/store.ts";
import type { Document, DocumentChunk } from "./schema.ts";

/** A `document_versions` row. `metadata` is JSON text; `is_head` is 1 for the current version. */
export interface VersionRow {
  readonly seq: number;
  readonly id: string;
  readonly source_key: string;
  readonly is_head: number;
  readonly content_hash: string;
  readonly version_hash: string;
  readonly title: string;
  readonly mime_type: string;
  readonly source_uri: string | null;
  readonly user_id: string | null;
  readonly agent_id: string | null;
  readonly run_id: string | null;
  readonly metadata: string;
  readonly size_bytes: number;
  readonly chunks: number;
  /** Number of terms in all chunks, including headings. */
  readonly terms: number;
  readonly chunker_version: number;
  readonly chunked_as: string;
  readonly created_at: string;
}

/** A `chunks` row. `heading_path` is JSON text. */
export interface ChunkRow {
  readonly seq: number;
  readonly version: number;
  readonly position: number;
  readonly start_byte: number;
  readonly end_byte: number;
  readonly heading_path: string;
  readonly content: string;
}

/** Returns a version as seen by clients, without its content. */
export function showDocument(row: VersionRow): Document {
  return {
    id: row.id,
    source_key: row.source_key,
    content_hash: row.content_hash,
    version_hash: row.version_hash,
    title: row.title,
    mime_type: row.mime_type,
    source_uri: row.source_uri,
    user_id: row.user_id,
    agent_id: row.agent_id,
    run_id: row.run_id,
    metadata: JSON.parse(row.metadata),
    size_bytes: row.size_bytes,
    created_at: row.created_at,
  };
}

/** Returns a chunk as seen by clients. */
export function showChunk(
  version: Pick<VersionRow, "id" | "source_key">,
  row: ChunkRow,
): DocumentChunk {
  return {
    id: chunkId(version.id, row.position),
    document_id: version.id,
    source_key: version.source_key,
    index: row.position,
    content: row.content,
    start_byte: row.start_byte,
    end_byte: row.end_byte,
    content_hash: sha256(row.content),
  };
}

const BASE_32 = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * Returns a chunk's id: 130 bits of the SHA-256 of the version id and chunk index, in Crockford's
 * base 32 like all other ids. Rebuilt chunks keep their ids.
 */
function chunkId(documentId: string, index: number): string {
  const digest = createHash("sha256").update(`${documentId}/${index}`).digest();
  let [id, buffer, bits] = ["chunk_", 0, 0];
  for (const byte of digest.subarray(0, 17)) {
    buffer = (buffer & 0x1f) << 8 | byte;
    bits += 8;
    for (; bits >= 5 && id.length < 32; bits -= 5) id += BASE_32[buffer >> (bits - 5) & 31]!;
  }
  return id;
}

/** Everything that identifies a version. Requests with the same hash are the same version. */
export type VersionIdentity =
  & Pick<
    Document,
    "source_key" | "content_hash" | "title" | "mime_type" | "source_uri" | "metadata"
  >
  & { readonly [key in keyof Scope]-?: string | null };

/**
 * Returns the SHA-256 of the canonical JSON (RFC 8785) of a version's identity: source key, content
 * hash, title, media type, source URI, scope and metadata. Missing scopes are null. Documented in
 * docs/documents.md.
 */
export function versionHash(identity: VersionIdentity): string {
  return sha256(canonicalJson(identity));
}

/** Returns the attributes that searches can filter chunks by, as text index tags. */
export function versionTags(
  row: Pick<VersionRow, "source_key" | "user_id" | "agent_id" | "run_id">,
): string[] {
  const scopes = SCOPE_KEYS.filter((key) => row[key] !== null).map((key) => `${key}=${row[key]}`);
  return [...scopes, `source_key=${row.source_key}`];
}

/**
 * Returns a chunk's terms. This is a pure function of project, title, headings and text, since
 * removing a chunk from the index takes exactly the terms that were added.
 */
export function chunkTerms(
  project: number,
  title: string,
  headingPath: readonly string[],
  content: string,
): ChunkTerms {
  const counts = termCounter.count(content, [title, ...headingPath].join("\n"));
  return {
    impactTerms: impactTokens(counts, projectPrefix(project)),
    terms: packTermCounts(counts),
  };
}

const termCounter = new TermCounter();

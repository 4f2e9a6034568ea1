/** What the readers of foreign formats yield. Nothing in it has been validated yet. */

import type { SourceFiles } from "./source_files.ts";

/** Owners named by a record itself. Missing ones come from the import request. */
export interface SourceOwners {
  readonly user_id?: unknown;
  readonly agent_id?: unknown;
  readonly run_id?: unknown;
}

/** A memory in the source. Times can be ISO texts, or numbers of seconds or milliseconds. */
export interface SourceMemory extends SourceOwners {
  readonly kind: "memory";
  /** Where the record is in its file, for messages. */
  readonly where: string;
  /** Identifies the record in its source for good. If missing, its content does. */
  readonly id?: unknown;
  readonly text: unknown;
  readonly memory_type?: unknown;
  readonly importance?: unknown;
  readonly metadata?: unknown;
  readonly created_at?: unknown;
  readonly updated_at?: unknown;
  readonly event_date?: unknown;
  readonly valid_from?: unknown;
  readonly valid_to?: unknown;
}

/** One message of a conversation. */
export interface SourceMessage {
  readonly role: "user" | "assistant";
  readonly content: string;
  /** As in `SourceMemory`. */
  readonly created_at?: unknown;
}

/** A text to store as a document, such as a note or a conversation. */
export interface SourceDocument extends SourceOwners {
  readonly kind: "document";
  readonly where: string;
  readonly source_key: unknown;
  readonly title?: unknown;
  readonly content: unknown;
  readonly mime_type?: unknown;
  readonly source_uri?: unknown;
  readonly metadata?: unknown;
  readonly created_at?: unknown;
  readonly updated_at?: unknown;
  /** Whether the record comes from this service, so that its metadata stays as it is. */
  readonly isOwn?: boolean;
  /** What a person said in it, to extract facts from if the import asks for inference. */
  readonly messages?: readonly SourceMessage[];
}

/** A record that can't be imported. The others are. */
export interface SetAside {
  readonly kind: "set_aside";
  readonly where: string;
  readonly reason: string;
}

/** Parts of the source without a counterpart here, such as images. */
export interface NotCarried {
  readonly kind: "not_carried";
  /** Plural noun, for example `images`. */
  readonly what: string;
  readonly count: number;
}

/** One item in a source. Reading the same bytes again yields the same items in the same order. */
export type SourceItem = SourceMemory | SourceDocument | SetAside | NotCarried;

/** A format that files can be imported from. */
export interface ImportFormat {
  readonly name: string;
  /** Name of the product, for people. */
  readonly title: string;
  /** The files it reads, as a sentence. */
  readonly files: string;
  /** Whether the import has to name an owner, because the records don't. */
  readonly requiresOwner: boolean;
  /**
   * Reads a source from start to end.
   *
   * @throws {ApiError} INVALID_IMPORT if the source as a whole can't be read
   */
  read(source: SourceFiles): AsyncIterable<SourceItem>;
}

/** Documents: exact sources, their passages, and files that become documents. */

import {
  type Caller,
  type Fields,
  type PageFields,
  Resource,
  type Schemas,
  type Scope,
  type WaitOptions,
} from "./caller.ts";
import { CommonplaceError } from "./errors.ts";
import { path, type RequestOptions } from "./http.ts";
import { mediaTypeOf } from "./media_types.ts";
import type { Operations } from "./operations.ts";
import type { Pages } from "./pages.ts";
import { canSendStreams, type FileContent, sha256, streamWithProgress, toBlob } from "./upload.ts";

type Document = Schemas["Document"];
type SourceAsset = Schemas["SourceAsset"];

export type DocumentFields = Fields<Schemas["IngestDocument"], "content">;
export type DocumentSearchFields = Fields<Schemas["SearchDocuments"], "query">;
export type DocumentListFields = Scope & PageFields & {
  readonly source_key?: string;
  readonly filters?: Schemas["DocumentFilter"];
};

/** How to store a file. A `File` has its own name and type. */
export interface UploadFields extends Scope {
  readonly filename?: string;
  /** Media type. Defaults to that of the file, or the one that the name ends with. */
  readonly content_type?: string;
  readonly source_key?: string;
  readonly title?: string;
  readonly metadata?: Schemas["DocumentMetadata"];
}

/** What an upload is doing. */
export type UploadProgress =
  | { readonly stage: "sending"; readonly sent_bytes: number; readonly total_bytes: number }
  | { readonly stage: "extracting"; readonly operation: Schemas["Operation"] };

/** Options of an upload. `timeout` is for the extraction, 10 minutes by default. */
export interface UploadOptions extends WaitOptions<UploadProgress> {
  /** Whether to wait until the document can be read and found. Defaults to true. */
  readonly wait?: boolean;
  /**
   * Identifies the upload. Repeating it with the same key continues the first one. A blank key
   * counts as none.
   */
  readonly idempotencyKey?: string | undefined;
}

/** The service accepts an upload's content for as long as this. */
const CONTENT_TIMEOUT_MS = 900_000;

export class Documents extends Resource {
  readonly #operations: Operations;
  readonly #uploads: Uploads;

  constructor(caller: Caller, operations: Operations, uploads: Uploads) {
    super(caller);
    this.#operations = operations;
    this.#uploads = uploads;
  }

  /** Stores a text of up to 1,000,000 bytes, as a new version if its source exists. */
  add(
    content: string,
    fields?: DocumentFields,
    options?: RequestOptions,
  ): Promise<Schemas["IngestDocumentResponse"]> {
    const body = this.caller.scoped({ ...fields, content });
    return this.caller.send({ method: "POST", path: "/v1/documents", body }, options);
  }

  /**
   * Stores a file: announces it with its SHA-256, sends it, and waits for its text.
   *
   * @throws OperationFailed if its text can't be extracted
   */
  upload(
    file: FileContent,
    fields: UploadFields | undefined,
    options: UploadOptions & { readonly wait: false },
  ): Promise<SourceAsset>;
  upload(file: FileContent, fields?: UploadFields, options?: UploadOptions): Promise<Document>;
  async upload(
    file: FileContent,
    fields: UploadFields = {},
    { wait = true, idempotencyKey, onProgress, signal, timeout }: UploadOptions = {},
  ): Promise<Document | SourceAsset> {
    const blob = toBlob(file);
    const filename = fields.filename ?? (file instanceof File ? file.name : fields.source_key);
    if (filename === undefined) throw new CommonplaceError("Expected a filename for this content");
    const created = await this.#uploads.create({
      ...fields,
      filename,
      content_type: fields.content_type ?? (blob.type || mediaTypeOf(filename)),
      size_bytes: blob.size,
      checksum_sha256: await sha256(blob),
    }, { signal, idempotencyKey });
    const { id } = created.source_asset;
    const onSent = onProgress &&
      ((sent_bytes: number) =>
        onProgress({ stage: "sending", sent_bytes, total_bytes: blob.size }));
    await this.#uploads.put(id, blob, { signal, onSent });
    const { source_asset, operation } = await this.#uploads.complete(id, { signal });
    if (!wait) return source_asset;
    await this.#operations.wait(operation, {
      signal,
      timeout,
      onProgress: onProgress && ((operation) => onProgress({ stage: "extracting", operation })),
    });
    const { document_id } = (await this.#uploads.get(id, { signal })).source_asset;
    return this.get(document_id!, { signal });
  }

  /**
   * Finds passages of the current versions by words and by meaning. `limit` is at most 20 without
   * `filters`, and at most 50 with them.
   */
  search(
    query: string,
    fields?: DocumentSearchFields,
    options?: RequestOptions,
  ): Promise<Schemas["SearchDocumentsResponse"]> {
    const body = this.caller.scoped({ ...fields, query });
    const path = "/v1/documents/search";
    return this.caller.send({ method: "POST", path, body, reads: true }, options);
  }

  /** Lists the current versions. */
  list(fields?: DocumentListFields, options?: RequestOptions): Pages<Document> {
    return this.caller.list("/v1/documents", this.caller.scoped(fields), options);
  }

  get(id: string, options?: RequestOptions): Promise<Document> {
    return this.caller.get(path`/v1/documents/${id}`, undefined, options);
  }

  /** Returns the exact text, or the Markdown that was extracted from a file. */
  content(id: string, options?: RequestOptions): Promise<Schemas["GetDocumentContentResponse"]> {
    return this.caller.get(path`/v1/documents/${id}/content`, undefined, options);
  }

  chunks(id: string, fields?: PageFields, options?: RequestOptions): Pages<Schemas["Chunk"]> {
    return this.caller.list(path`/v1/documents/${id}/chunks`, fields, options);
  }

  /** Deletes the source with all its versions. */
  delete(id: string, options?: RequestOptions): Promise<Schemas["DeleteDocumentResponse"]> {
    return this.caller.send({ method: "DELETE", path: path`/v1/documents/${id}` }, options);
  }
}

/** The single steps of an upload. `documents.upload` takes them all. */
export class Uploads extends Resource {
  /** Announces a file. */
  create(
    fields: Fields<Schemas["CreateUpload"]>,
    options?: RequestOptions,
  ): Promise<Schemas["CreateUploadResponse"]> {
    const body = this.caller.scoped(fields);
    return this.caller.send({ method: "POST", path: "/v1/document-uploads", body }, options);
  }

  /**
   * Sends its content. `onSent` is called with the number of bytes sent so far; in browsers, only at
   * the start and at the end.
   */
  async put(
    id: string,
    file: FileContent,
    options: RequestOptions & { readonly onSent?: ((bytes: number) => void) | undefined } = {},
  ): Promise<void> {
    const blob = toBlob(file);
    const { onSent, timeout = CONTENT_TIMEOUT_MS } = options;
    const streams = onSent !== undefined && canSendStreams();
    const content = () => {
      if (streams) return streamWithProgress(blob, onSent);
      onSent?.(0);
      return blob;
    };
    const request = { method: "PUT", path: path`/v1/document-uploads/${id}/content`, content };
    await this.caller.send(request as typeof request & { method: "PUT" }, { ...options, timeout });
    if (!streams) onSent?.(blob.size);
  }

  /** Starts the extraction. */
  complete(id: string, options?: RequestOptions): Promise<Schemas["CompleteUploadResponse"]> {
    const request = { method: "POST", path: path`/v1/document-uploads/${id}/complete` } as const;
    return this.caller.send(request, options);
  }

  get(id: string, options?: RequestOptions): Promise<Schemas["GetUploadResponse"]> {
    return this.caller.get(path`/v1/document-uploads/${id}`, undefined, options);
  }

  /** Cancels an upload that isn't a document yet. */
  async delete(id: string, options?: RequestOptions): Promise<void> {
    await this.caller.send({ method: "DELETE", path: path`/v1/document-uploads/${id}` }, options);
  }
}

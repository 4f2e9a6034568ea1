/** Exports and imports: snapshots of a whole project, and files of other products. */

import {
  type Caller,
  Resource,
  type Schemas,
  type Scope,
  type WaitOptions,
  withoutUndefined,
} from "./caller.ts";
import { path, type RequestOptions, TRANSFER_TIMEOUT_MS } from "./http.ts";
import type { Operations } from "./operations.ts";
import { type FileContent, toBlob } from "./upload.ts";

type Operation = Schemas["Operation"];
type Snapshot = Schemas["Snapshot"];

/** Which of its records a file of another product becomes. */
export interface ImportFields extends Scope {
  /** Whether facts are extracted from memories and conversations. Defaults to false. */
  readonly infer?: boolean;
  /** Name of the file, for formats that read single notes. A `File` has its own. */
  readonly filename?: string;
}

/** Options of an export or import that is waited for. */
export interface TransferOptions extends WaitOptions<Operation> {
  readonly idempotencyKey?: string | undefined;
}

export class Exports extends Resource {
  readonly #operations: Operations;

  constructor(caller: Caller, operations: Operations) {
    super(caller);
    this.#operations = operations;
  }

  /** Starts an export. The result of the operation is the snapshot. */
  create(options?: RequestOptions): Promise<Operation> {
    return this.caller.send({ method: "POST", path: "/v1/exports" }, options);
  }

  /** Starts an export in an open format. `operations.file` returns its archive. */
  file(format: Schemas["ExportFormat"], options?: RequestOptions): Promise<Operation> {
    return this.caller.send({ method: "POST", path: path`/v1/exports/${format}` }, options);
  }

  /** Exports the project and returns its snapshot. */
  async load({ idempotencyKey, ...waiting }: TransferOptions = {}): Promise<Snapshot> {
    const operation = await this.create({ idempotencyKey, signal: waiting.signal });
    const { result } = await this.#operations.wait(operation, waiting);
    return result as unknown as Snapshot;
  }
}

export class Imports extends Resource {
  readonly #operations: Operations;

  constructor(caller: Caller, operations: Operations) {
    super(caller);
    this.#operations = operations;
  }

  /** Starts an import into the key's project, which must be empty. */
  create(snapshot: Snapshot, options?: RequestOptions): Promise<Operation> {
    const request = { method: "POST", path: "/v1/imports", body: { snapshot } } as const;
    return this.caller.send(request, { timeout: TRANSFER_TIMEOUT_MS, ...options });
  }

  /** Imports a snapshot and waits until its records are there. */
  async load(
    snapshot: Snapshot,
    { idempotencyKey, ...waiting }: TransferOptions = {},
  ): Promise<Operation> {
    const operation = await this.create(snapshot, { idempotencyKey, signal: waiting.signal });
    return this.#operations.wait(operation, waiting);
  }

  /** Starts an import of a file of another product. Its records are added to the project. */
  file(
    format: Schemas["ImportFormat"],
    file: FileContent,
    fields?: ImportFields,
    options?: RequestOptions,
  ): Promise<Operation> {
    return this.#send(format, file, { ...fields }, options);
  }

  /** Reports what an import of a file would do, and changes nothing. */
  report(
    format: Schemas["ImportFormat"],
    file: FileContent,
    fields?: ImportFields,
    options?: RequestOptions,
  ): Promise<Schemas["ImportReport"]> {
    return this.#send(format, file, { ...fields, dry_run: true }, options);
  }

  #send<T>(format: string, file: FileContent, fields: object, options?: RequestOptions) {
    const blob = toBlob(file);
    const filename = file instanceof File ? file.name : undefined;
    const request = {
      method: "POST",
      path: path`/v1/imports/${format}`,
      query: this.caller.scoped({ filename, ...withoutUndefined(fields) }),
      content: () => blob,
    } as const;
    return this.caller.send<T>(request, { timeout: TRANSFER_TIMEOUT_MS, ...options });
  }
}

/**
 * A client that stores documents: ingests, replaces and removes them, uploads files, and runs
 * exports.
 */

import {
  encodeRequest,
  HttpConnection,
  type HttpReply,
  parseJson,
} from "../../testing/http_connection.ts";
import type { SeededRandom } from "../../testing/seeded_random.ts";
import { SERVER_KEY } from "../../testing/server_process.ts";
import { Archive, type ArchiveEntry, documentText, type FoundArchive } from "./archive.ts";
import type { WorkOptions } from "./client.ts";
import {
  isConnectionLost,
  RefusedError,
  replyText,
  throwIfRefused,
  throwIfStopping,
  waitForSuccess,
} from "./responses.ts";
import { describeFile, fileBytes } from "./upload_files.ts";
import { Violation } from "./violation.ts";

const SOURCE_COUNT = 4;

/** How many sections a version has. Most have few, but some have more than fit into one batch. */
const SECTION_COUNTS = { few: 8, many: 90, chanceOfMany: 0.06 } as const;

/** A request without its authorization. */
interface ArchiveRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly status: number;
  readonly key?: string;
}

/** What an archivist does in one step. */
export type ArchiveStep = "ingest" | "remove" | "upload" | "export";

export class Archivist {
  readonly #archive: Archive;
  readonly #random: SeededRandom;
  readonly #onNote: (note: ArchiveEntry) => void;
  /** Steps to take before the random ones. */
  readonly #script: ArchiveStep[];
  /** Ids of announced uploads, keyed by file name. */
  readonly #ids = new Map<string, string>();
  #serial = 0;
  #restoreStorage: (() => unknown) | undefined;

  constructor(
    name: string,
    random: SeededRandom,
    onNote: (note: ArchiveEntry) => void = () => {},
    script: readonly ArchiveStep[] = [],
  ) {
    this.#script = [...script];
    this.#archive = new Archive(name);
    this.#random = random;
    this.#onNote = onNote;
  }

  /**
   * Works until the server is gone.
   *
   * @throws Violation if a response is impossible
   */
  async work(
    url: string,
    options: WorkOptions,
  ): Promise<void> {
    const { onAcknowledged, onRefused, onCutOff, shouldContinue = () => true } = options;
    let connection: HttpConnection | undefined;
    this.#restoreStorage = options.restoreStorage;
    try {
      connection = await HttpConnection.open(url);
      while (shouldContinue()) {
        const refusal = await this.#refusalOf(this.#step(connection));
        if (refusal !== null && onRefused !== undefined) await onRefused(refusal);
        else onAcknowledged();
      }
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      onCutOff?.(error);
    } finally {
      connection?.close();
    }
  }

  /**
   * Compares what the archivist knows with the state found after a crash.
   *
   * @throws Violation if the two differ
   */
  verify(found: FoundArchive): void {
    this.#archive.verify(found);
    for (const [name, { id }] of found.uploads) this.#ids.set(name, id);
  }

  /** Waits for a step. Returns the error if the service refused it, so that nothing has changed. */
  async #refusalOf(step: Promise<void>): Promise<RefusedError | null> {
    try {
      await step;
      return null;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      this.#note({ refused: true });
      return error;
    }
  }

  async #step(connection: HttpConnection): Promise<void> {
    const step = this.#script.shift() ?? this.#draw();
    if (step === "ingest") return await this.#ingest(connection);
    if (step === "remove") return await this.#remove(connection);
    if (step === "upload") return await this.#upload(connection);
    const { id } = await this.#send(connection, {
      method: "POST",
      path: "/v1/exports",
      key: this.#uniqueName("export"),
      status: 202,
    });
    this.#note({ accepted: id });
    await waitForSuccess(connection, id, this.#restoreStorage);
  }

  #draw(): ArchiveStep {
    const drawn = this.#random.next();
    if (drawn < 0.76) return "ingest";
    if (drawn < 0.84) return "remove";
    return drawn < 0.97 ? "upload" : "export";
  }

  async #ingest(connection: HttpConnection): Promise<void> {
    const source = `${this.#archive.name}s${this.#random.below(SOURCE_COUNT)}`;
    const parts = this.#random.chance(SECTION_COUNTS.chanceOfMany)
      ? SECTION_COUNTS.many
      : 1 + this.#random.below(SECTION_COUNTS.few);
    const becomes = { number: this.#serial++, parts };
    this.#note({ source, becomes });
    const body = {
      source_key: source,
      content: documentText(source, becomes),
      user_id: `${this.#archive.name}-reader`,
    };
    await this.#send(connection, { method: "POST", path: "/v1/documents", body, status: 200 });
    this.#note({ became: source });
  }

  async #remove(connection: HttpConnection): Promise<void> {
    const existing = [...this.#archive.versions].filter(([, version]) => version !== null);
    const [source] = this.#random.pick(existing) ?? [];
    if (source === undefined) return;
    const path = `/v1/documents?source_key=${source}`;
    const { results } = await this.#send(connection, { method: "GET", path, status: 200 });
    this.#note({ source, becomes: null });
    const { id } = results[0];
    await this.#send(connection, { method: "DELETE", path: `/v1/documents/${id}`, status: 200 });
    this.#note({ became: source });
  }

  /** Takes an incomplete upload's next step, or announces a new upload. */
  async #upload(connection: HttpConnection): Promise<void> {
    const incomplete = [...this.#archive.uploads].find(([, stage]) => stage < 3);
    const name = incomplete?.[0] ?? this.#uniqueName("u");
    const stage = incomplete?.[1] ?? 0;
    this.#note({ upload: name, takes: stage + 1 });
    const bytes = await fileBytes(name);
    const path = `/v1/document-uploads/${this.#ids.get(name)}`;
    if (stage === 0) {
      const body = {
        ...describeFile(name),
        source_key: name,
        size_bytes: bytes.length,
        user_id: `${this.#archive.name}-reader`,
      };
      const announcement = { method: "POST", path: "/v1/document-uploads", body, status: 200 };
      const { source_asset } = await this.#send(connection, {
        ...announcement,
        key: `announce-${name}`,
      });
      this.#ids.set(name, source_asset.id);
    } else if (stage === 1) {
      await this.#send(connection, {
        method: "PUT",
        path: `${path}/content`,
        body: bytes,
        status: 204,
      });
    } else await this.#send(connection, { method: "POST", path: `${path}/complete`, status: 202 });
    this.#note({ took: name });
  }

  async #send(
    connection: HttpConnection,
    { method, path, body, status, key }: ArchiveRequest,
    // deno-lint-ignore no-explicit-any -- callers know the shape of the response
  ): Promise<any> {
    const headers = {
      authorization: `Bearer ${SERVER_KEY}`,
      ...(key === undefined ? {} : { "idempotency-key": key }),
    };
    const reply: HttpReply = await connection.send(encodeRequest(method, path, headers, body));
    throwIfStopping(reply);
    if (this.#restoreStorage !== undefined && reply.status !== status) throwIfRefused(reply);
    if (reply.status !== status) {
      throw new Violation(`${method} ${path} returned ${reply.status}: ${replyText(reply)}`);
    }
    return reply.body.length === 0 ? undefined : parseJson(reply);
  }

  #uniqueName(prefix: string): string {
    return `${this.#archive.name}${prefix}${this.#serial++}`;
  }

  #note(note: ArchiveEntry): void {
    this.#archive.record(note);
    this.#onNote(note);
  }
}

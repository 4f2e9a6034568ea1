/** The client of a Commonplace service. */

import { Caller, type Schemas, withoutUndefined } from "./caller.ts";
import { Documents, Uploads } from "./documents.ts";
import { CommonplaceError } from "./errors.ts";
import { headerOf, type RequestOptions } from "./http.ts";
import { Feedback, Memories } from "./memories.ts";
import { Events, Operations } from "./operations.ts";
import { Exports, Imports } from "./snapshots.ts";
import { Beliefs, type ContextFields, Entities, InferenceEngine, Profile, State } from "./views.ts";

const DEFAULT_URL = "http://127.0.0.1:8420";
const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_RETRIES = 4;

/** Options of the client. */
export interface ClientOptions {
  /** Defaults to `COMMONPLACE_URL`, or to a service on this machine. */
  readonly baseUrl?: string | undefined;
  /**
   * Defaults to `COMMONPLACE_API_KEY`. Null sends none, for a proxy that adds it: keys don't belong
   * in browsers.
   */
  readonly apiKey?: string | null | undefined;
  /** Scope of all calls that don't have their own. */
  readonly userId?: string | null | undefined;
  readonly agentId?: string | null | undefined;
  readonly runId?: string | null | undefined;
  /** Milliseconds that a request may take without receiving anything. Defaults to 30,000. */
  readonly timeout?: number | undefined;
  /** Attempts after the first one, if a retry is safe and can help. Defaults to 4. */
  readonly maxRetries?: number | undefined;
  /** Sends the requests. Defaults to the runtime's own `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/**
 * A client. Methods take the API's own field names, then `{ signal, timeout, … }`.
 *
 * ```ts
 * const client = new Commonplace({ userId: "ana" });
 * await client.memories.add("The spare key is with Ben.");
 * const { text } = await client.context("Who has the spare key?");
 * ```
 */
export class Commonplace {
  readonly memories: Memories;
  readonly feedback: Feedback;
  readonly documents: Documents;
  readonly uploads: Uploads;
  readonly operations: Operations;
  readonly events: Events;
  readonly entities: Entities;
  readonly state: State;
  readonly beliefs: Beliefs;
  readonly profile: Profile;
  readonly inference: InferenceEngine;
  readonly exports: Exports;
  readonly imports: Imports;
  readonly #caller: Caller;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions = {}) {
    const apiKey = options.apiKey === undefined
      ? environment("COMMONPLACE_API_KEY")
      : options.apiKey;
    if (apiKey === undefined || apiKey?.trim() === "") {
      throw new CommonplaceError("Expected apiKey or COMMONPLACE_API_KEY, or apiKey: null");
    }
    const baseUrl = (options.baseUrl ?? environment("COMMONPLACE_URL") ?? DEFAULT_URL).trim();
    checkBaseUrl(baseUrl, options.fetch !== undefined || globalThis.location !== undefined);
    this.#options = { ...options, apiKey, baseUrl };
    const caller = new Caller({
      baseUrl: baseUrl.replace(/(\/v1)?\/*$/, ""),
      apiKey: apiKey && headerOf("apiKey", apiKey),
      timeout: options.timeout ?? DEFAULT_TIMEOUT_MS,
      maxRetries: options.maxRetries ?? DEFAULT_MAX_RETRIES,
      // Browsers refuse to call `fetch` as a method of another object.
      fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    }, { user_id: options.userId, agent_id: options.agentId, run_id: options.runId });
    this.#caller = caller;
    this.operations = new Operations(caller);
    this.events = new Events(caller);
    this.memories = new Memories(caller, this.events);
    this.feedback = new Feedback(caller);
    this.uploads = new Uploads(caller);
    this.documents = new Documents(caller, this.operations, this.uploads);
    this.entities = new Entities(caller);
    this.state = new State(caller);
    this.beliefs = new Beliefs(caller);
    this.profile = new Profile(caller);
    this.inference = new InferenceEngine(caller);
    this.exports = new Exports(caller, this.operations);
    this.imports = new Imports(caller, this.operations);
  }

  /** Returns a client with other options, e.g. `with({ userId: "ben" })`. Null removes a scope. */
  with(options: ClientOptions): Commonplace {
    const client = new Commonplace({ ...this.#options, ...withoutUndefined(options) });
    if (client.#options.baseUrl === this.#options.baseUrl) {
      client.#caller.shareAddress(this.#caller);
    }
    return client;
  }

  /** Returns what is relevant to a query as one text for a prompt, within a budget of tokens. */
  context(
    query: string,
    fields?: ContextFields,
    options?: RequestOptions,
  ): Promise<Schemas["Context"]> {
    const body = this.#caller.scoped({ ...fields, query });
    return this.#caller.send({ method: "POST", path: "/v1/context", body, reads: true }, options);
  }

  health(options?: RequestOptions): Promise<Schemas["Health"]> {
    return this.#caller.get("/v1/health", undefined, options);
  }

  /** Returns the service's OpenAPI document. */
  openapi(options?: RequestOptions): Promise<Record<string, unknown>> {
    return this.#caller.get("/v1/openapi.json", undefined, options);
  }
}

/**
 * Throws if an address can't be called.
 *
 * @param canBeRelative whether there is a page that it can be relative to
 */
function checkBaseUrl(baseUrl: string, canBeRelative: boolean): void {
  let protocol = "";
  try {
    protocol = new URL(baseUrl, canBeRelative ? DEFAULT_URL : undefined).protocol;
  } catch {
    // Not an address.
  }
  if (protocol === "http:" || protocol === "https:") return;
  throw new CommonplaceError(`Expected baseUrl to be like ${DEFAULT_URL}, received "${baseUrl}"`);
}

/** Returns an environment variable, on runtimes that have them and allow reading it. */
function environment(name: string): string | undefined {
  const { process } = globalThis as {
    process?: { env?: Record<string, string | undefined> };
  };
  try {
    return process?.env?.[name] || undefined;
  } catch {
    // Deno without permission to read the environment.
    return undefined;
  }
}

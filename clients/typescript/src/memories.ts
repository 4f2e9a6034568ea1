/** Memories: adding, finding, changing. */

import {
  type Caller,
  type Fields,
  type PageFields,
  Resource,
  type Schemas,
  type Scope,
  type WaitOptions,
} from "./caller.ts";
import { path, type RequestOptions } from "./http.ts";
import type { Events } from "./operations.ts";
import { type Page, Pages } from "./pages.ts";

type Memory = Schemas["Memory"];
type Operation = Schemas["Operation"];

/** A text, or the messages of a conversation. */
export type Content = string | readonly Schemas["Message"][];

export type AddFields = Fields<Schemas["AddMemories"], "content" | "messages" | "infer">;
export type InferFields = Omit<AddFields, "memory_type" | "importance">;
export type SearchFields = Fields<Schemas["SearchMemories"], "query">;
export type QueryFields = Fields<Schemas["QueryMemories"]>;
export type ListFields = Scope & PageFields;

/** An inferred add that was accepted. Its facts are extracted in the background. */
export class Inference {
  readonly #events: Events;

  constructor(events: Events, readonly event_id: string) {
    this.#events = events;
  }

  /** Returns the event in its present state. */
  get(options?: RequestOptions): Promise<Schemas["InferenceEvent"]> {
    return this.#events.get(this.event_id, options);
  }

  /** Waits until the facts are stored. See `events.wait`. */
  wait(options?: WaitOptions<Schemas["InferenceEvent"]>): Promise<Schemas["InferenceEvent"]> {
    return this.#events.wait(this.event_id, options);
  }
}

/** An inferred add that can be waited for directly: `await memories.infer(…).wait()`. */
export type PendingInference = Promise<Inference> & Pick<Inference, "wait">;

export class Memories extends Resource {
  readonly #events: Events;

  constructor(caller: Caller, events: Events) {
    super(caller);
    this.#events = events;
  }

  /** Stores a text, or each message, word for word. Resolves once they are on disk. */
  async add(
    content: Content,
    fields?: AddFields,
    options?: RequestOptions,
  ): Promise<Schemas["WriteResult"][]> {
    const body = this.#addition(content, { ...fields, infer: false });
    const request = { method: "POST", path: "/v1/memories", body } as const;
    const { results } = await this.caller.send<Schemas["AddedMemories"]>(request, options);
    return results;
  }

  /** Has the facts extracted that are worth remembering. Resolves once the text is on disk. */
  infer(content: Content, fields?: InferFields, options?: RequestOptions): PendingInference {
    const body = this.#addition(content, { ...fields, infer: true });
    const request = { method: "POST", path: "/v1/memories", body } as const;
    const added = this.caller.send<Schemas["QueuedAdd"]>(request, options)
      .then(({ event_id }) => new Inference(this.#events, event_id));
    const wait: Inference["wait"] = async (waiting) =>
      (await added).wait({ signal: options?.signal, ...waiting });
    return Object.assign(added, { wait });
  }

  /** Finds memories by words and by meaning. */
  search(
    query: string,
    fields?: SearchFields,
    options?: RequestOptions,
  ): Promise<Schemas["SearchMemoriesResponse"]> {
    const body = this.caller.scoped({ ...fields, query });
    const path = "/v1/memories/search";
    return this.caller.send({ method: "POST", path, body, reads: true }, options);
  }

  /** Lists the memories that match a filter exactly, in a chosen order. */
  query(fields: QueryFields = {}, options?: RequestOptions): Pages<Memory> {
    const read = (cursor?: string) => {
      const body = this.caller.scoped({ ...fields, cursor });
      const path = "/v1/memories/query";
      return this.caller.send<Page<Memory>>({ method: "POST", path, body, reads: true }, options);
    };
    return new Pages(read, fields.cursor);
  }

  /** Lists memories, newest first. */
  list(fields?: ListFields, options?: RequestOptions): Pages<Memory> {
    return this.caller.list("/v1/memories", this.caller.scoped(fields), options);
  }

  get(id: string, options?: RequestOptions): Promise<Memory> {
    return this.caller.get(path`/v1/memories/${id}`, undefined, options);
  }

  /** Changes the given fields. `version` is the `updated_at` that was read. */
  update(
    id: string,
    body: Schemas["UpdateMemory"],
    options?: RequestOptions,
  ): Promise<Schemas["WriteResult"]> {
    return this.caller.send({ method: "PUT", path: path`/v1/memories/${id}`, body }, options);
  }

  delete(id: string, options?: RequestOptions): Promise<Schemas["WriteResult"]> {
    return this.caller.send({ method: "DELETE", path: path`/v1/memories/${id}` }, options);
  }

  /** Deletes every memory within a scope. */
  deleteScope(
    scope?: Scope,
    options?: RequestOptions,
  ): Promise<Schemas["DeleteMemoriesOfScopeResponse"]> {
    const query = this.caller.scoped(scope);
    return this.caller.send({ method: "DELETE", path: "/v1/memories", query }, options);
  }

  /** Lists what happened to a memory, oldest first. */
  history(
    id: string,
    fields?: PageFields,
    options?: RequestOptions,
  ): Pages<Schemas["HistoryRecord"]> {
    return this.caller.list(path`/v1/memories/${id}/history`, fields, options);
  }

  /** Changes up to 1,000 memories in one operation. */
  updateMany(
    memories: readonly Schemas["MemoryChange"][],
    options?: RequestOptions,
  ): Promise<Operation> {
    const request = { method: "PUT", path: "/v1/memories/batch", body: { memories } } as const;
    return this.caller.send(request, options);
  }

  /** Deletes up to 1,000 memories, by their ids, in one operation. */
  deleteMany(ids: readonly string[], options?: RequestOptions): Promise<Operation> {
    const body = { memories: ids.map((memory_id) => ({ memory_id })) };
    return this.caller.send({ method: "DELETE", path: "/v1/memories/batch", body }, options);
  }

  #addition(content: Content, fields: object): Record<string, unknown> {
    const text = typeof content === "string" ? { content } : { messages: content };
    return this.caller.scoped({ ...fields, ...text });
  }
}

/** Ratings of memories. */
export class Feedback extends Resource {
  /** Returns the present rating, or null if there is none. */
  async get(memoryId: string, options?: RequestOptions): Promise<Schemas["Feedback"] | null> {
    const response = await this.caller
      .get<Schemas["GetFeedbackResponse"]>(this.#path(memoryId), undefined, options);
    return response.feedback;
  }

  async give(
    memoryId: string,
    body: Schemas["GiveFeedback"],
    options?: RequestOptions,
  ): Promise<Schemas["Feedback"]> {
    const request = { method: "POST", path: this.#path(memoryId), body } as const;
    const response = await this.caller.send<Schemas["GiveFeedbackResponse"]>(request, options);
    return response.feedback;
  }

  async clear(memoryId: string, options?: RequestOptions): Promise<void> {
    await this.caller.send({ method: "DELETE", path: this.#path(memoryId) }, options);
  }

  #path(memoryId: string): string {
    return path`/v1/memories/${memoryId}/feedback`;
  }
}

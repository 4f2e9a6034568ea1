/** What can be read about a scope: context, state, beliefs, profile, entities, inference. */

import { type Fields, type PageFields, Resource, type Schemas, type Scope } from "./caller.ts";
import { path, type RequestOptions } from "./http.ts";
import type { Pages } from "./pages.ts";

type Entity = Schemas["Entity"];
type EntityType = Schemas["EntityType"];

export type ContextFields = Fields<Schemas["GetContext"], "query">;

/** Whose attribute to read. */
export interface StateFields extends Scope {
  readonly subject: string;
  readonly attribute: string;
  /** The time at which the value held. Defaults to now. */
  readonly as_of?: string;
}

export interface BeliefFields extends Scope {
  readonly subject: string;
  readonly attribute: string;
  readonly view?: "default" | "conflict" | "audit";
  readonly applicability_kind?: Schemas["ApplicabilityKind"];
  readonly applicability_key?: string;
  readonly at?: string;
  readonly all_applicability?: boolean;
}

/** Values of attributes, now and in the past. */
export class State extends Resource {
  /** Returns the value, or null if there is none. */
  async get(
    fields: StateFields,
    options?: RequestOptions,
  ): Promise<Schemas["StateRecord"] | null> {
    const response = await this.caller
      .get<Schemas["GetStateResponse"]>("/v1/state", this.caller.scoped(fields), options);
    return response.data;
  }

  /** Returns all values, oldest first. */
  async history(
    fields: StateFields,
    options?: RequestOptions,
  ): Promise<Schemas["StateRecord"][]> {
    const query = this.caller.scoped(fields);
    const response = await this.caller
      .get<Schemas["GetStateHistoryResponse"]>("/v1/state/history", query, options);
    return response.data;
  }
}

/** Values with the evidence for and against them. */
export class Beliefs extends Resource {
  async get(fields: BeliefFields, options?: RequestOptions): Promise<Schemas["BeliefView"]> {
    const response = await this.caller
      .get<Schemas["GetBeliefsResponse"]>("/v1/beliefs", this.caller.scoped(fields), options);
    return response.data;
  }
}

/** Everything that is known about a scope, as a text. */
export class Profile extends Resource {
  /** Returns the complete profile, or null if nothing is known. */
  async get(scope?: Scope, options?: RequestOptions): Promise<string | null> {
    const response = await this.caller
      .get<{ data: string | null }>("/v1/profile", this.caller.scoped(scope), options);
    return response.data;
  }

  /** Returns the sections that fit a query best. */
  async search(
    query: string,
    fields?: Scope & { readonly limit?: number },
    options?: RequestOptions,
  ): Promise<Schemas["ProfileSection"][]> {
    const response = await this.caller.get<{ data: Schemas["ProfileSection"][] }>(
      "/v1/profile",
      this.caller.scoped({ ...fields, query }),
      options,
    );
    return response.data;
  }
}

/** Users, agents and runs that have memories. */
export class Entities extends Resource {
  list(
    fields?: PageFields & { readonly type?: EntityType },
    options?: RequestOptions,
  ): Pages<Entity> {
    return this.caller.list("/v1/entities", fields, options);
  }

  get(type: EntityType, id: string, options?: RequestOptions): Promise<Entity> {
    return this.caller.get(path`/v1/entities/${type}/${id}`, undefined, options);
  }

  /** Deletes all memories of an entity. */
  delete(
    type: EntityType,
    id: string,
    options?: RequestOptions,
  ): Promise<Schemas["DeleteEntityResponse"]> {
    return this.caller.send(
      { method: "DELETE", path: path`/v1/entities/${type}/${id}` },
      options,
    );
  }
}

/** How inference reads texts. */
export class InferenceEngine extends Resource {
  /** Shows what an inferred add of a text would store, and why. Stores nothing. */
  explain(text: string, options?: RequestOptions): Promise<Schemas["InferenceExplanation"]> {
    const request = { method: "POST", path: "/v1/inference/explain", body: { text } } as const;
    return this.caller.send({ ...request, reads: true }, options);
  }

  /** Lists the texts that couldn't be read. */
  unread(fields?: PageFields, options?: RequestOptions): Pages<Schemas["UnreadText"]> {
    return this.caller.list("/v1/inference/unread", fields, options);
  }
}

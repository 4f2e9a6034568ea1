/** The entities that own memories: users, agents, apps and runs. */

import { z } from "zod";
import { scopeValue } from "../../contract/fields.ts";

/** The names of the entities, in the order of mem0's documentation. */
export const ENTITY_KEYS = ["user_id", "agent_id", "app_id", "run_id"] as const;

/** Entities named in a request. An app isn't a scope of the API: its id is stored as metadata. */
export interface Entities {
  readonly user_id?: string | undefined;
  readonly agent_id?: string | undefined;
  readonly app_id?: string | undefined;
  readonly run_id?: string | undefined;
}

/** Returns the entities that are set. */
export function entitiesOf(fields: Entities | undefined): Entities {
  const keys = ENTITY_KEYS.filter((key) => fields?.[key] !== undefined);
  return Object.fromEntries(keys.map((key) => [key, fields![key]]));
}

/** Returns a schema that takes null like a missing value, since mem0's clients send both. */
export function nullable<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** An entity id. Some clients send numbers. */
const entityId = nullable(
  z.preprocess((value) => typeof value === "number" ? String(value) : value, scopeValue),
);

/** The four entities, each optional. */
export const entityFields = {
  user_id: entityId,
  agent_id: entityId,
  app_id: entityId,
  run_id: entityId,
};

/**
 * Entities inside `filters`, where version 3 of the clients puts them, also as text in a URL query.
 * Nothing else is allowed there.
 */
export const entityFilter = z.preprocess(parseFilterText, z.strictObject(entityFields));

/**
 * Parses a filter in a URL query. mem0's Python client writes it as Python writes a dictionary, with
 * single quotes. Anything else is returned unchanged, for the schema to reject.
 */
function parseFilterText(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const isPython = /^\{(?:'\w+': (?:'[^'\\"]*'|"[^"\\]*")(?:, )?)+\}$/.test(value);
  const json = isPython ? value.replaceAll(/'([^'"]*)'(?=[:,}])/g, '"$1"') : value;
  try {
    return JSON.parse(json);
  } catch {
    return value;
  }
}

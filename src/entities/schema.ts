/** Schemas for scope entities: the users, agents and runs that own memories. */

import { z } from "zod";
import { pageFields, pageOf, scopeValue, timestampOutput } from "../contract/fields.ts";

const entityType = z.enum(["user", "agent", "run"]).meta({ id: "EntityType" });

export const entitySchema = z.object({
  id: z.string(),
  type: entityType,
  total_memories: z.int(),
  created_at: timestampOutput,
  updated_at: timestampOutput,
}).meta({ id: "Entity" });

export type Entity = z.output<typeof entitySchema>;

export const entityQuery = z.object({ type: entityType.optional(), ...pageFields });
export const entityPage = pageOf(entitySchema);
export const entityParams = z.object({ type: entityType, id: scopeValue });

export const entityRemoved = z.object({
  id: z.string(),
  type: entityType,
  deleted_memories: z.int(),
});

/**
 * Request schemas of the mem0-compatible API. Fields are checked under the names that mem0's clients
 * use, so errors name the field that was sent.
 */

import { z } from "zod";
import {
  boundedText,
  jsonObject,
  memoryText,
  metadataField,
  nonBlankText,
  recordId,
  scopeValue,
  timestampField,
} from "../../contract/fields.ts";
import { normalizeTimestamp, timestamp } from "../../kernel/clock.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { entitiesOf, ENTITY_KEYS, entityFields, entityFilter, nullable } from "./entities.ts";

const calendarDate = z.string().refine(
  (text) => /^\d{4}-\d\d-\d\d$/.test(text) && normalizeTimestamp(text) !== null,
  "Must be a date like 2026-12-31",
);

/** Seconds since the Unix epoch, as a stored timestamp. Text is an ISO 8601 date or date-time. */
const moment = z.union([
  z.number().min(0).max(253_402_300_799).transform((seconds) => timestamp(seconds * 1_000)),
  timestampField,
], { error: "Must be Unix seconds or an ISO 8601 date" });

/** A text part of a message, or anything else, which is left out. */
const contentPart = z.looseObject({ type: z.string().optional(), text: z.unknown().optional() });

/** A message's content. Parts that aren't text, such as images, are left out and counted. */
const content = z.union([
  z.string(),
  z.null().transform(() => ""),
  z.array(z.union([z.string(), contentPart])).max(LIMITS.messages),
  contentPart.transform((part) => [part]),
], { error: "Must be text or a list of parts" });

const message = z.object({ role: z.string(), content });

/** The messages of an add. A text is one message of the user. */
const messages = z.preprocess(
  (value) => {
    if (typeof value === "string") return [{ role: "user", content: value }];
    return Array.isArray(value) || typeof value !== "object" || value === null ? value : [value];
  },
  z.array(message).min(1).max(LIMITS.messages),
);

export const addBody = z.object({
  messages,
  ...entityFields,
  filters: nullable(entityFilter),
  metadata: nullable(metadataField),
  infer: z.boolean().nullish().transform((infer) => infer ?? true),
  timestamp: nullable(moment),
  expiration_date: nullable(calendarDate),
}).loose();

export type AddBody = z.output<typeof addBody>;

/**
 * Returns a schema for a list, or text separated by commas. In a query, mem0's Python client repeats
 * the parameter for each item, and its TypeScript client separates the items by commas.
 */
function textList(items: z.ZodType<string[]>) {
  const split = (value: unknown) => typeof value === "string" ? value.split(",") : value;
  return nullable(z.preprocess(split, items));
}

/** Fields in the result. */
const fieldNames = textList(z.array(z.string().max(64)).max(50));

/** What both searches and lists select by. `filters` is checked once it's translated. */
const selection = {
  ...entityFields,
  filters: nullable(jsonObject),
  metadata: nullable(metadataField),
  categories: nullable(z.array(nonBlankText(LIMITS.scopeCharacters)).min(1).max(100)),
  fields: fieldNames,
  show_expired: z.boolean().nullish().transform((show) => show ?? false),
  latest_only: z.boolean().nullish().transform((latest) => latest ?? false),
};

const count = z.int().min(1).max(LIMITS.mem0Results);

export const searchBody = z.object({
  ...selection,
  query: nonBlankText(LIMITS.queryCharacters),
  top_k: nullable(count),
  limit: nullable(count),
  threshold: nullable(z.number().min(0).max(1)),
}).loose();

export type SearchBody = z.output<typeof searchBody>;

/** The first instant of a day, or the instant itself. */
const startDate = nullable(timestampField);

/** The last instant of a day, or the instant itself. */
const endDate = nullable(
  z.string().transform((text) => /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T23:59:59.999Z` : text)
    .pipe(timestampField),
);

const pageNumber = z.int().min(1).max(1_000_000);
const pageSize = z.int().min(1).max(LIMITS.mem0PageSize);

export const listBody = z.object({
  ...selection,
  start_date: startDate,
  end_date: endDate,
  keywords: nullable(nonBlankText(LIMITS.queryCharacters)),
  page: nullable(pageNumber),
  page_size: nullable(pageSize),
}).loose();

/** Returns a schema for a whole number in a URL query. */
function numberInQuery<Schema extends z.ZodType>(schema: Schema) {
  return nullable(
    z.preprocess(
      (value) => typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value,
      schema,
    ),
  );
}

/** Returns a schema for a boolean in a URL query. */
const booleanInQuery = z.enum(["true", "false", "True", "False", "1", "0"]).optional()
  .transform((text) => text !== undefined && ["true", "True", "1"].includes(text));

/** The page of a list, in a URL query. It takes precedence over the page in the body. */
export const pageQuery = z.object({
  page: numberInQuery(pageNumber),
  page_size: numberInQuery(pageSize),
});

/** The page of a list of entities. Without one, `reset` would see only some of them. */
export const entityPageQuery = z.object({
  page: numberInQuery(pageNumber),
  page_size: numberInQuery(z.int().min(1).max(LIMITS.mem0Entities)),
});

/** A list's selection in a URL query. */
export const listQuery = z.object({
  ...entityFields,
  fields: fieldNames,
  categories: textList(z.array(z.string())),
  keywords: nullable(nonBlankText(LIMITS.queryCharacters)),
  start_date: startDate,
  end_date: endDate,
  show_expired: booleanInQuery,
  latest_only: booleanInQuery,
  page: numberInQuery(pageNumber),
  page_size: numberInQuery(pageSize),
  limit: numberInQuery(count),
  top_k: numberInQuery(count),
});

/** What a list selects, from a URL query, a body, or both. */
export type ListRequest = Partial<
  z.output<typeof listBody> & Pick<z.output<typeof listQuery>, "limit" | "top_k">
>;

/** The owner of the memories to delete. At least one id is required, and no wildcard is allowed. */
export const deleteQuery = z.object({ ...entityFields, filters: nullable(entityFilter) })
  .transform(({ filters, ...fields }) => ({ ...entitiesOf(filters), ...entitiesOf(fields) }))
  .superRefine((entities, context) => {
    if (ENTITY_KEYS.every((key) => entities[key] === undefined)) {
      context.addIssue({
        code: "custom",
        path: ["user_id"],
        message: `At least one of ${ENTITY_KEYS.join(", ")} is required`,
      });
    }
    for (const key of ENTITY_KEYS) {
      if (entities[key] !== "*") continue;
      const message = "Wildcards aren't allowed here; delete each user, agent and run instead";
      context.addIssue({ code: "custom", path: [key], message });
    }
  });

/** The fields that an update can change. `null` clears the expiration date. */
const changes = {
  text: nullable(memoryText),
  metadata: nullable(metadataField),
  expiration_date: calendarDate.nullable().optional(),
};

/** Fields of an update, once validated. */
export interface MemoryChanges {
  readonly text?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly expiration_date?: string | null | undefined;
}

function hasChange(fields: MemoryChanges): boolean {
  return Object.keys(changes).some((key) => fields[key as keyof MemoryChanges] !== undefined);
}

const CHANGE_REQUIRED = {
  message: `Pass at least one of ${Object.keys(changes).join(", ")}`,
  path: ["text"],
};

export const updateBody = z.object(changes).loose().refine(hasChange, CHANGE_REQUIRED);

const batchItems = <Item extends { readonly memory_id: string }>(item: z.ZodType<Item>) =>
  z.object({
    memories: z.array(item).min(1).max(LIMITS.batchItems).superRefine((items, context) => {
      const ids = items.map(({ memory_id }) => memory_id);
      const repeated = ids.findIndex((id, index) => ids.indexOf(id) < index);
      if (repeated < 0) return;
      const message = `Must be unique; "${ids[repeated]}" appears more than once`;
      context.addIssue({ code: "custom", path: [repeated, "memory_id"], message });
    }),
  });

export const batchUpdateBody = batchItems(
  z.object({ memory_id: recordId, ...changes }).refine(hasChange, CHANGE_REQUIRED),
);
export const batchDeleteBody = batchItems(z.object({ memory_id: recordId }));

export const memoryParams = z.object({ id: z.string() });
export const deleteMemoryQuery = z.object({ delete_linked: booleanInQuery });

export const entityParams = z.object({
  type: z.enum(["user", "agent", "app", "run"]),
  // In a filter, "*" means any value.
  id: scopeValue.refine((id) => id !== "*", "Wildcards aren't allowed here; name one entity"),
});

export const feedbackBody = z.object({
  memory_id: recordId,
  feedback: z.preprocess(
    (value) => typeof value === "string" ? value.toUpperCase() : value,
    z.enum(["POSITIVE", "NEGATIVE", "VERY_NEGATIVE"]).nullable().default(null),
  ),
  feedback_reason: nullable(boundedText(LIMITS.feedbackReasonCharacters)),
});

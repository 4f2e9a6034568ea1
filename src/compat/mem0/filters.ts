/** Translates mem0's filters into those of the API. */

import { type Clock, timestamp } from "../../kernel/clock.ts";
import { compileFilter, isObject, type JsonObject } from "../../search/query/filter.ts";
import { type Entities, entitiesOf, ENTITY_KEYS } from "./entities.ts";

/** Fields of mem0's filters that have another name in the API. */
const FIELD_NAMES: ReadonlyMap<string, string> = new Map([
  ["app_id", "metadata.app_id"],
  ["categories", "metadata.categories"],
  ["expiration_date", "metadata.expiration_date"],
  ["keywords", "memory"],
  ["memory_ids", "id"],
  ["session_id", "run_id"],
  ["text", "memory"],
  ["timestamp", "event_date"],
]);

const LOGIC = new Set(["AND", "OR", "NOT", "and", "or", "not"]);

/** What a search or a list selects by. */
export interface Selection extends Entities {
  readonly filters?: JsonObject | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly categories?: readonly string[] | undefined;
  readonly keywords?: string | undefined;
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly show_expired?: boolean | undefined;
  readonly latest_only?: boolean | undefined;
}

/** Scopes and a filter, as the API takes them. */
export interface TranslatedSelection {
  readonly user_id?: string | undefined;
  readonly agent_id?: string | undefined;
  readonly run_id?: string | undefined;
  readonly filters?: JsonObject;
}

/**
 * Translates a selection. A user, agent or run that every result must belong to becomes a scope,
 * since searches are fastest within a scope.
 *
 * @throws {ApiError} INVALID_REQUEST with the path of the problem if the filter is invalid
 */
export function translateSelection(selection: Selection, clock: Clock): TranslatedSelection {
  const given = translateFilter(selection.filters ?? {}) as JsonObject;
  compileFilter(given);
  const { app_id, ...named } = entitiesOf(selection);
  const { scopes, rest } = splitScopes(given);
  const conditions = [
    ...scopeConflicts(scopes, named),
    ...(app_id === undefined ? [] : [{ "metadata.app_id": app_id }]),
    ...otherConditions(selection, clock),
  ];
  const filters = conditions.length === 0 ? rest : withConditions(rest, conditions);
  compileFilter(filters);
  return {
    ...scopes,
    ...named,
    ...(Object.keys(filters).length === 0 ? {} : { filters }),
  };
}

function translateFilter(filter: unknown): unknown {
  if (!isObject(filter)) return filter;
  const translated = new Map<string, unknown>();
  const repeated: JsonObject[] = [];
  for (const [key, value] of Object.entries(filter)) {
    const [name, condition] = translateEntry(key, value);
    // Two of mem0's fields can have the same name here, and both conditions must match.
    if (translated.has(name)) repeated.push({ [name]: condition });
    else translated.set(name, condition);
  }
  const fields = Object.fromEntries(translated);
  return repeated.length === 0 ? fields : withConditions(fields, repeated);
}

function translateEntry(key: string, value: unknown): readonly [name: string, condition: unknown] {
  if (LOGIC.has(key)) {
    return [key, Array.isArray(value) ? value.map(translateFilter) : translateFilter(value)];
  }
  if (key === "metadata") return [key, value];
  const isEntity = (ENTITY_KEYS as readonly string[]).includes(key);
  return [FIELD_NAMES.get(key) ?? key, translateCondition(key, isEntity, value)];
}

/** Translates a condition: a bare list means any of its values, and entity ids are text. */
function translateCondition(key: string, isEntity: boolean, condition: unknown): unknown {
  if (Array.isArray(condition)) {
    return translateCondition(key, isEntity, { in: condition });
  }
  if (!isObject(condition)) return isEntity ? idText(condition) : condition;
  return Object.fromEntries(
    Object.entries(condition).map(([operator, operand]) => {
      if (isEntity) {
        return [operator, Array.isArray(operand) ? operand.map(idText) : idText(operand)];
      }
      return [key === "categories" && operator === "contains" ? "icontains" : operator, operand];
    }),
  );
}

function idText(id: unknown): unknown {
  return typeof id === "number" ? String(id) : id;
}

type Scopes = Omit<Entities, "app_id">;

/** Takes the scopes that every result must have out of a filter. */
function splitScopes(filter: JsonObject): { scopes: Scopes; rest: JsonObject } {
  const scopes: Record<string, string> = {};
  const take = (part: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(part).filter(([key, value]) => {
        const isScope = ["user_id", "agent_id", "run_id"].includes(key) && !(key in scopes) &&
          typeof value === "string" && value !== "*";
        if (isScope) scopes[key] = value;
        return !isScope;
      }),
    );
  const { AND, ...own } = take(filter);
  if (!Array.isArray(AND)) return { scopes, rest: AND === undefined ? own : { AND, ...own } };
  const parts = AND.map((part) => take(part)).filter((part) => Object.keys(part).length > 0);
  return { scopes, rest: parts.length === 0 ? own : { ...own, AND: parts } };
}

/** Returns the scopes of a filter that the request also names, as conditions. */
function scopeConflicts(scopes: Scopes, named: Scopes): JsonObject[] {
  return Object.entries(scopes)
    .filter(([key, value]) => ![undefined, value].includes(named[key as keyof Scopes]))
    .map(([key, value]) => ({ [key]: value }));
}

function otherConditions(selection: Selection, clock: Clock): JsonObject[] {
  const { metadata, categories, keywords, start_date, end_date } = selection;
  const now = timestamp(clock.now());
  return [
    ...(metadata === undefined || Object.keys(metadata).length === 0 ? [] : [{ metadata }]),
    ...(categories === undefined ? [] : [{ "metadata.categories": { in: categories } }]),
    ...(keywords === undefined ? [] : [{ memory: { icontains: keywords } }]),
    ...(start_date === undefined ? [] : [{ created_at: { gte: start_date } }]),
    ...(end_date === undefined ? [] : [{ created_at: { lte: end_date } }]),
    ...(selection.latest_only ? [{ NOT: { valid_to: { lte: now } } }] : []),
    // A memory without a date never expires: a missing field isn't less than anything.
    ...(selection.show_expired ? [] : [{
      NOT: { "metadata.expiration_date": { lt: now.slice(0, 10) } },
    }]),
  ];
}

/** Adds conditions to a filter without nesting it more deeply, since depth is limited. */
function withConditions(filter: JsonObject, conditions: readonly JsonObject[]): JsonObject {
  const { AND = [], ...rest } = filter;
  return { ...rest, AND: [...Array.isArray(AND) ? AND : [AND], ...conditions] };
}

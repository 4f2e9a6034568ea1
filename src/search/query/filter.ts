/**
 * The filter language of memory search: a logical expression over a memory's fields and metadata,
 * checked once and compiled into a predicate. The grammar is the contract's (docs/filters.md).
 */

import { normalizeTimestamp } from "../../kernel/clock.ts";
import { invalidRequest, type Issue } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";

/** What a filter can see of a memory. */
export interface Filterable {
  readonly id: string;
  readonly memory: string;
  readonly memory_type: string;
  readonly importance: number;
  readonly user_id: string | null;
  readonly agent_id: string | null;
  readonly run_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly event_date: string | null;
  readonly valid_from: string | null;
  readonly valid_to: string | null;
  readonly metadata: unknown;
}

/** Whether a memory passes. */
export type Predicate = (memory: Filterable) => boolean;

/** An object of a request's JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;
type Scalar = string | number | boolean;

/** Those of them that are dates. */
export const DATE_FIELDS = [
  "created_at",
  "updated_at",
  "event_date",
  "valid_from",
  "valid_to",
] as const;
/** A memory's own fields. */
export const FIELDS: readonly string[] = [
  "id",
  "memory",
  "memory_type",
  "importance",
  "user_id",
  "agent_id",
  "run_id",
  ...DATE_FIELDS,
];

/** What joins filters, by how it may be written. */
export const LOGIC = {
  AND: "AND",
  OR: "OR",
  NOT: "NOT",
  and: "AND",
  or: "OR",
  not: "NOT",
} as const;

/** What a condition may ask of a field. */
export const OPERATORS: readonly string[] = [
  "eq",
  "ne",
  "gt",
  "gte",
  "lt",
  "lte",
  "in",
  "nin",
  "contains",
  "icontains",
  "exists",
];

/**
 * Compiles a filter.
 *
 * @param path how the request names it, for messages
 * @throws ApiError INVALID_REQUEST that names the place of the fault
 */
export function compileFilter(filter: unknown, path = "filters"): Predicate {
  return new Compiler().expression(filter, path, 1);
}

/** One pass over one filter; counts its conditions. */
class Compiler {
  #conditions = 0;

  expression(filter: unknown, path: string, level: number): Predicate {
    if (!isObject(filter)) throw filterError(path, "Must be an object");
    if (level > LIMITS.filterDepth) {
      throw filterError(path, `Must nest at most ${LIMITS.filterDepth} levels deep`);
    }
    const parts = Object.entries(filter).map(([key, value]) => {
      const here = `${path}.${key}`;
      if (Object.hasOwn(LOGIC, key)) {
        return this.#logic(LOGIC[key as keyof typeof LOGIC], value, here, level);
      }
      if (key === "metadata" && isObject(value)) return this.#nested([], value, here, level + 1);
      return this.#field(fieldReader(key, here), value, here);
    });
    return allOf(parts);
  }

  #logic(logic: "AND" | "OR" | "NOT", value: unknown, path: string, level: number): Predicate {
    const single = logic === "NOT" && isObject(value);
    const list = single ? [value] : value;
    if (!Array.isArray(list) || list.length === 0) {
      throw filterError(path, "Must be a list of at least one filter");
    }
    const parts = list.map((each, index) =>
      this.expression(each, single ? path : `${path}.${index}`, level + 1)
    );
    if (logic === "AND") return allOf(parts);
    const any: Predicate = (memory) => parts.some((part) => part(memory));
    return logic === "OR" ? any : (memory) => !any(memory);
  }

  /** Objects below `metadata`: keys lead deeper, until one holds a condition. */
  #nested(above: readonly string[], value: JsonObject, path: string, level: number): Predicate {
    if (level > LIMITS.filterDepth) {
      throw filterError(path, `Must nest at most ${LIMITS.filterDepth} levels deep`);
    }
    const parts = Object.entries(value).map(([key, below]) => {
      const here = `${path}.${key}`;
      const segments = [...above, ...pathSegments(key, here)];
      const operators = isObject(below)
        ? Object.keys(below).filter((name) => OPERATORS.includes(name)).length
        : 0;
      const deeper = isObject(below) && operators === 0 && Object.keys(below).length > 0;
      if (deeper) return this.#nested(segments, below as JsonObject, here, level + 1);
      return this.#field({ read: metadataReader(segments), isDate: false }, below, here);
    });
    return allOf(parts);
  }

  #field(field: Field, condition: unknown, path: string): Predicate {
    if (isObject(condition)) {
      const entries = Object.entries(condition);
      if (entries.length === 0) {
        throw filterError(path, `Must hold an operator: ${OPERATORS.join(", ")}`);
      }
      return allOf(entries.map(([operator, operand]) => {
        if (!OPERATORS.includes(operator)) {
          throw filterError(
            `${path}.${operator}`,
            `Unknown operator; known are ${OPERATORS.join(", ")}`,
          );
        }
        return this.#condition(field, operator, operand, `${path}.${operator}`);
      }));
    }
    if (condition === "*") return this.#condition(field, "exists", true, path);
    return this.#condition(field, "eq", condition, path);
  }

  #condition(field: Field, operator: string, operand: unknown, path: string): Predicate {
    if (++this.#conditions > LIMITS.filterConditions) {
      throw filterError(path, `At most ${LIMITS.filterConditions} conditions are possible`);
    }
    const test = operatorTest(operator, parseOperand(operator, operand, field.isDate, path));
    return (memory) => test(field.read(memory) ?? null);
  }
}

interface Field {
  readonly read: (memory: Filterable) => unknown;
  /** Dates are stored in one form, whose texts are in the order of the instants. */
  readonly isDate: boolean;
}

function fieldReader(name: string, path: string): Field {
  if (FIELDS.includes(name)) {
    const isDate = (DATE_FIELDS as readonly string[]).includes(name);
    return { read: (memory) => memory[name as keyof Filterable], isDate };
  }
  if (name === "metadata") return { read: (memory) => memory.metadata, isDate: false };
  const below = name.startsWith("metadata.") ? name.slice("metadata.".length) : name;
  return { read: metadataReader(pathSegments(below, path)), isDate: false };
}

function pathSegments(name: string, path: string): string[] {
  const segments = name.split(".");
  const maxCharacters = LIMITS.filterPathSegmentCharacters;
  // Counted in code points, as every limit of characters is.
  if (segments.some((segment) => segment === "" || Array.from(segment).length > maxCharacters)) {
    throw filterError(path, `Each part of a path must have 1 to ${maxCharacters} characters`);
  }
  return segments;
}

function metadataReader(segments: readonly string[]): Field["read"] {
  return (memory) =>
    segments.reduce<unknown>(
      (value, segment) =>
        isObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined,
      memory.metadata,
    );
}

/** Checks an operand against its operator; dates take the stored form. */
function parseOperand(
  operator: string,
  operand: unknown,
  isDate: boolean,
  path: string,
): unknown {
  if (operator === "exists") {
    if (typeof operand !== "boolean") throw filterError(path, "Must be true or false");
    return operand;
  }
  if (operator === "in" || operator === "nin") {
    const maxItems = LIMITS.filterListItems;
    if (!Array.isArray(operand) || operand.length < 1 || operand.length > maxItems) {
      throw filterError(path, `Must be a list of 1 to ${maxItems} values`);
    }
    return operand.map((each, index) => parseScalar(each, isDate, `${path}.${index}`));
  }
  if (operator === "contains" || operator === "icontains") {
    return operator === "icontains" ? parseText(operand, path) : parseScalar(operand, false, path);
  }
  if (operand === null && (operator === "eq" || operator === "ne")) return null;
  const value = parseScalar(operand, isDate, path);
  if (typeof value === "boolean" && operator !== "eq" && operator !== "ne") {
    throw filterError(path, "Must be a number or text");
  }
  return value;
}

function parseScalar(value: unknown, isDate: boolean, path: string): Scalar {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") {
    throw filterError(path, "Must be text, a number or a truth value");
  }
  if (!isDate || typeof value !== "string") return value;
  const stored = normalizeTimestamp(value);
  if (stored === null) throw filterError(path, "Must be an ISO 8601 date or date-time");
  return stored;
}

function parseText(value: unknown, path: string): string {
  if (typeof value !== "string") throw filterError(path, "Must be text");
  return value;
}

/** What an operator asks of a value; null stands for a field that is missing. */
function operatorTest(operator: string, operand: unknown): (value: unknown) => boolean {
  switch (operator) {
    case "eq":
      return operand === null ? (value) => value === null : (value) => equals(value, operand);
    case "ne":
      return operand === null ? (value) => value !== null : (value) => !equals(value, operand);
    case "in":
      return (value) => (operand as Scalar[]).some((each) => equals(value, each));
    case "nin":
      return (value) => !(operand as Scalar[]).some((each) => equals(value, each));
    case "exists":
      return (value) => (value !== null) === operand;
    case "contains":
      return (value) => contains(value, operand as Scalar);
    case "icontains":
      return (value) => containsIgnoringCase(value, (operand as string).toLowerCase());
    default:
      return (value) => matchesOrder(operator, value, operand as Scalar);
  }
}

/** Equality of one type; an array equals what it holds. */
function equals(value: unknown, operand: unknown): boolean {
  return Array.isArray(value) ? value.includes(operand) : value === operand;
}

function contains(value: unknown, operand: Scalar): boolean {
  if (Array.isArray(value)) return value.includes(operand);
  return typeof value === "string" && typeof operand === "string" && value.includes(operand);
}

function containsIgnoringCase(value: unknown, operand: string): boolean {
  const lower = (each: unknown) => typeof each === "string" ? each.toLowerCase() : undefined;
  if (Array.isArray(value)) return value.some((each) => lower(each) === operand);
  return lower(value)?.includes(operand) ?? false;
}

function matchesOrder(operator: string, value: unknown, operand: Scalar): boolean {
  if (value === null || typeof value !== typeof operand) return false;
  const left = value as Scalar;
  if (operator === "gt") return left > operand;
  if (operator === "gte") return left >= operand;
  return operator === "lt" ? left < operand : left <= operand;
}

function allOf(parts: readonly Predicate[]): Predicate {
  return (memory) => parts.every((part) => part(memory));
}

/** Whether a value of JSON is an object: no list, and not null. */
export function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function filterError(path: string, message: string) {
  const issue: Issue = { path, message };
  return invalidRequest([issue]);
}

/**
 * The filter language: logical expressions over the fields and metadata of memories or documents. A
 * filter is validated once and compiled into a predicate. See docs/filters.md for the grammar.
 */

import { normalizeTimestamp } from "../../kernel/clock.ts";
import { invalidRequest, type Issue } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import {
  type Filterable,
  type FilterFields,
  type FilterRecord,
  MEMORY_FIELDS,
} from "./filterable.ts";
import { OPERATORS, operatorTest, type Scalar } from "./filter_operators.ts";

/** Checks whether a record matches the filter. */
type Predicate = (record: FilterRecord) => boolean;

/** A JSON object in a request. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Logical operators, keyed by accepted spelling. */
export const LOGIC = {
  AND: "AND",
  OR: "OR",
  NOT: "NOT",
  and: "AND",
  or: "OR",
  not: "NOT",
} as const;

/**
 * Compiles a filter into a predicate.
 *
 * @param path where the filter is in the request, for error messages
 * @param fields fields of the records to match. Defaults to those of memories
 * @throws {ApiError} INVALID_REQUEST with the path of the problem if the filter is invalid
 *
 * @example
 * ```ts
 * import { compileFilter } from "./filter.ts";
 * import type { Filterable } from "./filterable.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * const matches = compileFilter({ memory_type: "goal", importance: { gte: 0.5 } });
 * strictEqual(matches({ memory_type: "goal", importance: 0.8 } as Filterable), true);
 * strictEqual(matches({ memory_type: "goal", importance: 0.2 } as Filterable), false);
 * ```
 */
export function compileFilter<Matched extends FilterRecord = Filterable>(
  filter: unknown,
  path = "filters",
  fields: FilterFields = MEMORY_FIELDS,
): (record: Matched) => boolean {
  return new Compiler(fields).expression(filter, path, 1);
}

/** Compiles a single filter and counts its conditions. */
class Compiler {
  readonly #fields: FilterFields;
  #conditions = 0;

  constructor(fields: FilterFields) {
    this.#fields = fields;
  }

  expression(filter: unknown, path: string, level: number): Predicate {
    if (!isObject(filter)) throw filterError(path, "Must be an object");
    if (level > LIMITS.filterDepth) {
      throw filterError(path, `Must nest at most ${LIMITS.filterDepth} levels deep`);
    }
    const entries = Object.entries(filter);
    if (entries.length === 0) this.#countCondition(path);
    const parts = entries.map(([key, value]) => {
      const entryPath = `${path}.${key}`;
      if (Object.hasOwn(LOGIC, key)) {
        return this.#logic(LOGIC[key as keyof typeof LOGIC], value, entryPath, level);
      }
      if (key === "metadata" && isObject(value)) {
        return this.#nested([], value, entryPath, level + 1);
      }
      return this.#field(fieldReader(this.#fields, key, entryPath), value, entryPath);
    });
    return allOf(parts);
  }

  #logic(logic: "AND" | "OR" | "NOT", value: unknown, path: string, level: number): Predicate {
    const single = logic === "NOT" && isObject(value);
    const list = single ? [value] : value;
    if (!Array.isArray(list) || list.length === 0) {
      throw filterError(path, "Must be a list of at least one filter");
    }
    const parts = list.map((item, index) =>
      this.expression(item, single ? path : `${path}.${index}`, level + 1)
    );
    if (logic === "AND") return allOf(parts);
    const any: Predicate = (record) => parts.some((part) => part(record));
    return logic === "OR" ? any : (record) => !any(record);
  }

  /**
   * Compiles an object inside `metadata`. Keys are path segments until a value turns out to be a
   * condition.
   */
  #nested(
    parentPath: readonly string[],
    value: JsonObject,
    path: string,
    level: number,
  ): Predicate {
    if (level > LIMITS.filterDepth) {
      throw filterError(path, `Must nest at most ${LIMITS.filterDepth} levels deep`);
    }
    const entries = Object.entries(value);
    if (entries.length === 0) this.#countCondition(path);
    const parts = entries.map(([key, child]) => {
      const entryPath = `${path}.${key}`;
      const segments = [...parentPath, ...pathSegments(key, entryPath)];
      const operators = isObject(child)
        ? Object.keys(child).filter((name) => OPERATORS.includes(name)).length
        : 0;
      const isNested = isObject(child) && operators === 0 && Object.keys(child).length > 0;
      if (isNested) return this.#nested(segments, child as JsonObject, entryPath, level + 1);
      return this.#field({ read: metadataReader(segments), isDate: false }, child, entryPath);
    });
    return allOf(parts);
  }

  #field(field: Field, condition: unknown, path: string): Predicate {
    if (isObject(condition)) {
      const entries = Object.entries(condition);
      if (entries.length === 0) {
        throw filterError(path, `Must have at least one operator: ${OPERATORS.join(", ")}`);
      }
      return allOf(entries.map(([operator, operand]) => {
        if (!OPERATORS.includes(operator)) {
          throw filterError(
            `${path}.${operator}`,
            `Unknown operator; expected one of ${OPERATORS.join(", ")}`,
          );
        }
        return this.#condition(field, operator, operand, `${path}.${operator}`);
      }));
    }
    if (condition === "*") return this.#condition(field, "exists", true, path);
    return this.#condition(field, "eq", condition, path);
  }

  #condition(field: Field, operator: string, operand: unknown, path: string): Predicate {
    this.#countCondition(path);
    const test = operatorTest(operator, parseOperand(operator, operand, field.isDate, path));
    return (record) => test(field.read(record) ?? null);
  }

  /** Counts a condition. An empty object is one too, so that the number of branches is limited. */
  #countCondition(path: string): void {
    if (++this.#conditions > LIMITS.filterConditions) {
      throw filterError(path, `Must have at most ${LIMITS.filterConditions} conditions`);
    }
  }
}

interface Field {
  readonly read: (record: FilterRecord) => unknown;
  /**
   * Whether the field is a date. All dates share a format that sorts chronologically as a string.
   */
  readonly isDate: boolean;
}

function fieldReader(fields: FilterFields, name: string, path: string): Field {
  if (fields.names.includes(name)) {
    const read = (record: FilterRecord) => (record as FilterRecord & JsonObject)[name];
    return { read, isDate: fields.dates.includes(name) };
  }
  if (name === "metadata") return { read: (record) => record.metadata, isDate: false };
  const metadataPath = name.startsWith("metadata.") ? name.slice("metadata.".length) : name;
  return { read: metadataReader(pathSegments(metadataPath, path)), isDate: false };
}

function pathSegments(name: string, path: string): string[] {
  const segments = name.split(".");
  const maxCharacters = LIMITS.filterPathSegmentCharacters;
  // Limits count code points rather than UTF-16 code units, like every character limit in the API.
  if (segments.some((segment) => segment === "" || Array.from(segment).length > maxCharacters)) {
    throw filterError(path, `Each segment of a path must have 1 to ${maxCharacters} characters`);
  }
  return segments;
}

function metadataReader(segments: readonly string[]): Field["read"] {
  return (record) =>
    segments.reduce<unknown>(
      (value, segment) =>
        isObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined,
      record.metadata,
    );
}

/**
 * Validates an operand for its operator and returns it. Dates are converted to the stored format.
 */
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
    return operand.map((item, index) => parseScalar(item, isDate, `${path}.${index}`));
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
    throw filterError(path, "Must be text, a number, true or false");
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

function allOf(parts: readonly Predicate[]): Predicate {
  return (record) => parts.every((part) => part(record));
}

/**
 * Checks whether a JSON value is an object, i.e. not an array or null.
 *
 * @example
 * ```ts
 * import { isObject } from "./filter.ts";
 * import { deepStrictEqual } from "node:assert/strict";
 *
 * deepStrictEqual([{ topic: "work" }, ["work"], null].map(isObject), [true, false, false]);
 * ```
 */
export function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function filterError(path: string, message: string) {
  const issue: Issue = { path, message };
  return invalidRequest([issue]);
}

/** Request fields that hold a filter. */

import { z } from "zod";
import { FREE_OBJECT } from "../../contract/json_schema.ts";
import { ApiError } from "../../kernel/errors.ts";
import { compileFilter } from "./filter.ts";
import type { FilterFields } from "./filterable.ts";

/**
 * Returns a schema for a filter in a JSON body. It is compiled only to report errors with the
 * request.
 *
 * @param id name in the OpenAPI document
 * @param fields fields of the records that it filters
 */
export function filterField(id: string, fields: FilterFields) {
  return z.unknown().superRefine((value, context) => checkFilter(value, fields, context)).meta({
    id,
    ...FREE_OBJECT,
    description:
      "Conditions on fields and metadata, combined with AND, OR and NOT; see docs/filters.md",
  });
}

/**
 * Returns a schema for a filter in a URL query, as JSON text.
 *
 * @param fields fields of the records that it filters
 */
export function filterParameter(fields: FilterFields) {
  return z.string().transform((text, context): unknown => {
    const filter = parseJson(text);
    if (filter !== undefined) {
      checkFilter(filter, fields, context);
      return filter;
    }
    context.addIssue({ code: "custom", message: "Must be JSON" });
    return z.NEVER;
  }).meta({ description: "A filter as JSON text; see docs/filters.md" });
}

function checkFilter(
  value: unknown,
  fields: FilterFields,
  context: z.RefinementCtx<unknown>,
): void {
  try {
    compileFilter(value, "filters", fields);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    for (
      const { path, message } of error.details?.["issues"] as { path: string; message: string }[]
    ) {
      context.addIssue({ code: "custom", message, path: path.split(".").slice(1) });
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

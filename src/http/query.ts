/** Parses the query of a request. */

import type { z } from "zod";
import { queryErrorMap } from "../contract/zod_messages.ts";
import { parseOrThrow } from "./execute_endpoint.ts";
import { checkQueryEncoding } from "./percent_encoding.ts";
import type { RequestContext } from "./request.ts";

/**
 * Parses a request's query with a schema. A repeated parameter is a list, so schemas of single
 * values reject it. Using one of its values would change something other than what was asked for.
 *
 * @throws ApiError INVALID_REQUEST that names each parameter that's invalid or can't be decoded
 */
export function parseQuery<T>(schema: z.ZodType<T>, c: RequestContext): T;
export function parseQuery(schema: z.ZodType | undefined, c: RequestContext): unknown;
export function parseQuery(schema: z.ZodType | undefined, c: RequestContext): unknown {
  if (schema === undefined) return undefined;
  checkQueryEncoding(c.req.url);
  const query = Object.fromEntries(
    Object.entries(c.req.queries()).map(([name, values]) => [
      name,
      values.length === 1 ? values[0] : values,
    ]),
  );
  return parseOrThrow(schema, query, queryErrorMap);
}

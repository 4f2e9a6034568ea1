/** The examples in the OpenAPI document, as recorded by `deno task docs:examples`. */

import recorded from "./openapi_examples.json" with { type: "json" };

/** A request that succeeded, and its response. Bodies that aren't JSON are left out. */
export interface OperationExample {
  readonly request?: unknown;
  readonly status: number;
  readonly response?: unknown;
}

/** One example per operation, keyed by operation id. */
export const EXAMPLES: Readonly<Record<string, OperationExample>> = recorded;

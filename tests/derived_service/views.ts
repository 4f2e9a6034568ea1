/** Derived views for tests: waits until they have followed every change. */

import { type TestServer } from "../../testing/harness.ts";
import { waitUntil } from "../../testing/wait_until.ts";

/** Resolves once nothing is left to follow, and the views can be read. */
export async function waitUntilDerived({ call }: TestServer, key?: string): Promise<void> {
  const options = key === undefined ? {} : { key };
  await waitUntil(
    () => call("GET", "/v1/health", options),
    ({ json }) => json.projections.derived_pending === 0 && json.tasks.pending === 0,
  );
}

/** The answer of a view, its parameters as given; `user_id` is ana unless said. */
export function getView(
  { call }: TestServer,
  path: string,
  parameters: Readonly<Record<string, string>>,
  key?: string,
) {
  const query = new URLSearchParams({ user_id: "ana", ...parameters });
  return call("GET", `/v1/${path}?${query}`, key === undefined ? {} : { key });
}

/** Helpers for derived view tests. */

import { type TestServer } from "../../testing/harness.ts";
import { waitUntil } from "../../testing/wait_until.ts";

/** Waits until the views include all changes and can be read. */
export async function waitUntilDerived({ call }: TestServer, key?: string): Promise<void> {
  const options = key === undefined ? {} : { key };
  await waitUntil(
    () => call("GET", "/v1/health", options),
    ({ json }) => json.projections.derived_pending === 0 && json.tasks.pending === 0,
  );
}

/** Requests a view. `user_id` defaults to ana. */
export function getView(
  { call }: TestServer,
  path: string,
  parameters: Readonly<Record<string, string>>,
  key?: string,
) {
  const query = new URLSearchParams({ user_id: "ana", ...parameters });
  return call("GET", `/v1/${path}?${query}`, key === undefined ? {} : { key });
}

/** Runs the hourly maintenance of a test server without waiting for its hour. */

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { BUSY_TIMEOUT } from "./busy_timeout.ts";
import type { TestServer } from "./harness.ts";
import { waitUntil } from "./wait_until.ts";

/** Runs maintenance right away. Returns the result. */
export async function runMaintenance(
  server: Pick<TestServer, "directory">,
): Promise<Record<string, number>> {
  const db = new DatabaseSync(join(server.directory, "commonplace.db"), BUSY_TIMEOUT);
  const at = "2026-01-01T00:00:00.000Z";
  const id = `task_${crypto.randomUUID()}`;
  db.prepare(`insert into tasks (project, id, kind, status, max_attempts, payload, created_at,
    updated_at) values (0, ?, 'maintenance', 'pending', 5, '{}', ?, ?)`)
    .run(id, at, at);
  const read = () =>
    db.prepare("select status, result from tasks where id = ?").get(id) as {
      status: string;
      result: string;
    };
  const { result } = await waitUntil(
    () => Promise.resolve(read()),
    ({ status }) => status === "success",
  );
  db.close();
  return JSON.parse(result);
}

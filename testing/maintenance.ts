/** Runs the hourly maintenance of a test server without waiting for its hour. */

import sql from "sql-template-tag";
import type { TestServer } from "./harness.ts";
import { waitUntil } from "./wait_until.ts";

/** Runs maintenance right away. Returns the result. */
export async function runMaintenance(
  server: Pick<TestServer, "records">,
): Promise<Record<string, number>> {
  const at = "2026-01-01T00:00:00.000Z";
  const id = `task_${crypto.randomUUID()}`;
  await server.records(sql`insert into tasks
    (project, id, kind, status, max_attempts, payload, created_at, updated_at)
    values (0, ${id}, 'maintenance', 'pending', 5, '{}', ${at}, ${at})`);
  const [row] = await waitUntil(
    () =>
      server.records<{ status: string; result: string }>(
        sql`select status, result from tasks where id = ${id}`,
      ),
    ([row]) => row!.status === "success",
  );
  return JSON.parse(row!.result);
}

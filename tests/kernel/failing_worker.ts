/** A worker that never answers, and fails at what it is told beside. */

import { serveRequests } from "../../src/kernel/worker_client.ts";

serveRequests((question: "wait" | "fail") => {
  if (question === "fail") throw new Error("Told something wrong");
  return new Promise<never>(() => {});
});

/** A worker that never responds, and throws on receiving "fail". */

import { serveRequests } from "../../src/kernel/process/worker_client.ts";

serveRequests((request: "wait" | "fail") => {
  if (request === "fail") throw new Error('Received "fail"');
  return new Promise<never>(() => {});
});

/** A worker that returns how many messages it has received. */

import { serveRequests } from "../../src/kernel/process/worker_client.ts";

let received = 0;

serveRequests(() => ++received);

/** A worker that answers how often it has been asked or told something. */

import { serveRequests } from "../../src/kernel/worker_client.ts";

let asked = 0;

serveRequests(() => ++asked);

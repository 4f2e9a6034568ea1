/** Worker that returns the number of messages it has received. */

import { serveRequests } from "../../src/kernel/worker_client.ts";

let received = 0;

serveRequests(() => ++received);

/** A worker that sets an integer that it's sent, but only after a while without a turn of its loop. */

import { serveRequests } from "../../src/kernel/process/worker_client.ts";

serveRequests((flag: Int32Array<SharedArrayBuffer>) => {
  const never = new Int32Array(new SharedArrayBuffer(4));
  Atomics.wait(never, 0, 0, 200);
  Atomics.store(flag, 0, 1);
});

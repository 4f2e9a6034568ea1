/** A process that uses the server's optional permissions. */

import { trimHeapNow } from "../../src/kernel/process/heap.ts";
import { lowerPriority } from "../../src/kernel/process/priority.ts";

trimHeapNow();
lowerPriority(Deno.pid);

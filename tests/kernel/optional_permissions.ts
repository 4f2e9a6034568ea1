/** A process that uses the server's optional permissions. */

import { trimHeapNow } from "../../src/kernel/heap.ts";
import { lowerPriority } from "../../src/kernel/priority.ts";

trimHeapNow();
lowerPriority(Deno.pid);

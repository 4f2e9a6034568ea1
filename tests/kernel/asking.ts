/** A process that does, as far as it may, what a server can do without. */

import { trimHeapNow } from "../../src/kernel/heap.ts";
import { lowerPriority } from "../../src/kernel/priority.ts";

trimHeapNow();
lowerPriority(Deno.pid);

/** Process that uses the optional permissions of the server. */

import { trimHeapNow } from "../../src/kernel/heap.ts";
import { lowerPriority } from "../../src/kernel/priority.ts";

trimHeapNow();
lowerPriority(Deno.pid);

/** A process that does, as far as it may, what a server can do without. */

import { trimFreedMemory } from "../../src/kernel/memory.ts";
import { yieldToOthers } from "../../src/kernel/priority.ts";

trimFreedMemory();
yieldToOthers(Deno.pid);

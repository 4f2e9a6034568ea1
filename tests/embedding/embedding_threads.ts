/** Script: embeds texts, and prints the numbers of low-priority threads. */

import { strictEqual } from "node:assert/strict";
import { getPriority } from "node:os";
import { BuiltinEmbedder } from "../../src/embedding/builtin.ts";
import { countLowPriorityThreads, printThreadCounts } from "../../testing/low_priority_threads.ts";

const TEXT = "The lamp of the lighthouse";

const priority = getPriority();
const embedder = new BuiltinEmbedder("minilm", ["static"]);
await embedder.embedQuery("Who keeps the lamp?", "memories");
const query = await countLowPriorityThreads();
await embedder.embedPassages([TEXT]);
const passage = await countLowPriorityThreads();
await embedder.embedPassages([TEXT, TEXT]);
const passages = await countLowPriorityThreads();
strictEqual(getPriority(), priority);
embedder.close();
printThreadCounts({ query, passage, passages });

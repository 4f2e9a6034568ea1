/** Script: reads an inferred add and a verbatim text, and prints the numbers of low-priority threads. */

import { strictEqual } from "node:assert/strict";
import { getPriority } from "node:os";
import { BuiltinWorkers } from "../../src/inference/builtin_workers.ts";
import { BUILTIN_CONFIG } from "../../src/inference/service.ts";
import { countLowPriorityThreads, printThreadCounts } from "../../testing/low_priority_threads.ts";

const AT = "2026-03-01T00:00:00.000Z";
const SAID = "I live in Lisbon.";

const priority = getPriority();
const engine = new BuiltinWorkers(BUILTIN_CONFIG);
const messages = [{ role: "user", content: SAID }];
const extract = () => engine.extract({ messages, eventDate: null, requestTime: AT });
strictEqual((await extract()).facts[0]?.claims[0]?.value, "Lisbon");
const add = await countLowPriorityThreads();
const [readings] = await Array.fromAsync(engine.claims([{ text: SAID, date: AT }]));
const reading = readings?.[0];
strictEqual(reading !== undefined && "claims" in reading && reading.claims[0]?.value, "Lisbon");
const verbatim = await countLowPriorityThreads();
await extract();
const secondAdd = await countLowPriorityThreads();
strictEqual(getPriority(), priority);
engine.close();
printThreadCounts({ add, verbatim, secondAdd });

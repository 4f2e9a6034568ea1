/**
 * Measures the memory of the two inference threads after each has read N messages. Each tagger gets
 * a process of its own, with the V8 flags of the service.
 */

import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import config from "../../deno.json" with { type: "json" };
import { BuiltinWorkers } from "../../src/inference/builtin_workers.ts";
import type { TaggerName } from "../../src/inference/tagger/models.ts";
import { readMarkup } from "../eval/markup.ts";

const ROOT = new URL("../../training/inference/test/", import.meta.url).pathname;
const MESSAGE_CHARACTERS = 300;

/** Numbers of messages that the threads read. Memory grows with the rules that were used. */
const MESSAGE_COUNTS = [40, 120];

/** How long to wait for freed memory to be returned, in milliseconds. */
const SETTLE_MS = 4_000;

/** Date of the messages. */
export const DATE = "2026-03-18T09:00:00.000Z";

/** Returns messages of about 300 characters from the test files of the tagger. */
export function readMessages(): string[] {
  const sentences = ["marlow-phone.txt", "marlow-consultant.txt", "impersonal.txt"].flatMap(
    (file) => readMarkup(ROOT + file).flat().map(({ text }) => text),
  );
  const messages: string[] = [];
  let message = "";
  for (const sentence of sentences) {
    message += `${sentence}\n`;
    if (message.length < MESSAGE_CHARACTERS) continue;
    messages.push(message);
    message = "";
  }
  return messages;
}

/** Yields a line of results for each tagger. */
export async function* benchThreads(): AsyncGenerator<string, void> {
  const flags = /--v8-flags=\S+/.exec(config.tasks.serve.command)![0];
  for (const tagger of ["none", "minilm", "e5"]) {
    const args = ["run", "--quiet", "--allow-all", flags, fileURLToPath(import.meta.url), tagger];
    const { stdout } = await new Deno.Command(Deno.execPath(), { args, stderr: "inherit" })
      .output();
    yield new TextDecoder().decode(stdout).trimEnd();
  }
}

/** Returns the resident memory of this process, and the part that is not mapped files, in MB. */
function memory(): { readonly resident: number; readonly own: number } {
  const rollup = readFileSync("/proc/self/smaps_rollup", "utf8");
  const megabytes = (field: string) =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(rollup)![1]) * 1_024 / 1_000_000;
  return { resident: megabytes("Rss"), own: megabytes("Anonymous") };
}

async function measure(name: TaggerName | null): Promise<string> {
  const workers = new BuiltinWorkers({ tagger: { name, builds: ["native"] } });
  const messages = readMessages();
  const before = memory();
  const parts: string[] = [];
  let read = 0;
  for (const count of MESSAGE_COUNTS) {
    for (const text of messages.slice(read, count)) {
      const request = { messages: [{ role: "user", content: text }], eventDate: null };
      await workers.extract({ ...request, requestTime: DATE });
      await Array.fromAsync(workers.claims([{ text, date: DATE }]));
    }
    read = count;
    await setTimeout(SETTLE_MS);
    const { resident, own } = memory();
    const difference = `${(resident - before.resident).toFixed(0)} MB resident, ${
      (own - before.own).toFixed(0)
    } MB without mapped files`;
    parts.push(`${count} messages: ${difference}`);
  }
  workers.close();
  return `${(name ?? "none").padEnd(7)} both threads after ${parts.join("; after ")}`;
}

if (import.meta.main) {
  const [name] = Deno.args;
  Deno.stdout.writeSync(
    new TextEncoder().encode(`${await measure(name === "none" ? null : name as TaggerName)}\n`),
  );
  Deno.exit(0);
}

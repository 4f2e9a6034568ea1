/**
 * `deno task bench tagger`: time and memory of the builtin engine with each tagger, and with the
 * rules alone, for messages of about 300 characters. `deno task bench tagger --threads` measures the
 * memory of the two inference threads instead.
 */

import { factsOf } from "../../src/inference/builtin/engine.ts";
import { openTagger } from "../../src/inference/tagger/tagger.ts";
import { cpuMs } from "./process_usage.ts";
import { benchThreads, DATE, readMessages } from "./tagger_threads.ts";

const messages = readMessages();
const print = (line: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
const megabytes = () => Math.round(Deno.memoryUsage().rss / 2 ** 20);

if (Deno.args.includes("--threads")) {
  for await (const line of benchThreads()) print(line);
  Deno.exit(0);
}

for (const name of ["none", "minilm", "e5"] as const) {
  const before = megabytes();
  const tagger = name === "none" ? null : await openTagger(name, "native");
  const read = (content: string) =>
    factsOf(
      { messages: [{ role: "user", content }], eventDate: null, requestTime: DATE },
      { tagger, rules: true },
    );
  for (const content of messages.slice(0, 20)) await read(content);
  const times: number[] = [];
  const cpuBefore = cpuMs("self");
  for (const content of messages.slice(20)) {
    const begun = performance.now();
    await read(content);
    times.push(performance.now() - begun);
  }
  const cpu = cpuMs("self") - cpuBefore;
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(share * (times.length - 1))]!.toFixed(1);
  print(
    `${name.padEnd(7)} ${times.length} messages: median ${at(0.5)} ms, p95 ${at(0.95)}, max ${
      at(1)
    }; ` +
      `CPU ${(cpu / times.length).toFixed(1)} ms; resident +${megabytes() - before} MB`,
  );
}

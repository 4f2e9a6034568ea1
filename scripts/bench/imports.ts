/**
 * Measures an import of a made-up ChatGPT export: time and resident memory of a server that does
 * nothing else. Run it with `deno run --allow-all scripts/bench/imports.ts [--megabytes N]`.
 */

import { createWriteStream, openAsBlob, readFileSync, statSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { SeededRandom } from "../../testing/seeded_random.ts";
import { ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { residentMb } from "./process_usage.ts";

const { values } = parseArgs({ args: Deno.args, options: { megabytes: { type: "string" } } });
const megabytes = Number(values.megabytes ?? 200);

const directory = makeTempDirSync();
const file = join(directory, "conversations.json");
const random = new SeededRandom(20_261_126);
const words = Array.from({ length: 20_000 }, word);

try {
  const conversations = await writeExport();
  const server = await ServerProcess.start(directory);
  const [ready, began] = [residentMb(server.pid), performance.now()];
  const body = await openAsBlob(file);
  const queued = await server.call("POST", "/v1/imports/chatgpt?user_id=ana", {
    raw: body,
    headers: { "content-type": "application/octet-stream", "idempotency-key": "bench" },
  });
  if (queued.status !== 202) throw new Error(queued.text);
  const [accepted, checked] = [performance.now(), peakMb(server.pid)];
  let [longest, probes] = [0, 0];
  let ended;
  do {
    await setTimeout(20);
    const asked = performance.now();
    ended = (await server.call("GET", `/v1/operations/${queued.json.id}`)).json;
    longest = Math.max(longest, performance.now() - asked);
    probes++;
  } while (!["success", "dead"].includes(ended.status));
  const done = performance.now();
  print(
    `file          ${(statSync(file).size / 1e6).toFixed(0)} MB, ${conversations} conversations`,
  );
  print(`result        ${ended.status}: ${JSON.stringify(ended.result?.documents ?? ended.error)}`);
  print(`accepted in   ${((accepted - began) / 1_000).toFixed(1)} s, including a complete check`);
  print(`imported in   ${((done - accepted) / 1_000).toFixed(1)} s more`);
  const peak = peakMb(server.pid);
  print(`resident      ${ready.toFixed(0)} MB before, ${checked.toFixed(0)} MB once accepted`);
  print(`              ${peak.toFixed(0)} MB at most`);
  print(`other request ${longest.toFixed(0)} ms at most, of ${probes}`);
  await server.stop();
} finally {
  await rm(directory);
}

/** Writes conversations of 2 to 60 turns until the file is large enough. Returns how many. */
async function writeExport(): Promise<number> {
  const stream = createWriteStream(file);
  const write = async (text: string) => {
    if (!stream.write(text)) await once(stream, "drain");
  };
  await write("[");
  let count = 0;
  for (let bytes = 0; bytes < megabytes * 1e6; count++) {
    const text = (count === 0 ? "" : ",\n") + JSON.stringify(conversation(count));
    bytes += text.length;
    await write(text);
  }
  await write("]");
  stream.end();
  await once(stream, "close");
  return count;
}

function conversation(number: number) {
  const time = 1_680_000_000 + number * 3_600;
  const turns = 2 + random.below(59);
  const mapping: Record<string, unknown> = {
    root: { id: "root", message: null, parent: null, children: ["0"] },
  };
  for (let turn = 0; turn < turns; turn++) {
    const isUser = turn % 2 === 0;
    const id = String(turn);
    mapping[id] = {
      id,
      parent: turn === 0 ? "root" : String(turn - 1),
      children: turn === turns - 1 ? [] : [String(turn + 1)],
      message: {
        id: `${number}-${turn}`,
        author: { role: isUser ? "user" : "assistant", name: null, metadata: {} },
        create_time: time + turn * 60,
        update_time: null,
        content: { content_type: "text", parts: [prose(isUser ? 40 : 400)] },
        status: "finished_successfully",
        end_turn: true,
        weight: 1,
        metadata: { model_slug: "gpt-4o", request_id: `${number}`, citations: [] },
        recipient: "all",
      },
    };
  }
  return {
    title: prose(5),
    create_time: time,
    update_time: time + turns * 60,
    mapping,
    current_node: String(turns - 1),
    conversation_id: `conversation-${number}`,
  };
}

function prose(length: number): string {
  const count = 1 + random.below(2 * length);
  return Array.from({ length: count }, () => random.pick(words)).join(" ");
}

function word(): string {
  return Array.from(
    { length: 2 + random.below(8) },
    () => String.fromCharCode(97 + random.below(26)),
  ).join("");
}

/** Returns the most memory that a process has had resident so far, in MB. */
function peakMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)![1]) * 1_024 / 1_000_000;
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

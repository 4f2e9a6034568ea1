/**
 * Drives the reference memory server and imports its file: each observation is the first hit for
 * its own text.
 */

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { NO_EMBEDDER } from "../../../src/embedding/open.ts";
import { type TestServer, withServer } from "../../../testing/harness.ts";
import { rm } from "../../../testing/temp_dir.ts";
import { importFile, recordsOf } from "../../imports/imports.ts";

const HERE = import.meta.dirname!;
const WORK = join(HERE, "../../../dist/integrations/server-memory");
const MEMORY_FILE = join(WORK, "memory.jsonl");

const ENTITIES = [
  {
    name: "Ana_Costa",
    entityType: "person",
    observations: [
      "Prefers morning meetings before ten",
      "Speaks Portuguese, English and some Dutch",
      "Is allergic to peanuts",
    ],
  },
  {
    name: "Harbour_Project",
    entityType: "project",
    observations: [
      "The deadline moved to the end of March",
      "Uses PostgreSQL 16 for the tide tables",
      "The client wants weekly reports on Friday",
    ],
  },
  { name: "Ben_Ode", entityType: "person", observations: ["Leads the design team in Rotterdam"] },
];
const RELATIONS = [
  { from: "Ana_Costa", to: "Harbour_Project", relationType: "manages" },
  { from: "Ben_Ode", to: "Harbour_Project", relationType: "designs for" },
];
const LATER = [{
  entityName: "Ben_Ode",
  contents: ["Bought a sailing boat called Meeuw", "Works from home on Wednesdays"],
}];

await rm(WORK);
mkdirSync(WORK, { recursive: true });
copyFileSync(join(HERE, "package.json"), join(WORK, "package.json"));
await runCommand("npm", ["install", "--silent", "--no-audit", "--no-fund"]);
await fillMemory();
const file = readFileSync(MEMORY_FILE);
print(`@modelcontextprotocol/server-memory 2026.8.31 wrote ${file.length} bytes`);
for (const name of [NO_EMBEDDER.name, "minilm"]) {
  await withServer((server) => importAndSearch(server, name), {
    embedder: { ...NO_EMBEDDER, name },
  });
}

/** Lets a client of the memory server store a small graph. */
async function fillMemory(): Promise<void> {
  const client = new Client({ name: "commonplace-integration", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({
      command: "node",
      args: [join(WORK, "node_modules/@modelcontextprotocol/server-memory/dist/index.js")],
      env: { PATH: Deno.env.get("PATH")!, MEMORY_FILE_PATH: MEMORY_FILE },
    }),
  );
  try {
    const call = async (name: string, args: Record<string, unknown>) => {
      const result = await client.callTool({ name, arguments: args });
      strictEqual(result.isError ?? false, false, JSON.stringify(result));
    };
    await call("create_entities", { entities: ENTITIES });
    await call("create_relations", { relations: RELATIONS });
    await call("add_observations", { observations: LATER });
  } finally {
    await client.close();
  }
}

/** Imports the file twice, and searches for each observation in its own words. */
async function importAndSearch({ call, waitForEmbeddings }: TestServer, embedder: string) {
  const observations = [
    ...ENTITIES.flatMap((entity) => entity.observations),
    ...LATER.flatMap(({ contents }) => contents),
  ];
  const count = observations.length + RELATIONS.length;
  const report = await importFile(call, "server-memory", file, "?user_id=ana");
  deepStrictEqual(report.memories, { found: count, added: count, unchanged: 0 });
  deepStrictEqual(report.set_aside, { count: 0, first: [] });
  const records = await recordsOf(call);
  const again = await importFile(call, "server-memory", file, "?user_id=ana");
  deepStrictEqual(again.memories, { found: count, added: 0, unchanged: count });
  deepStrictEqual(await recordsOf(call), records);

  await waitForEmbeddings();
  for (const observation of observations) {
    const { json } = await call("POST", "/v1/memories/search", {
      body: { query: observation, user_id: "ana" },
    });
    const first: string = json.results[0].memory;
    strictEqual(first.slice(first.indexOf(": ") + 2), observation);
  }
  print(`embedder ${embedder}: ${observations.length} of ${observations.length} are the first hit`);
}

async function runCommand(name: string, args: readonly string[]): Promise<void> {
  const { success } = await new Deno.Command(name, { args: [...args], cwd: WORK }).output();
  strictEqual(success, true, `${name} ${args.join(" ")} failed`);
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

/**
 * Runs all cases of clients/cases with the packed TypeScript client on Node 20 and 22, Deno, Bun and
 * workerd. The quick start of its page runs in an empty folder too.
 */

import { strictEqual } from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type CasesRun, withCasesServer } from "../../../testing/client_cases.ts";
import { withServer } from "../../../testing/harness.ts";
import { makeTempDirSync, rm } from "../../../testing/temp_dir.ts";
import { blocksOf, mismatch } from "../../docs/page.ts";
import { startWorkerd } from "./workerd.ts";
import { command, compilePrograms, installIntegration, packClient } from "../npm.ts";

const ROOT = new URL("../../../", import.meta.url).pathname;
const CLIENT = new URL("../../../clients/typescript/", import.meta.url).pathname;

const tarball = await packClient();
const folder = await installIntegration("clients", tarball);
print(`tarball: ${(statSync(tarball).size / 1_000).toFixed(1)} kB`);
print(`JavaScript of the core, gzipped: ${(await coreSize(folder) / 1_000).toFixed(1)} kB`);

// The runner imports the client's types from its sources, and its code from the package.
const programs = join(folder, "programs");
mkdirSync(programs, { recursive: true });
for (const name of ["case_program.ts", "case_worker.ts"]) {
  cpSync(join(CLIENT, name), join(programs, name));
}
const runner = readFileSync(join(CLIENT, "case_runner.ts"), "utf8");
writeFileSync(
  join(programs, "case_runner.ts"),
  runner.replace("./src/index.ts", "@commonplace/client"),
);
cpSync(join(ROOT, "examples/typescript/chat.ts"), join(programs, "chat.ts"));
await compilePrograms(folder);
print("tsc --strict: the cases and examples/typescript");

const node = (name: string) => [join(folder, "node_modules", name, "bin", "node")];
/** Runs all cases and returns the failures. */
type Runtime = (run: CasesRun) => Promise<readonly { name: string; message: string }[]>;
const RUNTIMES: Readonly<Record<string, Runtime>> = {
  "Node 20": onCommand(node("node20")),
  "Node 22": onCommand(node("node22")),
  "Deno": onCommand([
    ...[Deno.execPath(), "run", "--quiet", "--allow-all", "--node-modules-dir=manual"],
  ]),
  "Bun": onCommand([join(folder, "node_modules", "bun-linux-x64", "bin", "bun")]),
  "workerd": onWorkerd,
};

await runPage("docs/clients/typescript.md");

let failed = false;
for (const [name, runCases] of Object.entries(RUNTIMES)) {
  await withCasesServer(async ({ prepareRun, checkCoverage }) => {
    const run = await prepareRun("npm");
    const began = performance.now();
    const failures = await runCases(run);
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    const { length } = casesOf(run);
    print(`${name}: ${length - failures.length} of ${length} cases in ${seconds} s`);
    for (const failure of failures) print(`  ${failure.name}: ${failure.message}`);
    failed ||= failures.length > 0;
    if (failures.length === 0) await checkCoverage();
  });
}
Deno.exit(failed ? 1 : 0);

function casesOf({ cases }: CasesRun): readonly unknown[] {
  return JSON.parse(readFileSync(cases, "utf8")).cases;
}

/** Returns a runtime that a command starts with a program as its argument. */
function onCommand([program, ...args]: readonly string[]): Runtime {
  return async (run) => {
    const file = join(folder, "run.json");
    writeFileSync(file, JSON.stringify(run));
    const { stdout, stderr } = await new Deno.Command(program!, {
      args: [...args, join(programs, "case_program.js"), file],
      cwd: dirname(programs),
    }).output();
    const [printed, errors] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    if (printed === "") throw new Error(`${program} printed no results\n${errors}`);
    return JSON.parse(printed!).failures;
  };
}

async function onWorkerd(run: CasesRun): ReturnType<Runtime> {
  const binary = join(folder, "node_modules", "workerd", "bin", "workerd");
  const workerd = await startWorkerd(binary, join(programs, "case_worker.js"));
  try {
    const body = JSON.stringify({ run, cases: casesOf(run) });
    const response = await fetch(workerd.url, { method: "POST", body });
    return (await response.json()).failures;
  } finally {
    await workerd.stop();
  }
}

/**
 * Runs a page as printed, in an empty folder: installs the tarball, then saves and runs its programs
 * on Node 20 and compares what they print.
 */
async function runPage(page: string): Promise<void> {
  await withServer(async (server) => {
    const empty = makeTempDirSync();
    mkdirSync(join(empty, "docs", "examples"), { recursive: true });
    cpSync(join(ROOT, "docs/examples/keeper.docx"), join(empty, "docs/examples/keeper.docx"));
    await command("npm", ["install", "--no-audit", "--no-fund", tarball], { cwd: empty });
    const env = {
      COMMONPLACE_URL: server.url,
      COMMONPLACE_API_KEY: server.key,
      PATH: `${dirname(node("node20")[0]!)}:${Deno.env.get("PATH")}`,
    };
    let printed = "";
    const ids = new Map<string, string>();
    for (const { language, note, text } of blocksOf(readFileSync(join(ROOT, page), "utf8"))) {
      if (note !== "") writeFileSync(join(empty, note), text);
      else if (language === "text") strictEqual(mismatch(text, printed, ids), null, printed);
      else if (text.startsWith("node ")) {
        printed = await command("sh", ["-c", text], { cwd: empty, env });
      }
    }
    await rm(empty);
  });
  print(`${page}: runs as printed on Node 20 in an empty folder`);
}

/** Returns the gzipped size of what an application loads: the core without types. */
async function coreSize(folder: string): Promise<number> {
  const dist = join(folder, "node_modules", "@commonplace", "client", "dist");
  const files = [...Deno.readDirSync(dist)].map(({ name }) => name)
    .filter((name) => name.endsWith(".js") && name !== "node.js" && name !== "tools.js");
  const source = files.map((name) => readFileSync(join(dist, name), "utf8")).join("");
  const compressed = new Blob([source]).stream().pipeThrough(new CompressionStream("gzip"));
  return (await new Response(compressed).bytes()).length;
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(line + "\n"));
}

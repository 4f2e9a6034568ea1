/** Tests progress lines: shown and removed on a terminal, and not printed anywhere else. */

import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { withServices } from "../../src/cli/command.ts";
import { reportCounts } from "../../src/cli/records/import_task.ts";
import type { Timers } from "../../src/kernel/timers.ts";
import { testDatabaseUrl } from "../../testing/engine.ts";
import { withServer } from "../../testing/harness.ts";
import { ON_TERMINAL, run } from "../../testing/program.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { testWith } from "../../testing/tools.ts";

testWith(["python3"], "commands show their progress on a terminal and remove it", async () => {
  const directory = makeTempDirSync();
  const [data, copy, file] = [
    join(directory, "data"),
    join(directory, "copy"),
    join(directory, "shop.json"),
  ];
  const onTerminal = async (step: RegExp, ...args: string[]) => {
    const { code, stdout } = await run(args, { prefix: ON_TERMINAL });
    strictEqual(code, 0, stdout);
    match(stdout, step);
    // What was shown is overwritten with spaces before anything else is printed.
    match(stdout, /\r +\r/);
  };
  try {
    await run(["projects", "create", "shop", "--data", data]);
    // Without a terminal, there's nothing to see.
    strictEqual((await run(["doctor", "--data", data])).stderr, "");
    await onTerminal(/\rChecking the memory index/, "doctor", "--data", data);
    await onTerminal(/\rCopying the database, \d+ MB/, "backup", copy, "--data", data);
    await onTerminal(/\rCopying the database/, "restore", copy, "--data", `${data}-2`);
    await onTerminal(
      /\rChecking projects, 0 of 1 rows/,
      "copy",
      "--from",
      data,
      "--to",
      `${data}-3`,
    );
    const project = ["--project", "shop", "--data", data];
    await onTerminal(/\rExporting, \d+ MB/, "export", ...project, "--output", file);
    await onTerminal(/\rReading the file, 1 MB/, "import", ...project, "--input", file);
  } finally {
    await rm(directory);
  }
});

Deno.test("import reports twice a second how many memories and documents the project has", async () => {
  await withServer(async ({ add, call, directory }) => {
    for (const content of ["Rye", "Spelt"]) await add(content);
    const body = { source_key: "a.md", content: "Bread", user_id: "ana" };
    strictEqual((await call("POST", "/v1/documents", { body })).status, 200);
    const flags = { text: { data: directory }, switches: new Set<string>(), positionals: [] };
    const terminal = {
      print: () => {},
      environment: (name: string) =>
        name === "COMMONPLACE_DATABASE_URL" ? testDatabaseUrl(directory) : undefined,
      confirm: () => null,
    };
    await withServices(flags, terminal, async (services) => {
      const { store } = services.appContext;
      const { number } = await store.read((db) => services.projects.getByName(db, "default"));
      const end = new AbortController();
      const [waits, steps]: [number[], string[]] = [[], []];
      const timers: Timers = {
        after(milliseconds, run) {
          waits.push(milliseconds);
          queueMicrotask(run);
          return () => {};
        },
      };
      const report = (step: string) => {
        if (steps.push(step) === 2) end.abort();
      };
      await reportCounts(services, number, report, end.signal, timers);
      deepStrictEqual(waits, [500, 500]);
      const step = "Importing, 2 memories and 1 documents so far";
      deepStrictEqual(steps, [step, step]);
    });
  });
});

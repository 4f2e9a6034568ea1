/** Tests progress lines: shown and removed on a terminal, and not printed anywhere else. */

import { match, strictEqual } from "node:assert/strict";
import { join } from "node:path";
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
    // Without a terminal, there's nothing to see.
    strictEqual((await run(["doctor", "--data", data])).stderr, "");
  };
  try {
    await run(["projects", "create", "shop", "--data", data]);
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

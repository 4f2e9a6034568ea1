/** Tests invalid command lines: each one must fail with an explanation and change nothing. */

import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { backup } from "../../src/cli/records/backup.ts";
import { config } from "../../src/cli/service/config.ts";
import { type Command, formatTable, type Terminal } from "../../src/cli/command.ts";
import { credits } from "../../src/cli/projects/credits.ts";
import { doctor } from "../../src/cli/records/doctor.ts";
import { exportCommand } from "../../src/cli/records/export.ts";
import { importCommand } from "../../src/cli/records/import.ts";
import { keys } from "../../src/cli/projects/keys.ts";
import { projects } from "../../src/cli/projects/projects.ts";
import { version } from "../../src/cli/service/version.ts";
import { run as runProcess } from "../../testing/program.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

const COMMANDS = [
  backup,
  config,
  credits,
  doctor,
  exportCommand,
  importCommand,
  keys,
  projects,
  version,
];

/** Runs a command line on a data directory and returns its output. */
async function run([name, ...args]: readonly string[], directory?: string): Promise<string> {
  const lines: string[] = [];
  const terminal: Terminal = {
    print: (line) => void lines.push(line),
    environment: (name) => name === "COMMONPLACE_DATA" ? directory : undefined,
    confirm: () => null,
  };
  // Some commands throw before returning a promise.
  await Promise.resolve().then(() =>
    (COMMANDS.find((each) => each.name === name) as Command).run(args, terminal)
  );
  return lines.join("\n");
}

/** Checks that a command fails with a one-line message. */
async function assertFails(words: readonly string[], message: RegExp, directory?: string) {
  await rejects(run(words, directory), (error: Error) => {
    match(error.message, /^[^\n]+$/);
    match(error.message, message);
    return true;
  });
}

Deno.test("projects, keys, import, export and backup explain why they reject their arguments", async (t) => {
  const directory = makeTempDirSync();
  try {
    await run(["projects", "create", "library"], directory);
    const mistakes: [string[], RegExp][] = [
      [["projects", "create", "library"], /already exists/],
      [["projects", "create", "Library!"], /is not a valid project name/],
      [["projects", "create", "-x"], /-x|option/],
      [["projects", "create", `a${"b".repeat(64)}`], /is not a valid project name/],
      [["projects", "create"], /Expected exactly one argument: project name/],
      [["projects", "create", "one", "two"], /Expected exactly one argument: project name/],
      [["keys", "create", "--project", "nowhere"], /No project "nowhere"/],
      [["keys", "create"], /--project is required/],
      [["keys", "create", "--project", "library", "--permissions", "memory:rule"], /memory:rule/],
      [["keys", "create", "--project", "library", "--permissions", ""], /is not a permission/],
      [["keys", "create", "--project", "library", "--name", "x".repeat(101)], /at most 100 char/],
      [["keys", "create", "--project", "library", "--permissions", "toString"], /toString/],
      [["keys", "revoke", "key_unknown"], /No API key "key_unknown"/],
      [["import", "--project", "library", "--input", `${directory}/nowhere`], /nowhere/],
      [["import", "--project", "library", "--input", directory], /--input must be a file/],
      [["export", "--project", "library", "--output", directory], /--output must be a file/],
      [["export", "--project", "library", "--output", ""], /--output must not be empty/],
      [["import", "--project", "library", "--input", ""], /--input must not be empty/],
      [["import", "--from", "word", `${directory}/nowhere`], /--from must be one of mem0, /],
      [["projects", "list", "--data", ""], /--data must not be empty/],
      [["keys", "revoke", ""], /Expected exactly one argument: key id/],
      [["backup", ""], /Expected exactly one argument: target directory/],
      [["backup", `${directory}/commonplace.db`], /is a file; specify a new directory/],
      [["projects", "list", "--data", `${directory}/commonplace.db`], /is not a data directory/],
    ];
    for (const [words, message] of mistakes) {
      await t.step(words.join(" "), () => assertFails(words, message, directory));
    }
    const [project, ...others] = JSON.parse(await run(["projects", "list", "--json"], directory));
    deepStrictEqual([project.name, project.keys, others.length], ["library", 0, 0]);
  } finally {
    await rm(directory);
  }
});

Deno.test("readFlags() throws for unknown flags and unexpected arguments", async (t) => {
  const directory = makeTempDirSync();
  try {
    const mistakes: [string[], RegExp][] = [
      [["config", "--frobnicate"], /--frobnicate/],
      [["projects", "list", "--frobnicate"], /--frobnicate/],
      [
        ["projects"],
        /^"projects" needs a subcommand; expected one of: create, list, delete, deriv/,
      ],
      [["keys", "lst"], /^Unknown subcommand "keys lst"; expected one of: create, list, revoke$/],
      [["keys", "list", "--project"], /^--project needs a value$/],
      [
        ["keys", "list", "--project", "--json"],
        /^--project needs a value; use --project=VALUE if it begins with "-"$/,
      ],
      [["keys", "list"], /--project is required/],
      [["version", "--port", "1"], /--port/],
      [["doctor", directory], /Unexpected argument/],
      [["projects", "list", "default"], /Unexpected argument/],
      [["credits", "show", "default", "--project", "default"], /Unexpected argument/],
    ];
    for (const [words, message] of mistakes) {
      await t.step(words.join(" "), () => assertFails(words, message, directory));
    }
    deepStrictEqual(readdirSync(directory), []);
  } finally {
    await rm(directory);
  }
});

Deno.test("Errors of the system name the path before the reason", async (t) => {
  const directory = makeTempDirSync();
  try {
    const [file, socket] = [join(directory, "file"), join(directory, "socket")];
    writeFileSync(file, "");
    using _ = Deno.listen({ transport: "unix", path: socket });
    const data = ["--data", join(directory, "data")];
    await runProcess(["projects", "create", "default", ...data]);
    const mistakes: [string[], string][] = [
      [["import", "--from", "jsonl", socket, ...data], `${socket}: no such device or address`],
      [["serve", "--data", join(file, "data")], `${file}/data: not a directory`],
      [
        ["import", "--project", "library", "--input", "/dev/full"],
        "/dev/full: not a regular file; use - for standard input or output",
      ],
    ];
    for (const [words, message] of mistakes) {
      await t.step(words.join(" "), async () => {
        const { code, stderr } = await runProcess(words);
        deepStrictEqual([code, stderr], [1, `commonplace: ${message}\n`]);
      });
    }
  } finally {
    await rm(directory);
  }
});

Deno.test("Mistakes in arguments come with the command that shows the usage", async (t) => {
  const mistakes: [string[], string][] = [
    [
      ["keys", "list"],
      '--project is required. Run "deno task commonplace keys --help" for its usage',
    ],
    [
      ["--json", "version"],
      'Expected a command before --json. Run "deno task commonplace --help" for a list',
    ],
  ];
  for (const [words, message] of mistakes) {
    await t.step(words.join(" "), async () => {
      const { code, stderr } = await runProcess(words);
      deepStrictEqual([code, stderr], [1, `commonplace: ${message}\n`]);
    });
  }
});

Deno.test("formatTable() prints a row as one line without control characters", () => {
  const rows = [{ name: "two\nlines", id: 1 }, { name: "\u001b[2Jcleared", id: 2 }];
  deepStrictEqual(formatTable(rows).split("\n"), [
    "name         id",
    "two lines    1",
    " [2Jcleared  2",
  ]);
  // More rows than a function can have arguments.
  strictEqual(formatTable(Array.from({ length: 200_000 }, () => ({ id: 1 }))).length, 400_002);
});

/** Configuration: flag, then environment, then default; secrets hidden, mistakes told in one line. */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError, resolveSettings } from "../../src/server/config.ts";
import { run } from "../../testing/program.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

function effective(args: string[], environment: Record<string, string> = {}) {
  const settings = resolveSettings(args, (name) => environment[name]);
  return Object.fromEntries(settings.map(({ name, value, source }) => [name, [value, source]]));
}

Deno.test("a flag wins over the environment, the environment over the default", () => {
  strictEqual(effective([])["port"]![0], "8420");
  deepStrictEqual(effective([], { COMMONPLACE_PORT: "9000" })["port"], ["9000", "environment"]);
  const both = effective(["--port", "9001"], { COMMONPLACE_PORT: "9000" });
  deepStrictEqual(both["port"], ["9001", "flag"]);
  deepStrictEqual(effective([], { COMMONPLACE_PORT: "" })["port"], ["8420", "default"]);
});

Deno.test("a switch is on by its flag, and on or off by its environment", () => {
  deepStrictEqual(effective(["--metrics"])["metrics"], ["on", "flag"]);
  for (const text of ["1", "true", "ON", "yes"]) {
    strictEqual(effective([], { COMMONPLACE_METRICS: text })["metrics"]![0], "on");
  }
  strictEqual(effective([], { COMMONPLACE_METRICS: "off" })["metrics"]![0], "off");
  mustFail([], { COMMONPLACE_METRICS: "perhaps" }, /COMMONPLACE_METRICS must be on or off/);
});

Deno.test("values out of range and unknown flags are told, not guessed at", () => {
  mustFail(["--port", "65536"], {}, /--port must be a whole number from 0 to 65535/);
  mustFail(["--port", "eighty"], {}, /--port/);
  mustFail(["--log-level", "loud"], {}, /--log-level must be one of/);
  mustFail(["--inference", "magic"], {}, /--inference must be one of builtin, openai/);
  mustFail(["--inference-url", "localhost:1"], {}, /--inference-url must be an http or https/);
  mustFail(["--inference-api-key", "sk-1"], {}, /--inference-api-key/);
  mustFail(["--colour", "red"], {}, /--colour/);
  mustFail(["--port"], {}, /--port/);
  mustFail(["serve", "again"], {}, /again|serve/);
  mustFail(["--api-key", "cpl_on-the-command-line"], {}, /--api-key/);
});

Deno.test("what is wrong is named as it was given: a flag, or a variable of the environment", () => {
  mustFail([], { COMMONPLACE_PORT: "eighty" }, /^COMMONPLACE_PORT must be a whole number/);
  mustFail([], { COMMONPLACE_LOG_LEVEL: "loud" }, /^COMMONPLACE_LOG_LEVEL must be one of/);
  mustFail(["--port", "eighty"], { COMMONPLACE_PORT: "8420" }, /^--port must be/);
});

Deno.test("a secret comes from the environment or from a file; the environment wins", async () => {
  const directory = makeTempDirSync();
  const file = join(directory, "key");
  writeFileSync(file, "cpl_from-the-file\n");
  const fromFile = { COMMONPLACE_API_KEY_FILE: file };
  deepStrictEqual(effective([], fromFile)["api-key"], ["cpl_from-the-file", "file"]);
  const both = { ...fromFile, COMMONPLACE_API_KEY: "cpl_from-the-environment" };
  deepStrictEqual(effective([], both)["api-key"], ["cpl_from-the-environment", "environment"]);
  mustFail([], { COMMONPLACE_API_KEY_FILE: join(directory, "none") }, /_FILE can't be read/);
  await rm(directory);
});

Deno.test("commonplace config shows every setting, where it comes from, and no secret", async () => {
  const environment = {
    COMMONPLACE_API_KEY: "cpl_a-secret-of-the-owner",
    COMMONPLACE_INFERENCE_API_KEY: "sk-a-secret-of-the-owner",
    COMMONPLACE_HOST: "::1",
  };
  const shown = await run(["config", "--json", "--port", "0"], { environment });
  strictEqual(shown.code, 0, shown.stderr);
  const settings: { name: string; value: string; source: string }[] = JSON.parse(shown.stdout);
  for (const setting of settings) {
    deepStrictEqual(Object.keys(setting), ["name", "value", "source"]);
  }
  const named = (name: string) => settings.find((setting) => setting.name === name)!;
  strictEqual(named("port").source, "flag");
  deepStrictEqual([named("host").value, named("host").source], ["::1", "environment"]);
  strictEqual(named("data").source, "default");
  ok(!shown.stdout.includes("a-secret-of-the-owner"));
  const table = await run(["config"], { environment });
  match(table.stdout, /^name +value +source\n/);
  ok(!table.stdout.includes("a-secret-of-the-owner"));
});

Deno.test("unknown verbs and flags fail with one line on standard error", async (t) => {
  const mistakes = [
    ["frobnicate"],
    ["serve", "--frobnicate"],
    ["config", "--frobnicate"],
    ["projects", "list", "--frobnicate"],
    ["projects"],
    ["keys", "list"],
    ["version", "--port", "1"],
  ];
  for (const words of mistakes) {
    await t.step(words.join(" "), async () => {
      const ended = await run(words, { cwd: makeTempDirSync() });
      strictEqual(ended.code, 1);
      strictEqual(ended.stdout, "");
      match(ended.stderr, /^commonplace: [^\n]+\n$/);
    });
  }
});

Deno.test("help names every verb, version every part", async () => {
  const help = await run(["help"]);
  strictEqual(help.code, 0);
  for (const verb of ["serve", "projects", "keys", "dashboard", "config", "version", "help"]) {
    match(help.stdout, new RegExp(`^  ${verb} `, "m"));
  }
  const about = await run(["serve", "--help"]);
  match(about.stdout, /--port +COMMONPLACE_PORT/);
  strictEqual((await run(["help", "serve"])).stdout, about.stdout);
  match((await run(["--version"])).stdout, /^name +version/);
  const version = JSON.parse((await run(["version", "--json"])).stdout);
  deepStrictEqual(Object.keys(version), [
    "name",
    "version",
    "schema",
    "deno",
    "sqlite",
    "platform",
  ]);
  strictEqual(version.name, "commonplace");
});

function mustFail(args: string[], environment: Record<string, string>, message: RegExp): void {
  try {
    resolveSettings(args, (name) => environment[name]);
  } catch (error) {
    ok(error instanceof ConfigError);
    return match(error.message, message);
  }
  throw new Error(`${args.join(" ")} was accepted`);
}

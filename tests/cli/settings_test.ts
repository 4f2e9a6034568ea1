/** Tests where settings come from, which source wins, and that secrets stay hidden. */

import { deepStrictEqual, match, ok, strictEqual, throws } from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { config } from "../../src/cli/service/config.ts";
import {
  blobsFromEnvironment,
  ConfigError,
  resolveSettings,
  serverConfig,
} from "../../src/server/config.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

function effective(args: string[], environment: Record<string, string> = {}) {
  const settings = resolveSettings(args, (name) => environment[name]);
  return Object.fromEntries(settings.map(({ name, value, source }) => [name, [value, source]]));
}

Deno.test("resolveSettings() prefers flags over the environment, and the environment over defaults", () => {
  strictEqual(effective([])["port"]![0], "8420");
  deepStrictEqual(effective([], { COMMONPLACE_PORT: "9000" })["port"], ["9000", "environment"]);
  const both = effective(["--port", "9001"], { COMMONPLACE_PORT: "9000" });
  deepStrictEqual(both["port"], ["9001", "flag"]);
  deepStrictEqual(effective([], { COMMONPLACE_PORT: "" })["port"], ["8420", "default"]);
});

Deno.test("serverConfig() converts megabytes to bytes", () => {
  const flags = ["--search-copy-mb", "5", "--search-memory-mb", "7"];
  const { searchCopyBytes, searchMemoryBytes } = serverConfig(
    resolveSettings(flags, () => undefined),
  );
  deepStrictEqual([searchCopyBytes, searchMemoryBytes], [5 * 2 ** 20, 7 * 2 ** 20]);
  mustFail(["--search-copy-mb", "0"], {}, /--search-copy-mb must be a whole number from 1/);
});

Deno.test("resolveSettings() turns a switch on with a flag, and on or off through the environment", () => {
  deepStrictEqual(effective(["--metrics"])["metrics"], ["on", "flag"]);
  for (const text of ["1", "true", "ON", "yes"]) {
    strictEqual(effective([], { COMMONPLACE_METRICS: text })["metrics"]![0], "on");
  }
  strictEqual(effective([], { COMMONPLACE_METRICS: "off" })["metrics"]![0], "off");
  mustFail([], { COMMONPLACE_METRICS: "perhaps" }, /COMMONPLACE_METRICS must be on or off/);
});

Deno.test("resolveSettings() throws for invalid values and unknown flags", () => {
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

Deno.test("resolveSettings() names the flag or variable with the invalid value", () => {
  mustFail([], { COMMONPLACE_PORT: "eighty" }, /^COMMONPLACE_PORT must be a whole number/);
  mustFail([], { COMMONPLACE_LOG_LEVEL: "loud" }, /^COMMONPLACE_LOG_LEVEL must be one of/);
  mustFail(["--port", "eighty"], { COMMONPLACE_PORT: "8420" }, /^--port must be/);
});

Deno.test("resolveSettings() reads a secret from the environment, or otherwise from a file", async () => {
  const directory = makeTempDirSync();
  const file = join(directory, "key");
  writeFileSync(file, "cpl_from-the-file\n");
  const fromFile = { COMMONPLACE_API_KEY_FILE: file };
  deepStrictEqual(effective([], fromFile)["api-key"], ["cpl_from-the-file", "file"]);
  const both = { ...fromFile, COMMONPLACE_API_KEY: "cpl_from-the-environment" };
  deepStrictEqual(effective([], both)["api-key"], ["cpl_from-the-environment", "environment"]);
  const empty = join(directory, "empty");
  writeFileSync(empty, "\n");
  mustFail(
    [],
    { COMMONPLACE_DATABASE_URL_FILE: empty },
    /^The file of COMMONPLACE_DATABASE_URL_FILE is empty$/,
  );
  mustFail(
    [],
    { COMMONPLACE_API_KEY_FILE: join(directory, "none") },
    /Can't read the file of COMMONPLACE_API_KEY_FILE/,
  );
  await rm(directory);
});

/** A secret in the wrong place. */
const MISPLACED = "hunter2";

const INVALID_BLOB_URLS: readonly (readonly [url: string, problem: RegExp])[] = [
  ["https://bucket", /must be file:\/\/\/FOLDER, or s3:\/\/BUCKET/],
  ["file:blobs", /must be file:/],
  ["file://host/blobs", /must be file:/],
  ["file:///a%2Fb", /must be file:/],
  ["file:///a%zz", /must be file:/],
  ["s3:bucket", /must be file:/],
  ["s3://bucket/a#b", /must be file:/],
  ["s3://bucket/?region=", /must be file:/],
  ["s3://Bucket", /must be file:/],
  [
    `s3://id:${MISPLACED}@bucket/`,
    /must not contain credentials; set COMMONPLACE_S3_ACCESS_KEY_ID/,
  ],
  [`s3://bucket/?secret=${MISPLACED}`, /must not have a parameter other than endpoint and region/],
  [`s3://bucket/?endpoint=http://id:${MISPLACED}@host`, /must have an endpoint such as/],
  ["s3://bucket/%20", /must have a prefix of letters/],
];

Deno.test("resolveSettings() refuses URLs of files without repeating them", () => {
  for (const [url, problem] of INVALID_BLOB_URLS) {
    mustFail([], { COMMONPLACE_BLOB_URL: url }, problem);
    mustFail([], { COMMONPLACE_BLOB_URL: url }, new RegExp(`^(?!.*${MISPLACED}).*$`));
  }
  mustFail(["--blob-url", "file:///x"], {}, /--blob-url/);
});

Deno.test("blobsFromEnvironment() returns where files are, with the key of S3", () => {
  const blobs = (environment: Record<string, string>) =>
    blobsFromEnvironment((name) => environment[name], true);
  strictEqual(blobs({}), undefined);
  throws(
    () => blobs({ COMMONPLACE_BLOB_URL: "s3://files" }),
    /set COMMONPLACE_S3_ACCESS_KEY_ID and/,
  );
  throws(
    () => blobsFromEnvironment(() => "file:///blobs", false),
    /^ConfigError: COMMONPLACE_BLOB_URL requires COMMONPLACE_DATABASE_URL/,
  );
  deepStrictEqual(blobs({ COMMONPLACE_BLOB_URL: "file:///my%20blobs" }), {
    kind: "folder",
    directory: "/my blobs",
  });
  const key = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" };
  const own = { COMMONPLACE_S3_ACCESS_KEY_ID: "own", COMMONPLACE_S3_SECRET_ACCESS_KEY: "other" };
  const common = { kind: "s3", prefix: "", accessKeyId: "id", secretAccessKey: "secret" };
  deepStrictEqual(blobs({ COMMONPLACE_BLOB_URL: "s3://files?region=eu-west-1", ...key }), {
    ...common,
    bucket: "files",
    region: "eu-west-1",
    base: "https://files.s3.eu-west-1.amazonaws.com",
  });
  const url = "s3://files/a//b?endpoint=https://s3.example.com/";
  deepStrictEqual(blobs({ COMMONPLACE_BLOB_URL: url, ...key, ...own }), {
    ...common,
    bucket: "files",
    prefix: "a/b/",
    region: "us-east-1",
    base: "https://s3.example.com/files",
    accessKeyId: "own",
    secretAccessKey: "other",
  });
});

Deno.test("config shows every setting with its source, and no secrets", async () => {
  const environment: Readonly<Record<string, string>> = {
    COMMONPLACE_API_KEY: "cpl_a-secret-of-the-owner",
    COMMONPLACE_INFERENCE_API_KEY: "sk-a-secret-of-the-owner",
    AWS_SECRET_ACCESS_KEY: "a-secret-of-the-owner",
    COMMONPLACE_HOST: "::1",
  };
  const printed = async (...args: string[]) => {
    const lines: string[] = [];
    await config.run(args, {
      print: (line) => void lines.push(line),
      environment: (name) => environment[name],
      confirm: () => null,
    });
    return lines.join("\n");
  };
  const json = await printed("--json", "--port", "0");
  const settings: { name: string; value: string; source: string }[] = JSON.parse(json);
  for (const setting of settings) {
    deepStrictEqual(Object.keys(setting), ["name", "value", "source"]);
  }
  const named = (name: string) => settings.find((setting) => setting.name === name)!;
  strictEqual(named("port").source, "flag");
  deepStrictEqual([named("host").value, named("host").source], ["::1", "environment"]);
  strictEqual(named("data").source, "default");
  const table = await printed();
  match(table, /^name +value +source\n/);
  for (const text of [json, table]) ok(!text.includes("a-secret-of-the-owner"));
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

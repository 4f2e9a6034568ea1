/**
 * Checks that published generators read the OpenAPI document: openapi-python-client,
 * datamodel-code-generator and openapi-typescript.
 */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withServer } from "../../../testing/harness.ts";
import { type PythonEnvironment, pythonEnvironment } from "../../../testing/python.ts";
import { rm } from "../../../testing/temp_dir.ts";

const HERE = import.meta.dirname!;
const WORK = join(HERE, "../../../dist/integrations/openapi");
const DOCUMENT = join(WORK, "openapi.json");

/**
 * Limit for generated Python, per operation. The generator repeats about 180 lines for each
 * operation and 75 for each schema, so the total grows with the API but not faster.
 */
const MAX_LINES_PER_OPERATION = 550;

await rm(WORK);
mkdirSync(WORK, { recursive: true });
await withServer(async ({ call }) => {
  const { text } = await call("GET", "/v1/openapi.json", { key: null });
  writeFileSync(DOCUMENT, text);
});
const document: { paths: Record<string, object>; components: { schemas: object } } = JSON.parse(
  readFileSync(DOCUMENT, "utf8"),
);
const operations = Object.values(document.paths).flatMap((path) => Object.keys(path)).length;
print(`${operations} operations, ${Object.keys(document.components.schemas).length} schemas`);

const python = await pythonEnvironment("openapi", join(HERE, "requirements.txt"));
await checkPythonClient(python);
await checkPythonModels(python, "typing.TypedDict");
await checkPythonModels(python, "dataclasses.dataclass");
await checkTypeScript();

/** openapi-python-client generates a whole client, without a warning. */
async function checkPythonClient(python: PythonEnvironment): Promise<void> {
  const output = join(WORK, "python_client");
  const printed = await python.check("openapi-python-client", [
    ...["generate", "--path", DOCUMENT, "--output-path", output, "--meta", "none"],
    "--fail-on-warning",
  ]);
  strictEqual(printed.trim(), `Generating ${output}`);
  const files = filesIn(output, ".py");
  const lines = files.reduce((sum, file) => sum + linesOf(file), 0);
  print(`openapi-python-client 0.29.1: no warnings, ${files.length} files, ${lines} lines`);
  ok(lines <= MAX_LINES_PER_OPERATION * operations, `${lines} lines`);
}

/** datamodel-code-generator generates one type per schema, and no numbered copies. */
async function checkPythonModels(python: PythonEnvironment, kind: string): Promise<void> {
  const output = join(WORK, `${kind}.py`);
  await python.check("datamodel-codegen", [
    ...["--input", DOCUMENT, "--input-file-type", "openapi", "--output", output],
    ...["--openapi-scopes", "schemas", "paths", "--output-model-type", kind],
    ...["--target-python-version", "3.10", "--formatters", "ruff-format"],
  ]);
  const source = readFileSync(output, "utf8");
  const names = [...source.matchAll(/^(?:class )?([A-Z]\w*)(?=[(:]| *=)/gm)].map(([, name]) =>
    name!
  );
  deepStrictEqual(numbered(names), []);
  strictEqual(/^ {4}pass$/m.exec(source), null, "a type without fields accepts no value");
  print(`datamodel-code-generator 0.89.0 ${kind}: ${names.length} types, ${linesOf(output)} lines`);
}

/** openapi-typescript generates types that the compiler accepts, and no numbered copies. */
async function checkTypeScript(): Promise<void> {
  copyFileSync(join(HERE, "package.json"), join(WORK, "package.json"));
  await runCommand("npm", ["install", "--silent", "--no-audit", "--no-fund"]);
  const output = join(WORK, "api.d.ts");
  await runCommand("npx", ["openapi-typescript", DOCUMENT, "--output", output]);
  await runCommand("npx", ["tsc", "--noEmit", "--strict", output]);
  const source = readFileSync(output, "utf8");
  const begin = source.indexOf("export interface components");
  const schemas = source.slice(begin, source.indexOf("export type $defs"));
  const names = [...schemas.matchAll(/^ {8}(\w+):/gm)].map(([, name]) => name!);
  ok(names.length > 0);
  deepStrictEqual(numbered(names), []);
  const body = source.replaceAll(/^export type \S+ = Record<string, never>;$/gm, "");
  strictEqual(body.includes("Record<string, never>"), false, "an object without fields");
  print(`openapi-typescript 7.13.0: ${names.length} schemas, ${linesOf(output)} lines`);
}

/** Returns names that repeat another one with a number at the end. */
function numbered(names: readonly string[]): string[] {
  return names.filter((name) => /\d$/.test(name) && names.includes(name.replace(/\d+$/, "")));
}

function filesIn(folder: string, extension: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(extension)).map((name) => join(folder, name));
}

function linesOf(file: string): number {
  return readFileSync(file, "utf8").split("\n").length - 1;
}

async function runCommand(program: string, args: string[]): Promise<void> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args, cwd: WORK }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  if (!success) throw new Error(`${program} ${args.join(" ")}\n${out}\n${err}`);
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(line + "\n"));
}

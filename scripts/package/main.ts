/**
 * `deno task package [npm | pypi] [--platform PLATFORM | --all] [--out DIR]`: builds the npm package
 * and the wheel for this platform, for a given one, or for all. Builds both without an argument.
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { THIS_PLATFORM } from "../build/npm_packages.ts";
import { buildNpm, type BuiltPackage } from "./npm.ts";
import { buildWheel, WHEEL_TAGS } from "./wheel.ts";

const root = join(import.meta.dirname!, "../..");
const { values, positionals: [kind = "both"] } = parseArgs({
  args: Deno.args,
  allowPositionals: true,
  options: {
    platform: { type: "string", default: THIS_PLATFORM },
    all: { type: "boolean", default: false },
    out: { type: "string", default: join(root, "dist") },
  },
});
if (!["both", "npm", "pypi"].includes(kind)) throw new Error(`Unknown kind of package: ${kind}`);
if (WHEEL_TAGS[values.platform] === undefined) {
  throw new Error(`Expected a platform, one of ${Object.keys(WHEEL_TAGS).join(", ")}`);
}

mkdirSync(values.out, { recursive: true });
if (kind !== "pypi") write(await buildNpm(root));
if (kind !== "npm") {
  const platforms = values.all ? Object.keys(WHEEL_TAGS) : [values.platform];
  for (const platform of platforms) write(await buildWheel(root, platform));
}

function write({ name, bytes }: BuiltPackage): void {
  const path = join(values.out, name);
  writeFileSync(path, bytes);
  const line = `${path}  ${(bytes.length / 1e6).toFixed(1)} MB\n`;
  Deno.stdout.writeSync(new TextEncoder().encode(line));
}

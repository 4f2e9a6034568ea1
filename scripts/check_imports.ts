/** Checks the rules of import between the folders of `src`: downwards only, and never in a circle. */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative, sep } from "node:path";

/** The folders from the ground up; a folder may import those of the rows above its own. */
const LAYERS: readonly (readonly string[])[] = [
  ["kernel", "bundle", "version.ts"],
  ["store", "embedding", "extraction"],
  ["contract"],
  ["tasks", "search"],
  [
    "memories",
    "documents",
    "uploads",
    "entities",
    "operations",
    "events",
    "activity",
    "snapshots",
    "derived",
    "projects",
    "health",
    "inference",
    "backup",
  ],
  ["http"],
  ["mcp", "dashboard", "hosted"],
  ["server"],
  ["cli"],
];

const SLICES = LAYERS[4]!;

/**
 * What a slice may take from another: its rules and its contracts, never its SQL or its HTTP.
 * `scope_counters.ts`, `claims.ts` and `inferred.ts` are part of the memories' rules: what entities and
 * derived views are made of, and how inference writes. `vocabulary.ts` is the contract of claims.
 */
const PUBLIC_FILES = [
  "service.ts",
  "schema.ts",
  "search_schema.ts",
  "scope_counters.ts",
  "claims.ts",
  "inferred.ts",
  "vocabulary.ts",
  "keys.ts",
];

/** Runs in the browser. What it imports beyond types comes along in its bundle. */
const CLIENT_FOLDER = join("dashboard", "client") + sep;

const ANY_IMPORT = /(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;
const VALUE_IMPORT = /(?:import|export)\b(?! type)[^"';]*?"(\.[^"]+)"/g;

const root = join(import.meta.dirname!, "..", "src");
const problems: string[] = [];
const sliceImports = new Map<string, Set<string>>();

for (const file of sourceFiles(root)) {
  const from = folderOf(file);
  for (const target of importsOf(file)) {
    const to = folderOf(target);
    if (from === to) continue;
    const [here, there] = [layerOf(from), layerOf(to)];
    const where = `${relative(root, file)} imports ${relative(root, target)}`;
    const bothSlices = SLICES.includes(from) && SLICES.includes(to);
    if (there > here || (there === here && !bothSlices)) problems.push(`${where}: not downwards`);
    if (!bothSlices) continue;
    if (!PUBLIC_FILES.includes(target.split(sep).at(-1)!)) {
      problems.push(`${where}: only through ${PUBLIC_FILES.join(", ")}`);
    }
    sliceImports.set(from, (sliceImports.get(from) ?? new Set()).add(to));
  }
}
for (
  const file of sourceFiles(root).filter((each) => relative(root, each).startsWith(CLIENT_FOLDER))
) {
  for (const target of importsOf(file, VALUE_IMPORT)) {
    const to = relative(root, target);
    if (to.startsWith(CLIENT_FOLDER) || folderOf(target) === "kernel") continue;
    problems.push(
      `${relative(root, file)} imports code of ${to}: only types, or code of the kernel`,
    );
  }
}
for (const slice of sliceImports.keys()) {
  if (isReachable(slice, slice, new Set())) problems.push(`${slice} imports itself in a circle`);
}

for (const fault of problems) Deno.stderr.writeSync(new TextEncoder().encode(fault + "\n"));
if (problems.length > 0) Deno.exit(1);

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

function importsOf(file: string, kind = ANY_IMPORT): string[] {
  const found = readFileSync(file, "utf8").matchAll(kind);
  return [...found].map(([, path]) => normalize(join(dirname(file), path!)))
    .filter((target) => target.startsWith(root));
}

function folderOf(file: string): string {
  return relative(root, file).split(sep)[0]!;
}

function layerOf(folder: string): number {
  const layer = LAYERS.findIndex((folders) => folders.includes(folder));
  if (layer < 0) {
    problems.push(`src/${folder} stands on no floor; add it to ${import.meta.filename}`);
  }
  return layer;
}

function isReachable(from: string, to: string, seen: Set<string>): boolean {
  for (const next of sliceImports.get(from) ?? []) {
    if (next === to) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    if (isReachable(next, to, seen)) return true;
  }
  return false;
}

/** Checks the rules of import between the folders of `src`: downwards only, and never in a circle. */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative, sep } from "node:path";

/** The folders from the ground up; a folder may import those of the rows above its own. */
const FLOORS: readonly (readonly string[])[] = [
  ["kernel", "packed", "version.ts"],
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

const SLICES = FLOORS[4]!;

/**
 * What a slice may take from another: its rules and its contracts, never its SQL or its HTTP.
 * `totals.ts`, `claims.ts` and `refined.ts` are part of the memories' rules: what entities and
 * derived views are made of, and how inference writes. `vocabulary.ts` is the contract of claims.
 */
const OPEN_FILES = [
  "service.ts",
  "schema.ts",
  "search_schema.ts",
  "totals.ts",
  "claims.ts",
  "refined.ts",
  "vocabulary.ts",
  "keys.ts",
];

/** Runs in the browser. What it imports beyond types comes along in its bundle. */
const CLIENT = join("dashboard", "client") + sep;

const ANY = /(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;
const CODE = /(?:import|export)\b(?! type)[^"';]*?"(\.[^"]+)"/g;

const root = join(import.meta.dirname!, "..", "src");
const faults: string[] = [];
const sliceImports = new Map<string, Set<string>>();

for (const file of sourceFiles(root)) {
  const from = folderOf(file);
  for (const target of importsOf(file)) {
    const to = folderOf(target);
    if (from === to) continue;
    const [here, there] = [floorOf(from), floorOf(to)];
    const where = `${relative(root, file)} imports ${relative(root, target)}`;
    const bothSlices = SLICES.includes(from) && SLICES.includes(to);
    if (there > here || (there === here && !bothSlices)) faults.push(`${where}: not downwards`);
    if (!bothSlices) continue;
    if (!OPEN_FILES.includes(target.split(sep).at(-1)!)) {
      faults.push(`${where}: only through ${OPEN_FILES.join(", ")}`);
    }
    sliceImports.set(from, (sliceImports.get(from) ?? new Set()).add(to));
  }
}
for (const file of sourceFiles(root).filter((each) => relative(root, each).startsWith(CLIENT))) {
  for (const target of importsOf(file, CODE)) {
    const to = relative(root, target);
    if (to.startsWith(CLIENT) || folderOf(target) === "kernel") continue;
    faults.push(`${relative(root, file)} imports code of ${to}: only types, or code of the kernel`);
  }
}
for (const slice of sliceImports.keys()) {
  if (reaches(slice, slice, new Set())) faults.push(`${slice} imports itself in a circle`);
}

for (const fault of faults) Deno.stderr.writeSync(new TextEncoder().encode(fault + "\n"));
if (faults.length > 0) Deno.exit(1);

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

function importsOf(file: string, kind = ANY): string[] {
  const found = readFileSync(file, "utf8").matchAll(kind);
  return [...found].map(([, path]) => normalize(join(dirname(file), path!)))
    .filter((target) => target.startsWith(root));
}

function folderOf(file: string): string {
  return relative(root, file).split(sep)[0]!;
}

function floorOf(folder: string): number {
  const floor = FLOORS.findIndex((folders) => folders.includes(folder));
  if (floor < 0) faults.push(`src/${folder} stands on no floor; add it to ${import.meta.filename}`);
  return floor;
}

function reaches(from: string, to: string, seen: Set<string>): boolean {
  for (const next of sliceImports.get(from) ?? []) {
    if (next === to) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    if (reaches(next, to, seen)) return true;
  }
  return false;
}

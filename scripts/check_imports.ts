/**
 * Checks the import rules between folders in `src`: only import from lower layers, and no cycles.
 */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative, sep } from "node:path";

/** Folders grouped into layers, bottom to top. A folder can import from any lower layer. */
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
    "connections",
    "snapshots",
    "derived",
    "projects",
    "health",
    "inference",
    "backup",
  ],
  ["context", "exports", "imports", "copies"],
  ["http"],
  ["connect"],
  ["mcp", "dashboard", "hosted", "oauth", "compat"],
  ["server"],
  ["cli"],
];

const SLICES = LAYERS[4]!;

/** Files in a slice's own folder that other slices can import. */
const PUBLIC_FILES = ["service.ts", "schema.ts"];

/**
 * Other files that slices can import from each other, and why: rules and contracts, never SQL or
 * HTTP code.
 */
const PUBLIC_PATHS: Readonly<Record<string, string>> = {
  "inference/vocabulary.ts": "the contract for claims",
  "memories/claims/claims.ts": "derived views are computed from memories",
  "memories/claims/inferred.ts": "inference writes through it",
  "memories/claims/observations.ts": "inference orders statements",
  "memories/claims/pending_texts.ts": "derived views are computed from memories",
  "memories/claims/unread_texts.ts": "inference sets texts aside, and health counts them",
  "memories/infer_task.ts": "the contract for the task of an inferred add",
  "memories/scope_counters.ts": "entities are computed from memories",
  "memories/scope_pages.ts": "derived views are computed from memories",
  "memories/search/schema.ts": "the contract for searches",
};

/** The SQLite engine: connections, the text index, and database files. */
const SQLITE_FOLDER = join("store", "sqlite") + sep;

/** Folders allowed to import the SQLite engine, and why. All others use the ports in `store/`. */
const SQLITE_USERS: Readonly<Record<string, string>> = {
  backup: "copies the database file",
  copies: "keeps what searches read in a database of its own",
  cli: "prints the schema version and finds the database",
  documents: "writes chunks on a connection of their own thread, and forms index entries",
  search: "reads the text index and vectors on read-only connections",
  server: "opens the store, and checks it (`doctor`)",
};

/** Code that runs in the browser. Anything it imports, other than types, ends up in its bundle. */
const CLIENT_FOLDER = join("dashboard", "client") + sep;

const ANY_IMPORT = /(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;
const VALUE_IMPORT = /(?:import|export)\b(?! type)[^"';]*?"(\.[^"]+)"/g;

const SQLITE_USER_NAMES = Object.keys(SQLITE_USERS).join(", ");

const root = join(import.meta.dirname!, "..", "src");
const problems: string[] = [];
const sliceImports = new Map<string, Set<string>>();
const unusedPaths = new Set(Object.keys(PUBLIC_PATHS));

for (const file of sourceFiles(root)) {
  const from = folderOf(file);
  for (const target of importsOf(file)) {
    const to = folderOf(target);
    if (from === to) continue;
    if (relative(root, target).startsWith(SQLITE_FOLDER) && !(from in SQLITE_USERS)) {
      problems.push(`${relative(root, file)}: only ${SQLITE_USER_NAMES} can import store/sqlite`);
    }
    const [fromLayer, toLayer] = [layerOf(from), layerOf(to)];
    const where = `${relative(root, file)} imports ${relative(root, target)}`;
    const areSlices = SLICES.includes(from) && SLICES.includes(to);
    if (toLayer > fromLayer || (toLayer === fromLayer && !areSlices)) {
      problems.push(`${where}: only imports from lower layers are allowed`);
    }
    if (!areSlices) continue;
    const path = relative(root, target).replaceAll(sep, "/");
    unusedPaths.delete(path);
    if (!isPublic(path)) {
      problems.push(`${where}: not a file that slices can import from each other`);
    }
    sliceImports.set(from, (sliceImports.get(from) ?? new Set()).add(to));
  }
}
for (
  const file of sourceFiles(root).filter((path) => relative(root, path).startsWith(CLIENT_FOLDER))
) {
  for (const target of importsOf(file, VALUE_IMPORT)) {
    const to = relative(root, target);
    if (to.startsWith(CLIENT_FOLDER) || folderOf(target) === "kernel") continue;
    problems.push(
      `${relative(root, file)} imports code from ${to}: only types and kernel code are allowed`,
    );
  }
}
for (const path of unusedPaths) {
  problems.push(`No other slice imports ${path}; remove it from PUBLIC_PATHS`);
}
for (const slice of sliceImports.keys()) {
  if (isReachable(slice, slice, new Set())) problems.push(`${slice} is part of an import cycle`);
}

for (const problem of problems) Deno.stderr.writeSync(new TextEncoder().encode(problem + "\n"));
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

function isPublic(path: string): boolean {
  const [, name, ...rest] = path.split("/");
  return path in PUBLIC_PATHS || rest.length === 0 && PUBLIC_FILES.includes(name!);
}

function folderOf(file: string): string {
  return relative(root, file).split(sep)[0]!;
}

function layerOf(folder: string): number {
  const layer = LAYERS.findIndex((folders) => folders.includes(folder));
  if (layer < 0) {
    problems.push(`src/${folder} has no layer; add it to LAYERS in ${import.meta.filename}`);
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

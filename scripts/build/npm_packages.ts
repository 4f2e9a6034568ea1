/** Determines which npm packages, and which of their files, the program needs at runtime. */

import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";

/** A package that the program needs. */
export interface NpmPackage {
  readonly name: string;
  readonly version: string;
  /** The licence from its package.json. */
  readonly license: string;
  readonly folder: string;
  /** Paths of the files to include, relative to `folder`. */
  readonly files: readonly string[];
}

interface PackageSelection {
  /** Files needed on top of package.json and the licence. Defaults to all files. */
  readonly files?: RegExp;
  /** Dependencies not needed at runtime. */
  readonly exclude?: readonly string[];
  /**
   * Whether the package bundles its dependencies into its own files. If so, we need their notices
   * but not their files.
   */
  readonly isBundled?: true;
}

/** Platforms, in the way Node names them, that ONNX Runtime has native files for. */
export const NATIVE_PLATFORMS = [
  "linux-x64",
  "linux-arm64",
  "darwin-arm64",
  "win32-x64",
  "win32-arm64",
] as const;

/** The platform that this process runs on, e.g. `linux-x64`. */
export const THIS_PLATFORM = [
  { linux: "linux", darwin: "darwin", windows: "win32" }[Deno.build.os as string],
  { x86_64: "x64", aarch64: "arm64" }[Deno.build.arch as string],
].join("-");

/**
 * Native files to load, without the copies under a second name and the libraries for GPUs, which are
 * only loaded on request.
 */
const NATIVE_FILES = "(onnxruntime_binding\\.node|onnxruntime\\.dll|libonnxruntime\\.1\\.dylib|" +
  "libonnxruntime\\.so\\.1)";

/**
 * Packages with far more in them than we use, e.g. files for other platforms or other builds of the
 * same code.
 */
const SELECTIONS: Readonly<Record<string, PackageSelection>> = {
  "onnxruntime-node": {
    files: nativeFiles([THIS_PLATFORM]),
    // Only used by the package's install script, which downloads files for GPUs.
    exclude: ["adm-zip", "global-agent"],
  },
  "onnxruntime-web": {
    files: /^dist\/(ort\.wasm\.bundle\.min\.mjs|ort-wasm-simd-threaded\.wasm)$/,
    isBundled: true,
  },
  "onnxruntime-common": { files: /^dist\/(cjs|esm)\// },
  "tesseract.js-core": { files: /^tesseract-core-simd-lstm\.(js|wasm)$/ },
  "@embedpdf/pdfium": { files: /^dist\/(index\.js|pdfium\.wasm)$|^LICENSE\.pdfium$/ },
  "hono": { files: /^dist\/(?!cjs\/|types\/)/ },
  // Bundled into the dashboard's pages. We need its notice, but not its files.
  "preact": { files: /^$/ },
  "zod": { files: /^(index|v4\/.*)\.js$/ },
  "@e965/xlsx": { files: /^(xlsx\.mjs|dist\/cpexcel\.full\.mjs)$/ },
};

/** Matches the files of onnxruntime-node that the given platforms load. */
function nativeFiles(platforms: readonly string[]): RegExp {
  const folders = platforms.map((platform) => platform.replace("-", "/")).join("|");
  return new RegExp(`^(dist/|bin/napi-v6/(${folders})/${NATIVE_FILES}$)`);
}

/** Selection for a package bundled into another one, along with its dependencies. */
const BUNDLED_DEPENDENCY: PackageSelection = { files: /^$/, isBundled: true };

/** Type declarations, sources of compiled code, and documentation. None of it is loaded. */
const UNUSED_FILES =
  /\.(map|md|flow|d\.ts|d\.cts|d\.mts)$|(^|\/)(tests?|docs?|examples?)\/|\.bin\//;
/** The specifier of a static or dynamic import, or of a path that is resolved like one. */
const SPECIFIER = /\b(?:from|import|import\(|resolve\()\s*"([^"]+)"/g;
/** Type declarations, which `deno check` reads. */
const DECLARATIONS = /\.d\.[cm]?ts$/;
/** Files that a licence requires us to distribute. */
const LEGAL_FILES = /^(licen[cs]e|notice|copying|third_?party)[^/]*$/i;

/**
 * Returns the packages imported by our sources, along with their dependencies.
 *
 * @param platforms the platforms whose native files to include
 * @throws {Error} if we'd need two versions of one package, since each package has a single folder
 */
export function requiredPackages(
  root: string,
  sources: readonly string[],
  platforms: readonly string[] = [THIS_PLATFORM],
): NpmPackage[] {
  const packages = new Map<string, NpmPackage>();
  const text = sources.map((path) => readFileSync(join(root, path), "utf8")).join("\n");
  const declared = Object.keys(readJson(join(root, "deno.json"))["imports"] as object);
  const imported = new Set([...text.matchAll(SPECIFIER)].map((match) => match[1]!));
  const used = declared.filter((name) =>
    [...imported].some((specifier) => specifier === name || specifier.startsWith(`${name}/`))
  );
  const bundled: [name: string, parent: string][] = [];
  const visit = (name: string, parent: string, isBundled: boolean) => {
    const folder = realpathSync(join(parent, name));
    const description = readJson(join(folder, "package.json"));
    const version = String(description["version"]);
    const visited = packages.get(name);
    if (visited !== undefined) {
      if (visited.version === version) return;
      throw new Error(`Two versions of ${name} are required: ${visited.version} and ${version}`);
    }
    const selection = isBundled ? BUNDLED_DEPENDENCY : selectionOf(name, platforms);
    packages.set(name, {
      name,
      version,
      license: String(description["license"] ?? "unknown licence"),
      folder,
      files: filesOf(folder, description, selection),
    });
    const siblings = folder.slice(0, -name.length);
    for (const dependency of Object.keys((description["dependencies"] ?? {}) as object)) {
      if (dependency.startsWith("@types/") || selection.exclude?.includes(dependency)) continue;
      const next = existsSync(join(siblings, dependency)) ? siblings : join(folder, "node_modules");
      if (selection.isBundled) bundled.push([dependency, next]);
      else visit(dependency, next, isBundled);
    }
  };
  for (const name of used) visit(name, join(root, "node_modules"), false);
  // Visit bundled packages last: if a package's files are needed as well, it has to be found
  // through a regular dependency first.
  for (const [name, parent] of bundled) visit(name, parent, true);
  return [...packages.values()].sort((a, b) => a.name < b.name ? -1 : 1);
}

function selectionOf(name: string, platforms: readonly string[]): PackageSelection {
  const selection = SELECTIONS[name] ?? {};
  return name === "onnxruntime-node" ? { ...selection, files: nativeFiles(platforms) } : selection;
}

/** Returns the names of the licence files in a package's folder. */
export function legalFiles(folder: string): string[] {
  return readdirSync(folder).filter((name) => LEGAL_FILES.test(name)).sort();
}

/**
 * Returns the files of a package that the program never loads on this platform, and that no tool of
 * the repository needs either. Only packages with a selection have any.
 */
export function unusedFiles(name: string, folder: string): string[] {
  const selected = SELECTIONS[name]?.files;
  if (selected === undefined) return [];
  return listFiles(folder).filter((path) =>
    path !== "package.json" && !LEGAL_FILES.test(path) && !DECLARATIONS.test(path) &&
    !selected.test(path)
  );
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith("node_modules/"));
}

function filesOf(
  folder: string,
  description: Record<string, unknown>,
  { files }: PackageSelection,
): string[] {
  const all = listFiles(folder);
  // Some packages, e.g. zod, ship TypeScript sources on top of the code that's loaded.
  const source = /^src\//;
  const loadsSource = JSON.stringify([description["main"], description["exports"]]).includes(
    "src/",
  );
  return all.filter((path) => {
    if (path === "package.json" || LEGAL_FILES.test(path)) return true;
    if (files !== undefined) return files.test(path) && !UNUSED_FILES.test(path);
    return !UNUSED_FILES.test(path) && (loadsSource || !source.test(path));
  }).sort();
}

function readJson(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path, "utf8"));
}

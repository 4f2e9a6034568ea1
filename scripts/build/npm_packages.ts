/** Which npm packages the program needs when it runs, and which of their files. */

import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";

/** A package of the program. */
export interface NpmPackage {
  readonly name: string;
  readonly version: string;
  /** As its package.json names it. */
  readonly license: string;
  readonly folder: string;
  /** Paths below `folder` of the files that are taken along. */
  readonly files: readonly string[];
}

interface PackageSelection {
  /** The files that are needed beside package.json and the licence; every one when absent. */
  readonly files?: RegExp;
  /** Dependencies that are not needed when it runs. */
  readonly exclude?: readonly string[];
  /** Its dependencies lie inside its own files: their notices are needed, their files aren't. */
  readonly isBundled?: true;
}

const { platform, arch } = {
  platform: { linux: "linux", darwin: "darwin", windows: "win32" }[Deno.build.os as string],
  arch: { x86_64: "x64", aarch64: "arm64" }[Deno.build.arch as string],
};

/** Packages that bring far more than is used: other platforms, other forms of the same code. */
const SELECTIONS: Readonly<Record<string, PackageSelection>> = {
  "onnxruntime-node": {
    files: new RegExp(`^(dist/|bin/napi-v6/${platform}/${arch}/)`),
    // Of its install script, which fetches what only GPUs need.
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
  // Bundled into the dashboard's pages: its notice goes along, its files don't.
  "preact": { files: /^$/ },
  "zod": { files: /^(index|v4\/.*)\.js$/ },
  "@e965/xlsx": { files: /^(xlsx\.mjs|dist\/cpexcel\.full\.mjs)$/ },
};

/** What is packed into another package's files comes with those, and so do its dependencies. */
const BUNDLED_DEPENDENCY: PackageSelection = { files: /^$/, isBundled: true };

/** Types, sources of what was compiled, and prose: nothing of it is loaded. */
const UNUSED_FILES =
  /\.(map|md|flow|d\.ts|d\.cts|d\.mts)$|(^|\/)(tests?|docs?|examples?)\/|\.bin\//;
/** Texts that a licence asks to be handed on. */
const LEGAL_FILES = /^(licen[cs]e|notice|copying|third_?party)[^/]*$/i;

/**
 * The packages that the sources import, and what these need in turn.
 *
 * @throws when two versions of one package are needed: they lie side by side in one folder
 */
export function requiredPackages(root: string, sources: readonly string[]): NpmPackage[] {
  const found = new Map<string, NpmPackage>();
  const text = sources.map((path) => readFileSync(join(root, path), "utf8")).join("\n");
  const declared = Object.keys(readJson(join(root, "deno.json"))["imports"] as object);
  const used = declared.filter((name) => text.includes(`"${name}"`) || text.includes(`"${name}/`));
  const bundled: [name: string, beside: string][] = [];
  const visit = (name: string, beside: string, inside: boolean) => {
    const link = join(beside, name);
    const folder = realpathSync(link);
    const description = readJson(join(folder, "package.json"));
    const version = String(description["version"]);
    const known = found.get(name);
    if (known !== undefined) {
      if (known.version === version) return;
      throw new Error(`Two versions of ${name} are needed: ${known.version} and ${version}`);
    }
    const selection = inside ? BUNDLED_DEPENDENCY : SELECTIONS[name] ?? {};
    found.set(name, {
      name,
      version,
      license: String(description["license"] ?? "none named"),
      folder,
      files: filesOf(folder, description, selection),
    });
    const others = folder.slice(0, -name.length);
    for (const other of Object.keys((description["dependencies"] ?? {}) as object)) {
      if (other.startsWith("@types/") || selection.exclude?.includes(other)) continue;
      const next = existsSync(join(others, other)) ? others : join(folder, "node_modules");
      if (selection.isBundled) bundled.push([other, next]);
      else visit(other, next, inside);
    }
  };
  for (const name of used) visit(name, join(root, "node_modules"), false);
  // Last, since what another package needs as files must be found as such first.
  for (const [name, beside] of bundled) visit(name, beside, true);
  return [...found.values()].sort((a, b) => a.name < b.name ? -1 : 1);
}

/** The licence texts that lie in a package's own folder. */
export function legalFiles(folder: string): string[] {
  return readdirSync(folder).filter((name) => LEGAL_FILES.test(name)).sort();
}

function filesOf(
  folder: string,
  description: Record<string, unknown>,
  { files }: PackageSelection,
): string[] {
  const all = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith("node_modules/"));
  // A package may bring its TypeScript beside what is loaded, as zod does.
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

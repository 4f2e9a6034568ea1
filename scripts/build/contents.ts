/**
 * Determines what goes into the executable: the repository files needed at runtime, in the same
 * layout.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import config from "../../deno.json" with { type: "json" };
import { MANIFEST, RUNTIME } from "../../src/bundle/unpack.ts";
import { requiredPackages } from "./npm_packages.ts";
import { thirdPartyNotices } from "./notices.ts";

/** The kinds of content, in the order listed by the build. */
export const CONTENT_KINDS = [
  "Deno, the runtime",
  "program and migrations",
  "dashboard",
  "models and tokenizers",
  "ONNX Runtime, native",
  "ONNX Runtime, WASM",
  "PDFium",
  "Tesseract and OCR data",
  "other npm packages",
  "licences",
] as const;

/** A file in the executable. */
export interface Content {
  /** Path relative to the unpacked folder. */
  readonly path: string;
  readonly kind: typeof CONTENT_KINDS[number];
  readonly read: () => Uint8Array;
}

/** Repository folders read at runtime. */
const FOLDERS = ["src", "migrations", "assets"] as const;

/** Source files for the dashboard's pages. At runtime, only the bundle in the assets is needed. */
const CLIENT_FOLDER = "src/dashboard/client/";

/** Files the launcher depends on. It checks for them before starting the runtime. */
export const VERIFIED_FILES = [
  RUNTIME,
  MANIFEST,
  "app/deno.json",
  "app/src/bundle/start.ts",
  "app/src/bundle/unpack.ts",
] as const;

/**
 * Returns every file of the program except the runtime, sorted by path.
 *
 * @param platforms the platforms whose native files to include. Defaults to this one
 */
export function listContents(root: string, platforms?: readonly string[]): Content[] {
  const own = [
    "main.ts",
    ...FOLDERS.flatMap((folder) =>
      listFiles(join(root, folder)).map((path) => `${folder}/${path}`)
    ),
  ];
  const packages = requiredPackages(root, own.filter((path) => path.startsWith("src/")), platforms);
  const encode = (text: string) => new TextEncoder().encode(text);
  const all: Content[] = [
    ...own.filter((path) => !path.startsWith(CLIENT_FOLDER)).map((path): Content => ({
      path: `app/${path}`,
      kind: kindOfSource(path),
      read: () => readFileSync(join(root, path)),
    })),
    ...packages.flatMap(({ name, folder, files }) =>
      files.map((path): Content => ({
        path: `app/node_modules/${name}/${path}`,
        kind: kindOfPackage(name),
        read: () => readFileSync(join(folder, path)),
      }))
    ),
    {
      path: "app/deno.json",
      kind: "program and migrations",
      read: () => encode(projectFile(packages.map(({ name }) => name))),
    },
    { path: "LICENSE", kind: "licences", read: () => readFileSync(join(root, "LICENSE")) },
    {
      path: "THIRD_PARTY.txt",
      kind: "licences",
      read: () => encode(thirdPartyNotices(root, packages)),
    },
  ];
  return all.sort((a, b) => a.path < b.path ? -1 : 1);
}

/** Returns the executable's deno.json, which lists the included packages and has no tasks. */
function projectFile(names: readonly string[]): string {
  const imports = Object.entries(config.imports).filter(([name]) => names.includes(name));
  const { name, version, license } = config;
  return JSON.stringify({
    name,
    version,
    license,
    nodeModulesDir: "manual",
    imports: Object.fromEntries(imports),
  });
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

function kindOfSource(path: string): Content["kind"] {
  if (path.startsWith("assets/embedding/")) return "models and tokenizers";
  if (path.startsWith("assets/inference/")) return "models and tokenizers";
  if (path.startsWith("assets/ocr/")) return "Tesseract and OCR data";
  if (path.startsWith("assets/dashboard/")) return "dashboard";
  return "program and migrations";
}

function kindOfPackage(name: string): Content["kind"] {
  switch (name) {
    case "onnxruntime-node":
      return "ONNX Runtime, native";
    case "onnxruntime-web":
      return "ONNX Runtime, WASM";
    case "@embedpdf/pdfium":
      return "PDFium";
    case "tesseract.js-core":
      return "Tesseract and OCR data";
    default:
      return "other npm packages";
  }
}

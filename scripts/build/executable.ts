/**
 * Writes the executable. It consists of 64 KiB blocks, so that `dd` can extract parts of it: the
 * launcher, the unpacking code, every file, the manifest, and finally the uncompressed runtime.
 */

import { createHash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { constants, zstdCompress } from "node:zlib";
import config from "../../deno.json" with { type: "json" };
import { type BundleFile, folderName, type Manifest, RUNTIME } from "../../src/bundle/unpack.ts";
import { formatMegabytes, NO_REPORT, type ReportStep } from "../../src/kernel/progress.ts";
import { type Content, listContents, VERIFIED_FILES } from "./contents.ts";

const BLOCK_BYTES = 65_536;

/**
 * Compression level 9. Level 15 takes eight times as long and saves only 1 %, since models hardly
 * compress.
 */
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 9 } };

/** A file as it is stored in the executable. */
export interface PackedContent extends BundleFile {
  readonly kind: Content["kind"];
}

/**
 * Builds the executable for this platform. Writes it under a temporary name and renames it once
 * complete.
 *
 * @param root the repository folder
 * @param target where to write the executable
 * @param report called with each step
 * @returns the files in the executable
 */
export async function buildExecutable(
  root: string,
  target: string,
  report: ReportStep = NO_REPORT,
): Promise<PackedContent[]> {
  mkdirSync(dirname(target), { recursive: true });
  const partial = `${target}.partial`;
  const output = openSync(partial, "w");
  let position = 2 * BLOCK_BYTES;
  const write = (bytes: Uint8Array, offset: number) => {
    for (let done = 0; done < bytes.length;) {
      done += writeSync(output, bytes, done, bytes.length - done, offset + done);
    }
  };
  const packed: PackedContent[] = [];
  report("Collecting the files of the program");
  const contents = listContents(root);
  for (const [index, { path, kind, read }] of contents.entries()) {
    report(`Packing file ${index + 1} of ${contents.length}, ${formatMegabytes(position)} so far`);
    const content = read();
    const compressed = await promisify(zstdCompress)(content, COMPRESSION);
    const stored = compressed.length < content.length ? compressed : content;
    write(stored, position);
    packed.push({ ...describeFile(path, content), offset: position, stored: stored.length, kind });
    position += stored.length;
  }
  report("Adding the runtime");
  const runtime = readFileSync(Deno.execPath());
  packed.push({
    ...describeFile(RUNTIME, runtime),
    offset: null,
    stored: runtime.length,
    kind: "Deno, the runtime",
  });
  const manifest: Manifest = packed.map(({ kind: _, ...file }) => file);
  const manifestBytes = new TextEncoder().encode(JSON.stringify(manifest));
  write(manifestBytes, position);
  const runtimeBlock = Math.ceil((position + manifestBytes.length) / BLOCK_BYTES);
  write(runtime, runtimeBlock * BLOCK_BYTES);
  write(padTo(BLOCK_BYTES, readFileSync(join(root, "src/bundle/unpack.ts"))), BLOCK_BYTES);
  const sizes = new Map(manifest.map(({ path, size }) => [path, size]));
  const launcher = renderLauncher(root, {
    VERSION: config.version,
    TARGET: Deno.build.target,
    NAME: folderName(manifestBytes),
    CHECKED: VERIFIED_FILES.join(" "),
    SIZES: VERIFIED_FILES.map((path) => sizes.get(path) ?? manifestBytes.length).join(" "),
    PERMISSIONS: permissionFlags("serve"),
    COMMAND_PERMISSIONS: permissionFlags("commonplace", ",$executable"),
    RUNTIME_BLOCK: String(runtimeBlock),
    MANIFEST_OFFSET: String(position),
    MANIFEST_SIZE: String(manifestBytes.length),
    EXECUTABLE_SIZE: String(runtimeBlock * BLOCK_BYTES + runtime.length),
    UNPACKED_MB: String(Math.ceil(manifest.reduce((sum, { size }) => sum + size, 0) / 1e6)),
  });
  write(padTo(BLOCK_BYTES, new TextEncoder().encode(launcher)), 0);
  closeSync(output);
  chmodSync(partial, 0o755);
  renameSync(partial, target);
  return packed;
}

function describeFile(path: string, content: Uint8Array) {
  const sha256 = createHash("sha256").update(content).digest("hex");
  return { path, size: content.length, sha256 };
}

/** Pads a text with line feeds, which are no-ops in both the shell and TypeScript. */
function padTo(size: number, text: Uint8Array): Uint8Array {
  if (text.length > size) {
    throw new Error(`Expected at most ${size} bytes for a block, received ${text.length}`);
  }
  const padded = new Uint8Array(size).fill("\n".charCodeAt(0));
  padded.set(text);
  return padded;
}

function renderLauncher(root: string, values: Readonly<Record<string, string>>): string {
  const template = readFileSync(join(root, "scripts/build/launcher.sh"), "utf8");
  return template.replace(/@([A-Z_]+)@/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The launcher has an unknown placeholder: @${name}@`);
    return value;
  });
}

/**
 * Returns the permissions of a task. Instead of any Deno, the included one may be started.
 *
 * @param programs more programs that may be started, each after a comma
 */
export function permissionFlags(task: "serve" | "commonplace", programs = ""): string {
  const flags = /^deno run (.*) main\.ts/.exec(config.tasks[task].command)?.[1];
  const permissions = flags?.replace(/"\$\(.*?\)(,\w+)?"/, `"$$folder/deno$1${programs}"`);
  if (permissions === undefined || !permissions.includes("$folder/deno")) {
    throw new Error(
      `Unexpected command of the task "${task}" in deno.json; update permissionFlags()`,
    );
  }
  return permissions;
}

/**
 * A library that watches a program's files. It is built with gcc when needed, and loaded by a child
 * process.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { requireTool } from "../../testing/tools.ts";

const SOURCE = join(import.meta.dirname!, "shim.c");

/** Library configuration. See the top of `shim.c`. */
export interface ShimOptions {
  /** Folder to watch. */
  readonly root: string;
  readonly record?: string;
  readonly control?: string;
}

/**
 * Builds the library in a folder and returns the path.
 *
 * @throws Error that names the package to install if gcc is missing
 */
export async function buildShim(folder: string): Promise<string> {
  const library = join(folder, "shim.so");
  const args = ["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", library, SOURCE, "-ldl"];
  const built = await new Deno.Command(requireTool("gcc"), { args, stderr: "piped" }).output();
  if (!built.success) throw new Error(new TextDecoder().decode(built.stderr));
  return library;
}

/** Returns the environment in which a child process is watched. */
export function shimEnvironment(library: string, options: ShimOptions): Record<string, string> {
  return {
    LD_PRELOAD: library,
    SHIM_ROOT: options.root,
    ...(options.record === undefined ? {} : { SHIM_RECORD: options.record }),
    ...(options.control === undefined ? {} : { SHIM_CONTROL: options.control }),
  };
}

/** The kinds of calls in a record, by their numbers in `shim.c`. */
const CALL_KINDS = [
  "none",
  "create",
  "write",
  "truncate",
  "sync",
  "sync_folder",
  "rename",
  "unlink",
  "mkdir",
  "rmdir",
  "mark",
] as const;

/** A recorded call. Paths are relative to the root. */
export type Call =
  | { readonly kind: "create"; readonly file: number; readonly path: string }
  | {
    readonly kind: "write";
    readonly file: number;
    readonly offset: number;
    readonly bytes: Uint8Array;
  }
  | { readonly kind: "truncate"; readonly file: number; readonly size: number }
  | { readonly kind: "sync"; readonly file: number }
  | { readonly kind: "sync_folder" | "unlink" | "mkdir" | "rmdir"; readonly path: string }
  | { readonly kind: "rename"; readonly path: string; readonly to: string }
  | { readonly kind: "mark"; readonly text: string };

/** Size of a recorded call without its two texts, in bytes. */
const HEADER_BYTES = 24;

/** Returns every call in a record, in order. */
export function readCalls(path: string): Call[] {
  const bytes = readFileSync(path);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const decoder = new TextDecoder();
  const calls: Call[] = [];
  for (let at = 0; at + HEADER_BYTES <= bytes.length;) {
    const kind = CALL_KINDS[view.getUint32(at, true)]!;
    const file = view.getUint32(at + 4, true);
    const offset = Number(view.getBigUint64(at + 8, true));
    const [one, two] = [view.getUint32(at + 16, true), view.getUint32(at + 20, true)];
    const payload = bytes.subarray(at + HEADER_BYTES, at + HEADER_BYTES + one);
    const second = bytes.subarray(at + HEADER_BYTES + one, at + HEADER_BYTES + one + two);
    at += HEADER_BYTES + one + two;
    if (kind === "write") calls.push({ kind, file, offset, bytes: payload });
    else if (kind === "truncate") calls.push({ kind, file, size: offset });
    else if (kind === "sync") calls.push({ kind, file });
    else if (kind === "mark") calls.push({ kind, text: decoder.decode(payload) });
    else if (kind === "create") calls.push({ kind, file, path: decoder.decode(payload) });
    else if (kind === "rename") {
      calls.push({ kind, path: decoder.decode(payload), to: decoder.decode(second) });
    } else if (kind !== "none") calls.push({ kind, path: decoder.decode(payload) || "/" });
  }
  return calls;
}

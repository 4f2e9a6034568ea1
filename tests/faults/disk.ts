/**
 * A disk of which only what was synced is sure. Calls are fed in their order; at any moment images
 * can be drawn of what a power cut may leave.
 *
 * The model is the strict one of POSIX and of what drives promise: a file's content is sure once
 * the file was synced, a name once its folder was. Of all that is not sure, each 512-byte sector
 * holds any of the versions that were written to it since, whatever the order of the writes; a
 * length is any of those it had; a name is there or not. Only a rename never loses both names, and
 * a folder that is there can be found in.
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SeededRandom } from "../../testing/seeded_random.ts";
import type { Call } from "./shim.ts";

/** How finely unsynced writes are torn: by sectors, by pages, or not at all. */
const TEAR_BYTES = [512, 4096, Infinity] as const;

type Change =
  | { readonly offset: number; readonly bytes: Uint8Array }
  | { readonly size: number };

/** Content that is sure, and what was done to it since. */
interface File {
  synced: Uint8Array;
  readonly unsynced: Change[];
}

/** A change of names that is not sure: what it adds, and what it takes away. */
interface NameChange {
  readonly adds?: { readonly path: string; readonly file: number | "folder" };
  readonly removes?: string;
}

export class Disk {
  readonly #files = new Map<number, File>();
  /** What is under a name for sure, and what the program sees there now. */
  readonly #synced = new Map<string, number | "folder">();
  readonly #seen = new Map<string, number | "folder">();
  #unsynced: NameChange[] = [];

  apply(call: Call): void {
    switch (call.kind) {
      case "create":
        this.#files.set(call.file, { synced: new Uint8Array(), unsynced: [] });
        return this.#name({ adds: { path: call.path, file: call.file } });
      case "write":
        this.#file(call.file).unsynced.push({ offset: call.offset, bytes: call.bytes });
        return;
      case "truncate":
        this.#file(call.file).unsynced.push({ size: call.size });
        return;
      case "sync": {
        const file = this.#file(call.file);
        file.synced = applyChanges(file.synced, file.unsynced);
        file.unsynced.length = 0;
        return;
      }
      case "mkdir":
        return this.#name({ adds: { path: call.path, file: "folder" } });
      case "unlink":
      case "rmdir":
        return this.#name({ removes: call.path });
      case "rename": {
        const file = this.#seen.get(call.path);
        if (file === undefined) throw new Error(`${call.path} was renamed and is not known`);
        return this.#name({ adds: { path: call.to, file }, removes: call.path });
      }
      case "sync_folder":
        return this.#syncFolder(call.path);
      case "mark":
        return;
    }
  }

  /** True when a power cut now leaves nothing to chance. */
  get isSynced(): boolean {
    return this.#unsynced.length === 0 &&
      [...this.#files.values()].every(({ unsynced }) => unsynced.length === 0);
  }

  /** Draws what a power cut now may leave, and writes it into an empty folder. */
  draw(random: SeededRandom, into: string): void {
    // Nothing of what is unsure, all of it, or any part of it; the first two are the usual ones.
    const kept = [0, 1, 0.5, random.next()][random.below(4)]!;
    const grain = TEAR_BYTES[random.below(TEAR_BYTES.length)]!;
    for (const [path, file] of this.#drawNames(random, kept)) {
      if (file === "folder") mkdirSync(join(into, path), { recursive: true });
      else {
        mkdirSync(dirname(join(into, path)), { recursive: true });
        const { synced, unsynced } = this.#file(file);
        writeFileSync(join(into, path), drawContent(random, synced, unsynced, kept, grain));
      }
    }
  }

  #file(number: number): File {
    const file = this.#files.get(number);
    if (file === undefined) throw new Error(`file ${number} was never created`);
    return file;
  }

  #name(naming: NameChange): void {
    apply(this.#seen, naming);
    this.#unsynced.push(naming);
  }

  /** Names in a folder are sure from here on; a rename into another folder is so in this one. */
  #syncFolder(folder: string): void {
    const rest: NameChange[] = [];
    for (const naming of this.#unsynced) {
      const { adds, removes } = naming;
      const [addsHere, removesHere] = [
        adds !== undefined && dirname(adds.path) === folder,
        removes !== undefined && dirname(removes) === folder,
      ];
      if (adds !== undefined && addsHere) this.#synced.set(adds.path, adds.file);
      // The old name may not go for sure before the new one has come.
      if (removes !== undefined && removesHere) {
        this.#synced.delete(removes);
        if (adds !== undefined) this.#synced.set(adds.path, adds.file);
      }
      const left = {
        ...(adds !== undefined && !addsHere && !removesHere ? { adds } : {}),
        ...(removes !== undefined && !removesHere ? { removes } : {}),
      };
      if (Object.keys(left).length > 0) rest.push(left);
    }
    this.#unsynced = rest;
  }

  /** Names that are there, without those whose folder isn't. */
  #drawNames(random: SeededRandom, kept: number): Map<string, number | "folder"> {
    const names = new Map(this.#synced);
    for (const naming of this.#unsynced) if (random.chance(kept)) apply(names, naming);
    const reachable = (path: string): boolean => {
      const folder = dirname(path);
      return folder === "/" || (names.get(folder) === "folder" && reachable(folder));
    };
    return new Map([...names].filter(([path]) => reachable(path)));
  }
}

function apply(names: Map<string, number | "folder">, { adds, removes }: NameChange): void {
  if (removes !== undefined) names.delete(removes);
  if (adds !== undefined) names.set(adds.path, adds.file);
}

/** Content with all changes. */
function applyChanges(content: Uint8Array, changes: readonly Change[]): Uint8Array {
  return tornContent(content, changes, () => true);
}

function tornContent(
  content: Uint8Array,
  changes: readonly Change[],
  keeps: (change: Change, from: number) => boolean,
  grain = Infinity,
): Uint8Array {
  let size = content.length;
  const maxSize = Math.max(size, ...changes.map(endOf));
  const result = new Uint8Array(maxSize);
  result.set(content);
  for (const change of changes) {
    if ("size" in change) {
      if (!keeps(change, 0)) continue;
      size = change.size;
      result.fill(0, size);
      continue;
    }
    const { offset, bytes } = change;
    for (let from = 0; from < bytes.length;) {
      const end = Math.min(bytes.length, nextEdge(offset + from, grain) - offset);
      if (keeps(change, from)) {
        result.set(bytes.subarray(from, end), offset + from);
        size = Math.max(size, offset + end);
      }
      from = end;
    }
  }
  return result.subarray(0, size);
}

function endOf(change: Change): number {
  return "size" in change ? change.size : change.offset + change.bytes.length;
}

function nextEdge(at: number, grain: number): number {
  return grain === Infinity ? Infinity : (Math.floor(at / grain) + 1) * grain;
}

function drawContent(
  random: SeededRandom,
  synced: Uint8Array,
  unsynced: readonly Change[],
  kept: number,
  grain: number,
): Uint8Array {
  if (unsynced.length === 0) return synced;
  return tornContent(synced, unsynced, () => random.chance(kept), grain);
}

/**
 * A disk on which only synced data is durable. Calls are applied in order, and at any moment we can
 * draw images of what a power cut might leave behind.
 *
 * The model is as strict as POSIX and the guarantees that drives make. The content of a file is
 * durable once the file has been synced, and a name is durable once its folder has been synced. For
 * everything else, each 512-byte sector contains any of the versions written since, regardless of
 * the order of the writes; a length is any of the lengths that the file has had; and a name either
 * exists or doesn't. There are only two exceptions: a rename never loses both names, and everything
 * in an existing folder is reachable.
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SeededRandom } from "../../testing/seeded_random.ts";
import type { Call } from "./shim.ts";

/** The granularity at which unsynced writes are torn: sectors, pages, or not at all. */
const TEAR_BYTES = [512, 4096, Infinity] as const;

type Change =
  | { readonly offset: number; readonly bytes: Uint8Array }
  | { readonly size: number };

/** A file's durable content, and the changes made since. */
interface File {
  synced: Uint8Array;
  readonly unsynced: Change[];
}

/** A name change that isn't durable: the name that it adds, and the name that it removes. */
interface NameChange {
  readonly adds?: { readonly path: string; readonly file: number | "folder" };
  readonly removes?: string;
}

export class Disk {
  readonly #files = new Map<number, File>();
  /** Durable entries by name, and the entries that the program currently sees. */
  readonly #synced = new Map<string, number | "folder">();
  readonly #visible = new Map<string, number | "folder">();
  #unsynced: NameChange[] = [];

  apply(call: Call): void {
    switch (call.kind) {
      case "create":
        this.#files.set(call.file, { synced: new Uint8Array(), unsynced: [] });
        return this.#addChange({ adds: { path: call.path, file: call.file } });
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
        return this.#addChange({ adds: { path: call.path, file: "folder" } });
      case "unlink":
      case "rmdir":
        return this.#addChange({ removes: call.path });
      case "rename": {
        const file = this.#visible.get(call.path);
        if (file === undefined) throw new Error(`${call.path} was renamed but is unknown`);
        return this.#addChange({ adds: { path: call.to, file }, removes: call.path });
      }
      case "sync_folder":
        return this.#syncFolder(call.path);
      case "mark":
        return;
    }
  }

  /** Whether a power cut right now can have only one outcome. */
  get isSynced(): boolean {
    return this.#unsynced.length === 0 &&
      [...this.#files.values()].every(({ unsynced }) => unsynced.length === 0);
  }

  /**
   * Draws an image that a power cut at this point might leave behind, and writes it to an empty
   * folder.
   */
  draw(random: SeededRandom, into: string): void {
    // Keeps none of the unsynced changes, all of them, or a random share. The first two are the
    // most common cases.
    const keepChance = [0, 1, 0.5, random.next()][random.below(4)]!;
    const grain = TEAR_BYTES[random.below(TEAR_BYTES.length)]!;
    for (const [path, file] of this.#drawNames(random, keepChance)) {
      if (file === "folder") mkdirSync(join(into, path), { recursive: true });
      else {
        mkdirSync(dirname(join(into, path)), { recursive: true });
        const { synced, unsynced } = this.#file(file);
        writeFileSync(join(into, path), drawContent(random, synced, unsynced, keepChance, grain));
      }
    }
  }

  #file(number: number): File {
    const file = this.#files.get(number);
    if (file === undefined) throw new Error(`file ${number} was never created`);
    return file;
  }

  #addChange(change: NameChange): void {
    apply(this.#visible, change);
    this.#unsynced.push(change);
  }

  /**
   * Makes the names in a folder durable. A rename into a different folder becomes durable only in
   * that folder.
   */
  #syncFolder(folder: string): void {
    const rest: NameChange[] = [];
    for (const change of this.#unsynced) {
      const { adds, removes } = change;
      const [addsHere, removesHere] = [
        adds !== undefined && dirname(adds.path) === folder,
        removes !== undefined && dirname(removes) === folder,
      ];
      if (adds !== undefined && addsHere) this.#synced.set(adds.path, adds.file);
      // The old name must not be certain to disappear before the new one exists.
      if (removes !== undefined && removesHere) {
        this.#synced.delete(removes);
        if (adds !== undefined) this.#synced.set(adds.path, adds.file);
      }
      const remaining = {
        ...(adds !== undefined && !addsHere && !removesHere ? { adds } : {}),
        ...(removes !== undefined && !removesHere ? { removes } : {}),
      };
      if (Object.keys(remaining).length > 0) rest.push(remaining);
    }
    this.#unsynced = rest;
  }

  /** Returns existing names, except for those whose folder doesn't exist. */
  #drawNames(random: SeededRandom, keepChance: number): Map<string, number | "folder"> {
    const names = new Map(this.#synced);
    for (const change of this.#unsynced) if (random.chance(keepChance)) apply(names, change);
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

/** Returns the content with all changes applied. */
function applyChanges(content: Uint8Array, changes: readonly Change[]): Uint8Array {
  return tornContent(content, changes, () => true);
}

function tornContent(
  content: Uint8Array,
  changes: readonly Change[],
  isKept: (change: Change, from: number) => boolean,
  grain = Infinity,
): Uint8Array {
  let size = content.length;
  const maxSize = Math.max(size, ...changes.map(endOf));
  const result = new Uint8Array(maxSize);
  result.set(content);
  for (const change of changes) {
    if ("size" in change) {
      if (!isKept(change, 0)) continue;
      size = change.size;
      result.fill(0, size);
      continue;
    }
    const { offset, bytes } = change;
    for (let from = 0; from < bytes.length;) {
      const end = Math.min(bytes.length, nextEdge(offset + from, grain) - offset);
      if (isKept(change, from)) {
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
  keepChance: number,
  grain: number,
): Uint8Array {
  if (unsynced.length === 0) return synced;
  return tornContent(synced, unsynced, () => random.chance(keepChance), grain);
}

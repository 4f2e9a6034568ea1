/** Reads and replaces a client's configuration file: atomically, with a backup, and through links. */

import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { timestamp } from "../kernel/clock.ts";
import { ConfigError } from "./config_error.ts";

/** Maximum size of a configuration file. Claude Code's is the largest, with a few megabytes. */
const MAX_CONFIG_BYTES = 64 * 1024 * 1024;

/** Files with a key can be read and written by their owner only. */
const SECRET_FILE_MODE = 0o600;
const OWNER_BITS = 0o700;

/** Maximum number of backups within a second. */
const MAX_BACKUPS = 100;

const BYTE_ORDER_MARK = "\ufeff";

/** A configuration file as read. */
export interface ConfigFile {
  /** The path that the user knows. It can be a link. */
  readonly path: string;
  /** The text without its byte order mark. Empty if the file doesn't exist. */
  readonly text: string;
  /** The file's bytes, or null if it doesn't exist. */
  readonly bytes: Uint8Array | null;
}

/**
 * Reads a configuration file.
 *
 * @throws ConfigError if it isn't UTF-8 text or is too large
 */
export function readConfigFile(path: string): ConfigFile {
  if (!existsSync(path)) return { path, text: "", bytes: null };
  const { size } = statSync(path);
  if (size > MAX_CONFIG_BYTES) {
    throw new ConfigError(`Expected at most ${MAX_CONFIG_BYTES} bytes, but it has ${size}`);
  }
  const bytes = readFileSync(path);
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { path, text: text.replace(/^\ufeff/, ""), bytes };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ConfigError("Expected UTF-8 text");
  }
}

/** How to replace a file. */
export interface WriteOptions {
  /** Whether the new text has a key, so that no one else may read the file. */
  readonly isSecret: boolean;
  /** The time for the name of the backup, or null to keep no backup. */
  readonly backupAt: number | null;
}

/**
 * Replaces a file's text. Readers see either the old file or the new one. Returns the path of a copy
 * of the old file, or null if there wasn't one.
 *
 * @throws ConfigError if the file was changed after it was read
 */
export function writeConfigFile(
  file: ConfigFile,
  text: string,
  { isSecret, backupAt }: WriteOptions,
): string | null {
  mkdirSync(dirname(file.path), { recursive: true });
  // A link, e.g. into a folder under version control, stays a link.
  const target = file.bytes === null ? file.path : realpathSync(file.path);
  const oldMode = file.bytes === null ? SECRET_FILE_MODE : statSync(target).mode & 0o777;
  const mode = isSecret ? oldMode & OWNER_BITS : oldMode;
  const part = `${target}.commonplace-${crypto.randomUUID().slice(0, 8)}`;
  try {
    writeDurably(part, hasByteOrderMark(file) ? BYTE_ORDER_MARK + text : text, mode);
    if (!isUnchanged(file)) {
      throw new ConfigError("It was changed by another program at the same time; try again");
    }
    const backup = backupAt === null ? null : backUp(file, backupAt);
    renameSync(part, target);
    return backup;
  } finally {
    rmSync(part, { force: true });
  }
}

/**
 * Writes a file as it was read to a backup next to it, which only the owner can read, because it can
 * have an older key. Never replaces another backup. Returns the backup's path, or null without a
 * file.
 *
 * @param now the time for the backup's name
 */
export function backUp(file: ConfigFile, now: number): string | null {
  if (file.bytes === null) return null;
  const time = timestamp(now).slice(0, 19).replaceAll(/[-:]/g, "");
  const name = `${realpathSync(file.path)}.before-commonplace-${time}`;
  for (let n = 1; n <= MAX_BACKUPS; n++) {
    const backup = n === 1 ? name : `${name}-${n}`;
    if (existsSync(backup)) continue;
    writeFileSync(backup, file.bytes, { mode: SECRET_FILE_MODE, flag: "wx" });
    return backup;
  }
  throw new ConfigError(`${name} exists, and ${MAX_BACKUPS - 1} more; remove some`);
}

/** Returns a file's mode if others have access to it, or null. Windows has no modes. */
export function sharedMode(path: string): number | null {
  if (Deno.build.os === "windows" || !existsSync(path)) return null;
  const mode = statSync(path).mode & 0o777;
  return (mode & ~OWNER_BITS) === 0 ? null : mode;
}

/** Removes everyone's access to a file except its owner's. */
export function restrictToOwner(path: string): void {
  const mode = sharedMode(path);
  if (mode !== null) chmodSync(path, mode & OWNER_BITS);
}

function hasByteOrderMark({ bytes }: ConfigFile): boolean {
  return bytes !== null && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function isUnchanged({ path, bytes }: ConfigFile): boolean {
  if (!existsSync(path)) return bytes === null;
  return bytes !== null && readFileSync(path).equals(bytes);
}

function writeDurably(path: string, text: string, mode: number): void {
  const file = openSync(path, "wx", mode);
  try {
    const bytes = new TextEncoder().encode(text);
    for (let written = 0; written < bytes.length;) {
      written += writeSync(file, bytes, written, bytes.length - written);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

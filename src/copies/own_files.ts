/**
 * Names of the files in the folder of the copies. A large project has a file of its own, in a folder
 * that's never used again once it has been removed. The other projects share the file in the folder
 * itself.
 */

import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { databasePath } from "../store/sqlite/store.ts";

/** Folder of a file, within the folder of the copies. Empty for the file that projects share. */
export type CopyFile = string;

/** The file of the projects that have none of their own. */
export const SHARED_FILE: CopyFile = "";

/** Folder for an image that's being made, within the folder of the copies. */
export const IMAGE_FOLDER: CopyFile = "image";

/** The file of a large project. */
export interface OwnFile {
  readonly file: CopyFile;
  readonly project: number;
  /** Higher than those of files that were made before. */
  readonly number: number;
}

/** Returns the file with a number. */
export function ownFile(project: number, number: number): OwnFile {
  return { file: `project-${project}-${number}`, project, number };
}

/** Returns the files of large projects in a folder, the latest of each project last. */
export function listOwnFiles(root: string): OwnFile[] {
  return readdirSync(root).flatMap((name) => {
    const [, project, number] = name.match(/^project-(\d+)-(\d+)$/) ?? [];
    return project === undefined ? [] : [ownFile(Number(project), Number(number))];
  }).sort((a, b) => a.number - b.number);
}

/** Returns the path of a file's database. */
export function copyPath(root: string, file: CopyFile): string {
  return databasePath(join(root, file));
}

/** Removes a folder within the folder of the copies. */
export function removeOwnFile(root: string, file: CopyFile): void {
  rmSync(join(root, file), { recursive: true, force: true });
}

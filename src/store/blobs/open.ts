/** Opens the files of an instance. The only place that decides where they are. */

import { join } from "node:path";
import type { Random } from "../../kernel/ids.ts";
import type { BlobAddress } from "./address.ts";
import type { Blobs } from "./blobs.ts";
import { blobFolder, FolderBlobs } from "./folder.ts";
import { SharedFolderBlobs } from "./shared_folder.ts";

/** Folder in the data directory for files on their way to or from remote storage. */
const WORK_FOLDER = "transfers";

/** An instance and the place of its files. */
export interface BlobLocation {
  /** The data directory of this process. */
  readonly directory: string;
  /** If undefined, the files are in the data directory. */
  readonly address?: BlobAddress | undefined;
  /** Returns the mark of the instance. See `markOf`. */
  readonly mark: () => Promise<string>;
  readonly random: Random;
}

/** Opens the files of an instance. Nothing is created before the first one is written. */
export async function openBlobs(
  { directory, address, mark, random }: BlobLocation,
): Promise<Blobs> {
  if (address === undefined) return new FolderBlobs(blobFolder(directory), random);
  if (address.kind === "folder") {
    return new SharedFolderBlobs(address.directory, await mark(), random);
  }
  // Only loaded when it's needed.
  const { S3Blobs } = await import("./s3.ts");
  const workDirectory = join(directory, WORK_FOLDER);
  return new S3Blobs({ address, mark: await mark(), workDirectory, random });
}

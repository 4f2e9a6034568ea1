/** Recognizes file system errors after which nothing has changed and a retry can succeed. */

import { ApiError } from "../kernel/errors.ts";

const DISK_ERROR_MESSAGES: Readonly<Record<string, string>> = {
  ENOSPC: "The disk is full",
  EDQUOT: "The disk is full",
  EIO: "Disk I/O error",
  EROFS: "The disk is read-only",
  ESTALE: "The folder on the network was replaced",
};

/** Checks whether an error comes from the disk, so that the same call can succeed later. */
export function isDiskError(error: unknown): boolean {
  return ((error as { code?: string }).code ?? "") in DISK_ERROR_MESSAGES;
}

/** Checks whether an error comes from the disk, either raw or converted to STORAGE_UNAVAILABLE. */
export function isStorageUnavailable(error: unknown): boolean {
  return isDiskError(error) || (error instanceof ApiError && error.code === "STORAGE_UNAVAILABLE");
}

/**
 * Returns the result of `work`. Rethrows errors that don't come from the disk.
 *
 * @throws ApiError STORAGE_UNAVAILABLE if `work` fails with a disk error
 */
export async function translateDiskErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isDiskError(error)) throw error;
    const message = DISK_ERROR_MESSAGES[(error as { code: string }).code];
    throw new ApiError("STORAGE_UNAVAILABLE", `${message}; nothing was changed`, {
      retryAfter: 1,
      cause: error,
    });
  }
}

/** Errors of the file system under which nothing was changed and a later try may work. */

import { ApiError } from "../kernel/errors.ts";

const DISK_ERROR_MESSAGES: Readonly<Record<string, string>> = {
  ENOSPC: "The disk is full",
  EDQUOT: "The disk is full",
  EIO: "The disk did not take the change",
  EROFS: "The disk is read-only",
};

/** True for what a disk may cause, now or at any later time. */
export function isDiskError(error: unknown): boolean {
  return ((error as { code?: string }).code ?? "") in DISK_ERROR_MESSAGES;
}

/** True for an error of the disk, as it came or as STORAGE_UNAVAILABLE. */
export function isStorageUnavailable(error: unknown): boolean {
  return isDiskError(error) || (error instanceof ApiError && error.code === "STORAGE_UNAVAILABLE");
}

/** Answers work's result; an error of the disk becomes STORAGE_UNAVAILABLE, any other stays. */
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

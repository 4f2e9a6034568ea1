/** The content of an upload: its bytes, its hash, and how far it has been sent. */

/** Bytes of a file. */
export type FileContent = Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | string;

/** Returns the content as a blob. A string is UTF-8 text, not a path. */
export function toBlob(file: FileContent): Blob {
  return file instanceof Blob ? file : new Blob([file]);
}

/** The largest file that the service accepts. */
const MAX_BYTES = 25_000_000;

/**
 * Returns the SHA-256 in hexadecimal, or null on pages without HTTPS, which can't compute it. Also
 * returns null for a file that the service refuses, which may not fit into memory.
 */
export async function sha256(blob: Blob): Promise<string | null> {
  if (crypto.subtle === undefined || blob.size > MAX_BYTES) return null;
  const hash = await crypto.subtle.digest("SHA-256", await blob.arrayBuffer());
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Checks whether a request can send a stream. Browsers only do so over HTTP/2 and later. Their user
 * agents all begin with "Mozilla/", in windows and in workers, and those of other runtimes don't.
 */
export function canSendStreams(): boolean {
  return !globalThis.navigator?.userAgent?.startsWith("Mozilla/");
}

/** Returns a stream of the bytes that reports how many have been taken from it. */
export function streamWithProgress(
  blob: Blob,
  onSent: (bytes: number) => void,
): ReadableStream<Uint8Array> {
  let sent = 0;
  return blob.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      start: () => onSent(0),
      transform(part, controller) {
        controller.enqueue(part);
        onSent(sent += part.length);
      },
    }),
  );
}

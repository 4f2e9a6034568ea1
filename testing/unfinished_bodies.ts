/** Request bodies that never end, each for a different reason. */

/** Sends ten bytes, then nothing more. */
export const stallingBody = () =>
  new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(10)),
  });

/** Never pauses for long, but never ends either. */
const drippingBody = () =>
  new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      controller.enqueue(new Uint8Array(1));
    },
  });

/** Breaks the connection. */
const failingBody = () =>
  new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new Error("connection reset")),
  });

/** The name, the body, and the timeouts that catch it. */
export const UNFINISHED_BODIES = [
  ["stalls", stallingBody, { stallMs: 20, totalMs: 60_000 }],
  ["drips in forever", drippingBody, { stallMs: 60_000, totalMs: 50 }],
  ["breaks off", failingBody, { stallMs: 60_000, totalMs: 60_000 }],
] as const;

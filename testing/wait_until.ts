/** Waits for background work to finish. */

/**
 * Time limit, in seconds. Anything slower than this never finishes, however busy the machine is.
 */
const TIMEOUT_SECONDS = 120;

/**
 * Polls until `isDone` accepts the result, then returns it.
 *
 * @throws Error with the last result once the time limit is exceeded
 */
export async function waitUntil<T>(
  poll: () => Promise<T>,
  isDone: (result: T) => boolean,
): Promise<T> {
  const deadline = performance.now() + TIMEOUT_SECONDS * 1_000;
  for (;;) {
    const result = await poll();
    if (isDone(result)) return result;
    if (performance.now() > deadline) {
      throw new Error(
        `Not done within ${TIMEOUT_SECONDS} s; the last result was ${JSON.stringify(result)}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

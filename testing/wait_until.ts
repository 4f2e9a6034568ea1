/** Waiting for what a service does in its own time. */

/** What takes longer than this doesn't come any more, whatever the machine is busy with. */
const TIMEOUT_SECONDS = 120;

/** Asks until the answer satisfies. @throws Error with the last answer, when none ever does */
export async function waitUntil<T>(
  poll: () => Promise<T>,
  isDone: (answer: T) => boolean,
): Promise<T> {
  const seconds = TIMEOUT_SECONDS;
  const deadline = performance.now() + seconds * 1_000;
  for (;;) {
    const answer = await poll();
    if (isDone(answer)) return answer;
    if (performance.now() > deadline) {
      throw new Error(`Not within ${seconds} s; the last answer was ${JSON.stringify(answer)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

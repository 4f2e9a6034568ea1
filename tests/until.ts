/** Waiting for what a service does in its own time. */

/** What takes longer than this doesn't come any more, whatever the machine is busy with. */
const PATIENCE_SECONDS = 120;

/** Asks until the answer satisfies. @throws Error with the last answer, when none ever does */
export async function until<T>(
  ask: () => Promise<T>,
  satisfies: (answer: T) => boolean,
): Promise<T> {
  const seconds = PATIENCE_SECONDS;
  const deadline = performance.now() + seconds * 1_000;
  for (;;) {
    const answer = await ask();
    if (satisfies(answer)) return answer;
    if (performance.now() > deadline) {
      throw new Error(`Not within ${seconds} s; the last answer was ${JSON.stringify(answer)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
